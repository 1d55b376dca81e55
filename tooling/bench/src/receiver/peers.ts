import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Receivers of others, with a lockfile of their own. */
export const peersFolder: string = fileURLToPath(new URL("../../peers/", import.meta.url));

/** Installs what the lockfile of the peers names, unless it is there. */
export function installPeers(progress: (line: string) => void): void {
  if (existsSync(`${peersFolder}node_modules/probot/package.json`)) return;
  progress("receiver: installing the peers (once)");
  const { status, stderr } = spawnSync(
    "npm",
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
    { cwd: peersFolder, encoding: "utf8" },
  );
  if (status !== 0)
    throw new Error(
      `the peers could not be installed: ${stderr.trim().split("\n").at(-1)}. --only bare,loop,loop-file,loop-keeps-nothing measures without them.`,
    );
}
