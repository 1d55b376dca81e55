import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkspace } from "../src/index.ts";

/**
 * A process of its own: locks itself out of a folder in a checkout, releases that, and prints what
 * became of the folder.
 */
const [folder = ""] = process.argv.slice(2);
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: join(folder, "home"),
  GIT_CONFIG_NOSYSTEM: "1",
};
const workspace = createWorkspace({
  root: join(folder, "root"),
  spawnWorkdir: folder,
  home: env.HOME,
  stateRoot: join(folder, "state"),
  locks: { acquire: async (name) => ({ name, release: async () => undefined }) },
  strategy: "worktree",
  keepCheckoutOnClose: false,
  ownBase: `file://${folder}/remotes/`,
  env,
});
const workItem = { host: null, owner: "maria", repo: "garden", number: 7 };
const made = await workspace.prepare({
  workItem,
  repository: {
    host: "example.org",
    owner: "maria",
    name: "garden",
    cloneUrl: `file://${folder}/remotes/garden.git`,
    defaultBranch: "main",
  },
  headBranch: null,
});
if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
const locked = join(made.workdir, "locked");
mkdirSync(locked);
writeFileSync(join(locked, "precious.txt"), "precious\n");
chmodSync(locked, 0o000);
const { kind } = await workspace.release(workItem);
if (existsSync(locked)) chmodSync(locked, 0o700);
process.stdout.write(JSON.stringify({ kind, there: existsSync(join(locked, "precious.txt")) }));
