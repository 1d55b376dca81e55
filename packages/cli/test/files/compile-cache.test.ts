import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { compileCacheFolder } from "../../src/files/compile-cache.ts";

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), "loop-compiled-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

test("keeps compiled code in the user's cache folder, in a folder that only the user can read", () => {
  const home = temporaryHome();
  const folder = join(home, ".cache", "loop");
  expect(compileCacheFolder({}, home, false)).toBe(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const caches = join(home, "caches");
  expect(compileCacheFolder({ XDG_CACHE_HOME: caches }, home, false)).toBe(join(caches, "loop"));
  expect(compileCacheFolder({ XDG_CACHE_HOME: "caches" }, home, false)).toBe(folder);
});

test("keeps compiled code where NODE_COMPILE_CACHE says, also from source", () => {
  const env = { NODE_COMPILE_CACHE: "compiled", XDG_CACHE_HOME: "/nowhere" };
  expect(compileCacheFolder(env, "/nowhere", true)).toBe(join(process.cwd(), "compiled"));
});

test("leaves the cache folder alone when run from source", () => {
  const home = temporaryHome();
  expect(compileCacheFolder({}, home, true)).toBeNull();
  expect(existsSync(join(home, ".cache"))).toBe(false);
});

test.each<[string, (folder: string) => void]>([
  ["is a link", (folder) => symlinkSync(tmpdir(), folder)],
  ["can be written by others", (folder) => (mkdirSync(folder), chmodSync(folder, 0o777))],
  ["can't be made", (folder) => symlinkSync("/nowhere/at/all", folder)],
])("keeps no compiled code where the folder %s", (_, make) => {
  const home = temporaryHome();
  mkdirSync(join(home, ".cache"));
  make(join(home, ".cache", "loop"));
  expect(compileCacheFolder({}, home, false)).toBeNull();
});

test.runIf(process.getuid?.() === 0)(
  "keeps no compiled code where the folder belongs to another user",
  () => {
    const home = temporaryHome();
    mkdirSync(join(home, ".cache", "loop"), { recursive: true });
    chownSync(join(home, ".cache", "loop"), 1234, 1234);
    expect(compileCacheFolder({}, home, false)).toBeNull();
  },
);

test("`loop` leaves compiled code where NODE_COMPILE_CACHE says", () => {
  const home = temporaryHome();
  const { status } = spawnSync(
    process.execPath,
    [
      "--conditions=@loopwork/source",
      fileURLToPath(new URL("../../src/bin.ts", import.meta.url)),
      "--version",
    ],
    {
      env: { HOME: home, NODE_COMPILE_CACHE: join(home, "compiled") },
    },
  );
  expect(status).toBe(0);
  expect(readdirSync(home)).toEqual(["compiled"]);
});
