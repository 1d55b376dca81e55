import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { objectOf } from "../workspace.ts";
import { writePluginVersions } from "./plugin-versions.ts";

/**
 * What the release workflow's pull request does: the changesets become versions and changelogs.
 * Through the pinned pnpm, which `changeset` calls and finds only in the path that npx gives it.
 */
const root = fileURLToPath(new URL("../../../..", import.meta.url));
const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pnpm = String(objectOf(manifest)["packageManager"]);
const { status } = spawnSync("npx", ["--yes", pnpm, "exec", "changeset", "version"], {
  cwd: root,
  stdio: "inherit",
});
if (status === 0) writePluginVersions(root);
process.exitCode = status ?? 1;
