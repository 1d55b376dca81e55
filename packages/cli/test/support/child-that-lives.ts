import { expect } from "vitest";
import { isAlive } from "../../src/processes/process-identity.ts";
import { startDaemon } from "./daemon.ts";
import { listedTurns } from "./turns.ts";
import { until } from "./until.ts";
import type { World } from "./world.ts";

/** The process of an attempt, as it is on record. */
export type Child = { readonly pid: number; readonly startTime: string };

/**
 * X05: a new daemon finds the child of a killed one alive, starts none beside it, and lets what
 * comes meanwhile wait.
 */
export async function waitsForItsChild(world: World, child: Child): Promise<void> {
  await startDaemon(world);
  world.host.comment(1, "And the roses, please.", "ada");
  await until(async () => (await listedTurns(world)).length === 2, "the comment waits");
  expect(isAlive(child)).toBe(true);
  expect(
    (await listedTurns(world)).map(({ state, attempt }) => [state, attempt?.child ?? null]),
  ).toEqual([
    ["injecting", child],
    ["ready", null],
  ]);
}
