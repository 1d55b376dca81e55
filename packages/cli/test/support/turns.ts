import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./until.ts";
import type { World } from "./world.ts";

export type ListedTurn = {
  readonly state: string;
  readonly note: string | null;
  readonly attempt: {
    readonly child: { readonly pid: number; readonly startTime: string } | null;
  } | null;
};

/** Turns as `loop turns list` shows them: whatever daemon runs, or none. */
export async function listedTurns(world: World): Promise<readonly ListedTurn[]> {
  return (await world.scene.loop("turns", "list", "--json")).json() as readonly ListedTurn[];
}

/** Waits until that many turns are done; rejects with the turns and the event log. */
export async function allDone(world: World, count: number): Promise<void> {
  await until(
    async () => (await listedTurns(world)).filter(({ state }) => state === "done").length === count,
    `${count} turns`,
    async () =>
      `${JSON.stringify(await listedTurns(world))}\n${(await world.scene.loop("events")).out}`,
  );
}

/** Lines of children's output that fit, over all attempts of all turns. */
export function outputLines(world: World, fits: (line: string) => boolean): readonly string[] {
  const turns = join(world.stateRoot, "turns");
  if (!existsSync(turns)) return [];
  return globSync(join(turns, "*", "*.out.jsonl")).flatMap((file) =>
    readFileSync(file, "utf8").split("\n").filter(fits),
  );
}
