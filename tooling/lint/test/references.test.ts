import { describe, expect, it } from "vitest";
import { type Member, readMembers, referenceBreaches } from "../src/references.ts";
import { root } from "./scratch.ts";

const core: Member = {
  name: "@loopwork/core",
  folder: "packages/core",
  needs: ["yaml"],
  refersTo: [],
  build: "tsc -p tsconfig.json",
};
const store: Member = {
  name: "@loopwork/store",
  folder: "packages/store",
  needs: ["@loopwork/core"],
  refersTo: ["core"],
  build: "tsc -p tsconfig.json",
};

describe("the build settings", () => {
  it("of this repository refer only to what manifests name", () => {
    const members = readMembers(root);
    expect(members.length).toBeGreaterThan(10);
    expect(referenceBreaches(members)).toEqual([]);
  });

  it("are fine when they refer to a dependency", () => {
    expect(referenceBreaches([core, store])).toEqual([]);
  });

  it("may bundle a page of the package into its own built files, and run nothing else", () => {
    expect(
      referenceBreaches([
        { ...core, build: "tsc -p tsconfig.json && vite build src/ui --logLevel warn" },
      ]),
    ).toEqual([]);
    for (const build of [
      "tsc -p tsconfig.json && vite build ../store --logLevel warn",
      "tsc -p tsconfig.json && tsc -b",
      "vite build src/ui --logLevel warn",
    ])
      expect(referenceBreaches([{ ...core, build }])).toHaveLength(1);
  });

  it("break when they refer to more, or when a package builds others with itself", () => {
    expect(referenceBreaches([core, { ...store, needs: [] }])).toEqual([
      "packages/store/tsconfig.json: refers to core, which package.json does not name",
    ]);
    expect(referenceBreaches([core, { ...store, build: "tsc -b" }])).toEqual([
      expect.stringContaining('packages/store/package.json: builds with "tsc -b"'),
    ]);
  });
});
