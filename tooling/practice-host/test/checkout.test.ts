import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspace, ownBaseOf } from "@loopwork/workspace";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPracticeHost, type PracticeHost } from "../src/index.ts";

let host: PracticeHost;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "practice-checkout-"));
  host = await createPracticeHost({ owner: "maria" });
});
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

const workspaceWith = (ownBase: string | null) =>
  createWorkspace({
    root: join(folder, "root"),
    spawnWorkdir: folder,
    home: "/home/nobody",
    stateRoot: join(folder, "state"),
    locks: { acquire: async (name) => ({ name, release: async () => undefined }) },
    strategy: "worktree",
    keepCheckoutOnClose: false,
    ownBase,
    env: process.env,
  });

test("a checkout is made from the practice host over http, because the operator named its address", async () => {
  const name = new URL(host.url).host;
  const request = {
    workItem: { host: null, owner: "maria", repo: "garden", number: 1 },
    repository: {
      host: name,
      owner: "maria",
      name: "garden",
      cloneUrl: host.cloneUrl,
      defaultBranch: "main",
    },
    headBranch: null,
  };
  expect(await workspaceWith(null).prepare(request)).toMatchObject({
    kind: "failed",
    code: "LOOP_E_WORKSPACE_REMOTE",
  });
  const workspace = workspaceWith(ownBaseOf(host.apiUrl));
  const made = await workspace.prepare(request);
  expect(made).toMatchObject({ kind: "ready", created: true });
  const workdir = made.kind === "ready" ? made.workdir : "";
  expect(existsSync(join(workdir, "README.md"))).toBe(true);
  expect(await workspace.release(request.workItem)).toEqual({
    kind: "released",
    removed: [workdir],
    salvage: null,
  });
  expect(existsSync(workdir)).toBe(false);
});
