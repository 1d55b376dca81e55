import { describe, expect, test } from "vitest";
import { type ManifestFile, manifestPath } from "@loopwork/core/config";
import {
  addFile,
  emptyManifest,
  parseManifest,
  removeFile,
} from "../../src/manifest/manifest-text.ts";

const text = emptyManifest("0.1.0");
const read = (source: string): readonly ManifestFile[] => {
  const parsed = parseManifest(source);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.manifest.files;
};

describe("the text of .loop/manifest.yaml", () => {
  test("a new one lists itself", () =>
    expect(read(text)).toEqual([{ path: manifestPath, role: "manifest", owner: "loop" }]));

  test("what is added is listed, once, and what is removed is not; comments stay", () => {
    const first = addFile(text, { path: "docs/specs/", role: "artifacts", owner: "project" });
    const twice = addFile(addFile(first, { path: "a b: #c", role: "state", owner: "loop" }), {
      path: "docs/specs/",
      role: "learnings",
      owner: "loop",
    });
    expect(read(twice).map(({ path, role }) => `${path} ${role}`)).toEqual([
      `${manifestPath} manifest`,
      "docs/specs/ learnings",
      "a b: #c state",
    ]);
    expect(twice).toContain("# What loop creates");
    expect(read(removeFile(removeFile(twice, "docs/specs/"), "a b: #c"))).toEqual(read(text));
    expect(removeFile(text, "nothing")).toBe(text);
  });

  test.each([
    ["no YAML", "files: [\n"],
    ["a key twice", `${text}version: 1\n`],
    ["an alias", "version: 1\nproduct: &p loop\nproductVersion: *p\nfiles: []\n"],
    ["a text without end", " ".repeat(262_145)],
  ])("refused: %s", (_, source) => expect(parseManifest(source).ok).toBe(false));
});
