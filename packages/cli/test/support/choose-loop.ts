import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { emptyManifest } from "../../src/manifest/manifest-text.ts";

/** The people of a repository choose loop: they commit one of the two files that say so. */
export function choose(
  root: string,
  path: ".loop/manifest.yaml" | ".loop/harness-config.yaml" = ".loop/manifest.yaml",
): void {
  if (existsSync(join(root, path))) return;
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(
    join(root, path),
    path === ".loop/manifest.yaml" ? emptyManifest("0") : "version: 1\n",
  );
  execFileSync("git", ["add", "-f", path], { cwd: root });
  execFileSync(
    "git",
    [
      "-c",
      "user.name=ada",
      "-c",
      "user.email=ada@loop.invalid",
      "commit",
      "-q",
      "-m",
      "Choose loop",
      "--",
      path,
    ],
    { cwd: root },
  );
}
