import { adoptedBy } from "@loopwork/core";
import {
  type Adopted,
  type EventLine,
  formatRef,
  type InstanceRow,
  instanceStatus,
  LoopError,
  type OutboxEntry,
  type RefText,
  type Store,
} from "@loopwork/core/ports";
import { steeredLine } from "./steering-event-line.ts";
import type { SteeringPorts } from "./steering-ports.ts";

/**
 * What one adopted work item brought along. `posts` are replies that may stand on their threads.
 */
export type AdoptedItem = Pick<Adopted, "uncertain" | "decidedAnew"> & {
  readonly workItem: RefText;
  readonly posts: readonly { readonly thread: RefText; readonly text: string }[];
};

/**
 * Takes over everything of an instance that is gone, item by item: each is whole here or whole
 * there, so that a command that is cut short goes on where it was when it is given again. Rejects
 * with `LOOP_E_INSTANCE_RUNS` while that instance lives, as two would work on the same items until
 * it noticed, and with `LOOP_E_INSTANCE_UNKNOWN` for a name that nobody ever had.
 */
export async function adoptInstance(
  from: string,
  ports: SteeringPorts,
): Promise<readonly AdoptedItem[]> {
  const [store, { instance }] = await Promise.all([ports.store(), ports.policy()]);
  if (from === instance.name)
    throw new LoopError(
      "LOOP_E_USAGE",
      `${from} is this instance`,
      "Name the instance whose work this one takes over",
    );
  const [row, items] = [await findInstance(from, store), await store.instances.itemsOf(from)];
  if (row === null && items.length === 0) throw unknownInstance(from);
  refuseRunning(row);
  const adopted: AdoptedItem[] = [];
  for (const workItem of items) {
    const line = await steeredLine(ports, "work-item.adopted", workItem, { from });
    const lines = ({ begun }: Adopted): readonly EventLine[] => [
      line,
      ...begun.map((entry) => leftPost(entry, from, line)),
    ];
    const moved = await store.instances.adopt(from, workItem, {
      fold: (item) => adoptedBy(item, from, instance.name),
      note: noteOf(from),
      check: refuseRunning,
      lines,
    });
    if (moved !== null)
      adopted.push({
        workItem,
        uncertain: moved.uncertain,
        posts: moved.begun.flatMap(postOf),
        decidedAnew: moved.decidedAnew,
      });
  }
  await ports.wake();
  return adopted;
}

/** Asked before anything is done, and again with each item: it may come back at any moment. */
function refuseRunning(row: InstanceRow | null): void {
  if (row === null || instanceStatus(row) !== "running") return;
  throw new LoopError(
    "LOOP_E_INSTANCE_RUNS",
    `Instance ${row.name} is running on ${row.machine} (seen ${Math.round(row.seenAgoMs / 1000)} s ago)`,
    "Stop it there with `loop stop`. If its machine is gone, try again in 30 s.",
  );
}

const noteOf = (from: string): string =>
  `it was running on instance ${from}, and its outcome is unknown`;

function leftPost({ deliveryId, effect }: OutboxEntry, from: string, line: EventLine): EventLine {
  return {
    ...line,
    kind: "host.failed",
    level: "warn",
    delivery: deliveryId,
    reason: "adopted",
    fields: { effect: effect.kind, detail: noteOf(from) },
  };
}

function postOf({ effect }: OutboxEntry): readonly AdoptedItem["posts"][number][] {
  return effect.kind === "reply" ? [{ thread: formatRef(effect.thread), text: effect.text }] : [];
}

export async function findInstance(
  name: string,
  store: Pick<Store, "instances">,
): Promise<InstanceRow | null> {
  return (await store.instances.list()).find((each) => each.name === name) ?? null;
}

export function unknownInstance(name: string): LoopError {
  return new LoopError(
    "LOOP_E_INSTANCE_UNKNOWN",
    `Unknown instance ${JSON.stringify(name.slice(0, 40))}`,
    "Run `loop instances list` to see them",
  );
}
