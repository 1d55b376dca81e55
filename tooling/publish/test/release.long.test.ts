import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRegistry } from "../src/registry.ts";
import { parseReleasable, releaseOrder, withRepository } from "../src/release/order.ts";
import { writePluginVersions } from "../src/release/plugin-versions.ts";
import { publishNew } from "../src/release/publish-new.ts";

const manifest = (name: string, dependencies: Readonly<Record<string, string>> = {}): string =>
  JSON.stringify({ name, version: "1.0.0", license: "MIT", dependencies });

test("each package is released after all that it needs; what needs itself in a ring cannot be", () => {
  const ours = new Set(["@x/cli", "@x/core", "@x/store"]);
  const packages = [
    manifest("@x/cli", { "@x/store": "1", yaml: "2" }),
    manifest("@x/core"),
    manifest("@x/store", { "@x/core": "1" }),
  ].map((text) => parseReleasable(text, ours));
  expect(packages[0]).toEqual({ name: "@x/cli", version: "1.0.0", needs: ["@x/store"] });
  expect(releaseOrder(packages).map(({ name }) => name)).toEqual(["@x/core", "@x/store", "@x/cli"]);
  expect(() =>
    releaseOrder([parseReleasable(manifest("@x/core", { "@x/core": "1" }), ours)]),
  ).toThrow("these need each other: @x/core");
});

test("the manifest names the repository that the provenance names", () => {
  expect(
    JSON.parse(withRepository(manifest("@x/core"), "octo/loop", "packages/core")),
  ).toMatchObject({
    name: "@x/core",
    repository: {
      type: "git",
      url: "git+https://github.com/octo/loop.git",
      directory: "packages/core",
    },
  });
});

test(
  "what stands in the registry is not published again, so that a release that broke off goes on",
  { timeout: 120_000 },
  async () => {
    const registry = await openRegistry();
    const folder = mkdtempSync(join(tmpdir(), "loop-release-"));
    onTestFinished(
      async () => (rmSync(folder, { recursive: true, force: true }), registry.close()),
    );
    const settings = join(folder, "npmrc");
    writeFileSync(settings, `${registry.url.slice("http:".length)}/:_auth=${registry.token}\n`);
    const flags = { all: ["--registry", registry.url, "--userconfig", settings], publish: [] };
    const tarballs = new Map(["@x/core", "@x/cli"].map((name) => [name, pack(folder, name)]));
    const packages = [...tarballs.keys()].map((name) => ({ name, version: "1.0.0", needs: [] }));
    expect(await publishNew(packages.slice(0, 1), tarballs, folder, flags)).toEqual([
      "@x/core@1.0.0 is published",
    ]);
    expect(await publishNew(packages, tarballs, folder, flags)).toEqual([
      "@x/core@1.0.0 stands already",
      "@x/cli@1.0.0 is published",
    ]);
    const withoutLogin = {
      ...flags,
      all: ["--registry", registry.url, "--userconfig", join(folder, "none")],
    };
    await expect(
      publishNew(
        [{ name: "@x/core", version: "2.0.0", needs: [] }],
        tarballs,
        folder,
        withoutLogin,
      ),
    ).rejects.toThrow("@x/core@2.0.0 could not be published, after nothing");
  },
);

function pack(folder: string, name: string): string {
  const source = join(folder, name.replace("/", "-"));
  mkdirSync(source);
  writeFileSync(join(source, "package.json"), manifest(name));
  return join(
    folder,
    execFileSync("npm", ["pack", source, "--silent"], { cwd: folder, encoding: "utf8" }).trim(),
  );
}

test("the plugin gets the version of the command line, and nothing else of its manifests changes", () => {
  const root = mkdtempSync(join(tmpdir(), "loop-plugin-version-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = ["claude", "cursor"].map(
    (harness) => `plugins/loop/.${harness}-plugin/plugin.json`,
  );
  mkdirSync(join(root, "packages/cli"), { recursive: true });
  writeFileSync(join(root, "packages/cli/package.json"), '{ "version": "1.2.0" }');
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '{\n  "name": "loop",\n  "version": "1.1.0"\n}\n');
  }
  writePluginVersions(root);
  for (const file of files)
    expect(readFileSync(join(root, file), "utf8")).toBe(
      '{\n  "name": "loop",\n  "version": "1.2.0"\n}\n',
    );
  writeFileSync(join(root, String(files[1])), '{ "name": "loop" }');
  expect(() => writePluginVersions(root)).toThrow("has no version to set");
});
