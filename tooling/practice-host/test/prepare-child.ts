import { createLocks } from "@loopwork/store";
import { createWorkspace, ownBaseOf } from "@loopwork/workspace";

/**
 * Makes checkouts for the work items that are named as arguments; prints one line each. Run as a
 * process of its own.
 */
const { folder, url, cloneUrl } = JSON.parse(process.env["PREPARE"] ?? "{}");
const host = new URL(String(url)).host;
const workspace = createWorkspace({
  env: process.env,
  root: `${folder}/root`,
  spawnWorkdir: "/",
  home: "/home/nobody",
  stateRoot: `${folder}/state`,
  locks: createLocks(`${folder}/locks`),
  strategy: "worktree",
  keepCheckoutOnClose: false,
  ownBase: ownBaseOf(String(url)),
});
await Promise.all(
  process.argv.slice(2).map(async (number) => {
    const made = await workspace.prepare({
      workItem: { host: null, owner: "maria", repo: "garden", number: Number(number) },
      repository: {
        host,
        owner: "maria",
        name: "garden",
        cloneUrl: String(cloneUrl),
        defaultBranch: "main",
      },
      headBranch: null,
    });
    process.stdout.write(`${JSON.stringify(made)}\n`);
  }),
);
