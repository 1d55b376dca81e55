import { evolve, type HarnessLane, isHarnessWide, lanesOfHarness } from "@loopwork/core";
import type { HarnessId, Hold, ItemState, TakenLane } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import { refOf } from "./session.ts";

/**
 * The other lanes of the harness. Reading them all costs, so it is done only while some lane is
 * held or is about to be.
 */
export async function otherLanes(
  harness: HarnessId,
  taken: TakenLane,
  parts: RuntimeParts,
): Promise<readonly HarnessLane[]> {
  return lanesOfHarness(
    harness,
    taken.turn.lane,
    await parts.store.items.list(),
    parts.settings().policy,
  );
}

/** The other lanes of the harness when any lane waits at all; none else. */
export async function otherLanesIfHeld(
  harness: HarnessId,
  taken: TakenLane,
  parts: RuntimeParts,
): Promise<readonly HarnessLane[]> {
  return (await parts.store.stats()).lanesHeld === 0 ? [] : otherLanes(harness, taken, parts);
}

/**
 * Lets the lanes wait for what the harness lacks; each says so in the event log, none on its
 * thread.
 */
export async function holdLanes(
  lanes: readonly HarnessLane[],
  hold: Hold,
  parts: RuntimeParts,
): Promise<void> {
  for (const { workItem, endpoint } of lanes) {
    await parts.store.items.updateOwn(workItem, (item) => ({
      after: evolve(item, { kind: "lane-held", endpoint: refOf(endpoint), hold }),
      lines: [
        eventLine(parts, "lane.held", {
          level: "warn",
          workItem,
          reason: hold.reason,
          fields: { endpoint, until: hold.until, detail: hold.detail },
        }),
      ],
    }));
  }
}

/** The harness works: every lane that waited for it goes on. */
export async function openLanes(lanes: readonly HarnessLane[], parts: RuntimeParts): Promise<void> {
  for (const { workItem, endpoint } of lanes.filter(({ hold }) => isHarnessWide(hold))) {
    await parts.store.items.updateOwn(workItem, (item) => {
      if (!isHarnessWide(holdOf(item, endpoint))) return { after: item, lines: [] };
      return {
        after: evolve(item, { kind: "lane-opened", endpoint: refOf(endpoint) }),
        lines: [
          eventLine(parts, "lane.opened", {
            workItem,
            reason: "harness-works",
            fields: { endpoint },
          }),
        ],
      };
    });
  }
}

export function holdOf(item: ItemState, lane: string): Hold | null {
  return item.lanes.find((each) => each.endpoint === lane)?.hold ?? null;
}
