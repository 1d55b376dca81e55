import type { Store } from "@loopwork/core/ports";
import type { World } from "../world/world.ts";

/** Whoever may not steer or speak has no effect. */
const nobody = new Set(["eve"]);

/** Every delivery that was taken is decided, with a reason that somebody can read. */
export async function judgeDeliveries(
  { data, travel }: World,
  store: Store,
): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const [id, kept] of travel.acknowledged)
    if (!data.ids.has(kept))
      violations.push(
        `acknowledged-not-stored: ${id}${kept === id ? "" : `, as a repetition of ${kept}`}`,
      );
  const told = new Set(
    data.events
      .filter(({ kind, reason }) => kind === "delivery.decided" && (reason ?? "") !== "")
      .map(({ delivery }) => delivery),
  );
  for (const { id, event, ignored } of data.deliveries) {
    if (ignored !== null) continue;
    const row = await store.log.decision(id);
    if (row === null) violations.push(`accepted-undecided: ${event} ${id}`);
    else if (row.decision.reason === "payload-rejected")
      violations.push(`set-aside: ${event} ${id}`);
    else if (!told.has(id))
      violations.push(`silent: ${event} ${id} was decided and no line says why`);
    else if (nobody.has(row.event?.actor?.login ?? "") && row.decision.effects.length > 0)
      violations.push(
        `effect-of-unauthorized: ${event} ${id} of ${row.event?.actor?.login ?? ""} caused ${row.decision.effects.map(({ kind }) => kind).join(", ")}`,
      );
  }
  return violations;
}
