import {
  type DeliveryEntry,
  emptyItemState,
  type EventLine,
  formatRef,
  type ItemState,
  type RefText,
  type StoredEvent,
  type Turn,
} from "@loopwork/core/ports";
import {
  commentEvent,
  digestOf,
  issueRef,
  itemOf,
  laneOf,
  linkOf,
  noon,
  sessionOf,
} from "@loopwork/core/testing";
import type { Records } from "../../src/index.ts";

/** Records in arrays, which a test fills. */
export type MemoryRecords = Records & {
  readonly deliveries: DeliveryEntry[];
  readonly states: Map<RefText, ItemState>;
  readonly said: Turn[];
  readonly lines: StoredEvent[];
  write(line?: Partial<EventLine>): void;
};

export const ref: RefText = formatRef(issueRef);

export function createRecords(): MemoryRecords {
  const deliveries: DeliveryEntry[] = [];
  const states = new Map<RefText, ItemState>();
  const said: Turn[] = [];
  const lines: StoredEvent[] = [];
  return {
    deliveries,
    states,
    said,
    lines,
    write: (line = {}) =>
      void lines.push({
        time: noon,
        kind: "turn.done",
        level: "info",
        instance: "default",
        workItem: ref,
        delivery: null,
        reason: null,
        fields: {},
        ...line,
        id: lines.length + 1,
      }),
    log: {
      find: async (id) => deliveries.find((each) => each.id === id) ?? null,
      list: async ({ afterSeq = 0, beforeSeq = Infinity, limit, workItem, newestFirst = false }) =>
        ordered(
          deliveries.filter(
            ({ seq, decision }) =>
              seq > afterSeq &&
              seq < beforeSeq &&
              (workItem === undefined || decision?.workItem === workItem),
          ),
          newestFirst,
          limit,
        ),
    },
    items: {
      page: async ({ after, limit, status, held, only }) =>
        [...states.values()]
          .filter(
            ({ workItem, lanes }) =>
              workItem !== null &&
              workItem.ref > (after ?? "") &&
              (only !== "managed" || workItem.control.status !== "idle") &&
              (status === undefined || workItem.control.status === status) &&
              (held === undefined || held === lanes.some(({ hold }) => hold !== null)),
          )
          .slice(0, limit),
      load: async (item) => states.get(item) ?? emptyItemState,
    },
    activity: async ({ since }) =>
      since <= noon ? [{ at: since, accepted: 3, decided: 2, failed: 1 }] : [],
    lanes: {
      turns: async ({ beforeId = Infinity, workItem, states: wanted, limit }) =>
        said
          .filter(
            ({ id, workItem: of, state }) =>
              id < beforeId &&
              (workItem === undefined || of === workItem) &&
              (wanted === undefined || wanted.includes(state)),
          )
          .slice(-limit),
    },
    events: {
      list: async ({
        afterId = 0,
        beforeId = Infinity,
        since = 0,
        kind,
        workItem,
        delivery,
        limit,
        newestFirst = false,
      }) =>
        ordered(
          lines.filter(
            (line) =>
              line.id > afterId &&
              line.id < beforeId &&
              line.time >= since &&
              (kind === undefined || line.kind === kind) &&
              (workItem === undefined || line.workItem === workItem) &&
              (delivery === undefined || line.delivery === delivery),
          ),
          newestFirst,
          limit,
        ),
    },
  };
}

function ordered<T>(rows: readonly T[], newestFirst: boolean, limit: number): readonly T[] {
  return (newestFirst ? rows.toReversed() : rows).slice(0, limit);
}

/**
 * A work item with a session, a held lane, a linked pull request, a turn, deliveries and a story.
 */
export function fill(records: MemoryRecords): void {
  const item = itemOf("started", {
    sessions: [sessionOf({ asked: { text: "Which port?", at: noon } })],
    pullRequests: [linkOf()],
    collaborators: [{ login: "carol", id: "3", grantedBy: "alice", at: noon }],
    lanes: [laneOf(issueRef, { reason: "budget", until: null, detail: "12 turns" })],
  });
  records.states.set(ref, item);
  records.deliveries.push(
    deliveryAt(1, { decision: { verdict: "started", reason: "start-requested", workItem: ref } }),
    deliveryAt(2),
    deliveryAt(3, { ignored: "ping" }),
  );
  records.said.push(turnAt(1), turnAt(2));
  records.write({
    kind: "delivery.decided",
    delivery: "delivery-1",
    reason: "start-requested",
    fields: { verdict: "started", number: 1.5, yes: true, none: null },
  });
  records.write({ kind: "turn.done", delivery: "delivery-1" });
}

export function deliveryAt(seq: number, over: Partial<DeliveryEntry> = {}): DeliveryEntry {
  return {
    id: `delivery-${seq}`,
    seq,
    source: "webhook",
    event: "issue_comment",
    verified: true,
    receivedAt: noon + seq,
    digest: digestOf(null, String(seq)),
    decision: null,
    ignored: null,
    ...over,
  };
}

export function turnAt(id: number, over: Partial<Turn> = {}): Turn {
  const event = commentEvent("please water the garden");
  return {
    id,
    lane: ref,
    workItem: ref,
    mode: "resume",
    state: "done",
    inputs: [
      {
        seq: id,
        deliveryId: `delivery-${id}`,
        event,
        authority: "authorized",
        receivedAt: noon,
        steered: null,
      },
    ],
    attempt: { receipt: "r", kind: "first", harnessSessionId: "s", startedAt: noon, child: null },
    attempts: 1,
    notBefore: 0,
    next: "first",
    note: null,
    createdAt: noon,
    ...over,
  };
}
