import { join } from "node:path";
import { createLocks } from "@loopwork/store";
import { createWorkspace } from "@loopwork/workspace";

/**
 * A process of its own that asks for many checkouts of one repository at once; prints how many it
 * did not get.
 */
const [folder = "", from = "0", count = "0"] = process.argv.slice(2);
const remotes = join(folder, "remotes");
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: join(folder, "home"),
  GIT_CONFIG_NOSYSTEM: "1",
};
const workspace = createWorkspace({
  root: join(folder, "many"),
  spawnWorkdir: folder,
  home: env.HOME,
  stateRoot: join(folder, "state"),
  locks: createLocks(join(folder, "locks")),
  strategy: "worktree",
  keepCheckoutOnClose: false,
  ownBase: `file://${remotes}/`,
  env,
});
const made = await Promise.all(
  Array.from({ length: Number(count) }, (_, at) => {
    const workItem = { host: null, owner: "maria", repo: "garden", number: Number(from) + at + 1 };
    return workspace.prepare({
      workItem,
      repository: {
        host: "example.org",
        owner: "maria",
        name: "garden",
        cloneUrl: `file://${join(remotes, "garden.git")}`,
        defaultBranch: "main",
      },
      headBranch: null,
    });
  }),
);
const failures = made.filter((result) => result.kind === "failed");
for (const failure of failures.slice(0, 5))
  process.stderr.write(`${failure.code}: ${failure.detail}\n`);
process.stdout.write(`${failures.length}\n`);
