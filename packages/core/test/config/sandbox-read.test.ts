import { isAbsolute, join, relative } from "node:path";
import { expect, test } from "vitest";
import { defaultConfig } from "../../src/config/defaults.ts";
import { resolvePaths } from "../../src/config/paths.ts";

const home = "/home/ada";
const { sandboxRead } = resolvePaths(defaultConfig, { configDir: "/home/ada/.loop", home });

/** Whether something that may be read is the file, holds it, or lies in the folder. */
function isOpened(file: string): boolean {
  const below = (from: string, to: string): boolean => {
    const way = relative(from, to);
    return way === "" || (!way.startsWith("..") && !isAbsolute(way));
  };
  return sandboxRead.some((open) => below(open, file) || below(file, open));
}

test.each([
  ".ssh",
  ".gnupg",
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".boto",
  ".vault-token",
  ".docker",
  ".aws",
  ".azure",
  ".kube",
  ".terraform.d",
  ".claude",
  ".claude.json",
  ".cursor",
  ".codex",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".gem/credentials",
  ".bundle/config",
  ".config/gcloud",
  ".config/git/credentials",
  ".config/hub",
  ".config/pip",
  ".config/pnpm/rc",
  ".config/rclone",
  ".config/op",
  ".config/containers/auth.json",
  ".cargo/credentials.toml",
  ".cargo/credentials",
  ".local/share/keyrings",
  ".local/share/uv/credentials",
  ".local/share/containers",
  ".mozilla",
  ".bash_history",
  ".loop",
])("by default no sandboxed command reads %s", (name) => {
  expect(isOpened(join(home, name))).toBe(false);
});

test("what `git push` logs in with is read, by a key that says so", () => {
  expect(
    [".git-credentials", ".config/gh/hosts.yml"].map((name) => isOpened(join(home, name))),
  ).toEqual([true, true]);
});
