import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { consume } from "../src/consume.ts";
import { publishAll, useRegistry } from "../src/publish.ts";
import { openRegistry, type Registry } from "../src/registry.ts";
import { run } from "../src/run.ts";
import { typesWrong } from "../src/types-wrong.ts";

const name = "@loopwork/sample";
const compiler = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "node_modules",
  "typescript",
  "bin",
  "tsc",
);

let folder: string;
let loopback: Registry;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loop-registry-"));
  loopback = await openRegistry();
});
afterEach(async () => {
  await loopback.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Packs a small package with these declarations; null for none. */
async function packed(declarations: string | null): Promise<string> {
  const source = mkdtempSync(join(folder, "source-"));
  const entry =
    declarations === null
      ? { default: "./index.js" }
      : { types: "./index.d.ts", default: "./index.js" };
  writeFileSync(
    join(source, "package.json"),
    JSON.stringify({ name, version: "1.0.0", type: "module", exports: { ".": entry } }),
  );
  writeFileSync(join(source, "index.js"), "export const answer = 42;\n");
  if (declarations !== null) writeFileSync(join(source, "index.d.ts"), declarations);
  const ran = await run(["npm", "pack", "--pack-destination", folder], source);
  expect(ran.code, ran.stderr).toBe(0);
  return join(folder, "loopwork-sample-1.0.0.tgz");
}

/** An empty folder into which the package was installed by its name. */
async function installedInto(): Promise<string> {
  const into = join(folder, "user");
  mkdirSync(into);
  writeFileSync(join(into, "package.json"), `{ "private": true }`);
  useRegistry(loopback, into);
  const ran = await run(["npm", "install", "--no-audit", "--no-fund", name], into);
  expect(ran.code, ran.stderr).toBe(0);
  return into;
}

const manifest = { name, folder: "", programs: [], entries: ["."] };

describe("the registry of the publish check", { timeout: 120_000 }, () => {
  it("gives npm what npm published, and TypeScript finds its types in both ways of resolution", async () => {
    const tarball = await packed("export declare const answer: number;\n");
    expect(await publishAll(new Map([[name, tarball]]), loopback, folder)).toEqual([]);
    const into = await installedInto();
    expect(readFileSync(join(into, "node_modules", name, "index.js"), "utf8")).toContain(
      "answer = 42",
    );
    expect(await consume(manifest, into, compiler, [])).toEqual([]);
    expect(await typesWrong(name, new Uint8Array(readFileSync(tarball)))).toEqual([]);
  });

  it("takes no version twice, and says so", async () => {
    const tarball = await packed(null);
    const all = new Map([[name, tarball]]);
    expect(await publishAll(all, loopback, folder)).toEqual([]);
    expect(await publishAll(all, loopback, folder)).toEqual([
      expect.stringContaining(`${name} cannot be published`),
    ]);
  });

  it("takes nothing without the token, and knows no other package", async () => {
    const refused = await fetch(`${loopback.url}/@loopwork%2fsample`, {
      method: "PUT",
      body: JSON.stringify({ name }),
    });
    expect(refused.status).toBe(401);
    expect((await fetch(`${loopback.url}/@loopwork%2fsample`)).status).toBe(404);
    expect((await fetch(`${loopback.url}/@loopwork%2fsample`, { method: "DELETE" })).status).toBe(
      405,
    );
  });

  it("finds declarations that ask for what is not installed, and packages without types", async () => {
    const wrong = await packed(`export { Router } from "express";\n`);
    await publishAll(new Map([[name, wrong]]), loopback, folder);
    const into = await installedInto();
    expect(await consume(manifest, into, compiler, [])).toEqual([
      expect.stringContaining("nodenext"),
      expect.stringContaining("bundler"),
    ]);
    expect(await typesWrong(name, new Uint8Array(readFileSync(await packed(null))))).toEqual([
      `${name} has no types`,
    ]);
    expect(
      await typesWrong(
        name,
        new Uint8Array(readFileSync(await packed(`export * from "./missing.js";\n`))),
      ),
    ).toContainEqual(
      expect.stringMatching(/^@loopwork\/sample: InternalResolutionError .*index\.d\.ts/),
    );
  });
});
