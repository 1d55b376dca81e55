import { expect, test } from "vitest";
import { benchWorkspace } from "../src/workspace.ts";

test("a short run measures every way and many registrations, and answers with the documented keys", async () => {
  const before = process.execArgv;
  process.execArgv = ["--conditions=@loopwork/source"];
  const { ways, concurrent } = await benchWorkspace({
    rounds: 2,
    files: 40,
    adds: 6,
    progress: () => {},
  }).finally(() => {
    process.execArgv = before;
  });
  expect(ways.map(({ name }) => name)).toEqual([
    "git worktree add",
    "loop cold",
    "loop from the pool",
    "git clone",
  ]);
  for (const way of ways) expect(Object.keys(way)).toEqual(["name", "p50Ms", "ratioToWorktreeAdd"]);
  expect(ways[0]?.ratioToWorktreeAdd).toBe(1);
  expect(concurrent).toEqual({ adds: 6, failures: 0 });
}, 120_000);
