import type { World } from "../world/world.ts";

/**
 * True once nothing is under way and nothing waits for time: what still waits then waits for a
 * person.
 */
export function isQuiet(world: World, healedAt: number): boolean {
  const { data, travel, machine, requests, lives, settings } = world;
  const service = lives.current();
  if (service === null || travel.underWay() > 0) return false;
  const instance = data.instances.get("default");
  if (instance === undefined || instance.undecided > 0) return false;
  if (data.effects.some(({ state }) => state === "pending")) return false;
  if (machine.processes().some((process) => process.alive()) || requests.open() > 0) return false;
  if ([...data.lanes.values()].some(({ lease }) => lease !== null)) return false;
  if (settings.config.polling.enabled && !polledTwiceSince(world, healedAt)) return false;
  if (
    world.auditing &&
    (world.lastWholeAudit() ?? 0) < Math.max(healedAt, travel.lastUnanswered() ?? 0)
  )
    return false;
  return ![...data.turns.values()].some(
    ({ state, lane, notBefore }) =>
      state === "injecting" || (state === "ready" && (notBefore > 0 || mayGo(world, lane))),
  );
}

/** A ready turn goes on by itself unless its lane is held without an end. */
function mayGo({ data }: World, lane: string): boolean {
  const hold = [...data.lanes.values()].find(({ endpoint }) => endpoint === lane)?.hold ?? null;
  return hold === null || hold.until !== null;
}

/** The second whole poll finds what the first one's own answers changed. */
function polledTwiceSince(world: World, healedAt: number): boolean {
  const last = world.lastWholePoll();
  return last !== null && last > healedAt + 45_000;
}
