import type { World } from "../world/world.ts";

/**
 * Once nothing goes wrong any more, everything comes to rest, and what waits then waits for a
 * person who was told why.
 */
export function judgeRest(world: World, quiet: boolean): readonly string[] {
  const { data, machine, requests, travel } = world;
  const violations: string[] = [];
  if (!quiet) {
    const undecided = data.instances.get("default")?.undecided ?? 0;
    const turns = [...data.turns.values()]
      .filter(({ state }) => state === "ready" || state === "injecting")
      .map(
        ({ id, lane, state }) =>
          `${id} ${state} on ${lane} (${JSON.stringify(data.lanes.get(lane)?.hold ?? null)})`,
      );
    const effects = data.effects
      .filter(({ state }) => state === "pending")
      .map(({ id, effect, note }) => `${id} ${effect.kind} ${note ?? ""}`);
    violations.push(
      `stuck: undecided ${undecided}; turns ${turns.join(", ")}; effects ${effects.join(", ")}; children ${machine.processes().filter((each) => each.alive()).length}; requests ${requests.open()}; webhooks ${travel.underWay()}`,
    );
  }
  for (const { id, lane, state, workItem, note } of data.turns.values()) {
    if (state === "uncertain")
      violations.push(`uncertain-without-cause: turn ${id}: ${note ?? ""}`);
    if (state !== "ready") continue;
    const hold = data.lanes.get(lane)?.hold ?? null;
    const status = data.items.get(workItem)?.workItem?.control.status;
    // What is closed on the host cannot be told to go on.
    const over = world.host.repository.items.some(
      ({ number, open }) => !open && workItem.endsWith(`#${number}`),
    );
    const expected =
      hold !== null &&
      (hold.reason === "paused"
        ? status === "paused"
        : hold.reason === "failed" || hold.reason === "budget" || over);
    if (!expected)
      violations.push(
        `waits-for-nothing: turn ${id} on ${lane}, held for ${hold?.reason ?? "nothing"} while ${status ?? "unknown"}`,
      );
  }
  return violations;
}
