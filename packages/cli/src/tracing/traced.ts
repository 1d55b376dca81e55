import type { Lanes, Store, TakenLane, Turn } from "@loopwork/core/ports";
import type { RuntimeParts } from "@loopwork/runtime";
import { placeBelow, placeOfDelivery, type Span } from "./span.ts";

/** Takes what ended. Never waits, never throws. */
export type TakeSpan = (span: Span) => void;

/**
 * The same parts, with one trace for each delivery that goes through the store:
 *
 *     deliver ─┬─ decide
 *              ├─ wait     from the turn's being queued to its attempt
 *              └─ turn     the attempt, to what became of it; further deliveries of the turn are linked
 */
export function traced(parts: RuntimeParts, take: TakeSpan): RuntimeParts {
  const instance = (): string => parts.settings().policy.instance.name;
  const { store } = parts;
  return {
    ...parts,
    store: {
      ...store,
      append: tracedAppend(parts, instance, take),
      log: { ...store.log, decide: tracedDecide(parts, instance, take) },
      lanes: tracedLanes(parts, instance, take),
    },
  };
}

function tracedAppend(
  { store, clock }: RuntimeParts,
  instance: () => string,
  take: TakeSpan,
): Store["append"] {
  return async (delivery) => {
    const start = clock.now();
    const acceptance = await store.append(delivery);
    if (acceptance.kind === "accepted")
      take({
        ...placeOfDelivery(instance(), delivery.id),
        parentId: null,
        name: `deliver ${delivery.event}`,
        kind: "consumer",
        start,
        end: clock.now(),
        failed: false,
        attributes: {
          "loop.delivery": delivery.id,
          "loop.source": delivery.source,
          "loop.event": delivery.event,
        },
        links: [],
      });
    return acceptance;
  };
}

function tracedDecide(
  { store, clock }: RuntimeParts,
  instance: () => string,
  take: TakeSpan,
): Store["log"]["decide"] {
  return async (seq, workItem, step, left) => {
    const start = clock.now();
    const decided = await store.log.decide(seq, workItem, step, left);
    const delivery =
      decided?.lines.find(({ kind }) => kind === "delivery.decided")?.delivery ?? null;
    if (decided === null || delivery === null) return decided;
    const root = placeOfDelivery(instance(), delivery);
    const { verdict, reason } = decided.decision;
    take({
      ...placeBelow(root, "decide"),
      parentId: root.spanId,
      name: "decide",
      kind: "internal",
      start,
      end: clock.now(),
      failed: false,
      attributes: {
        "loop.verdict": verdict.kind,
        "loop.reason": reason,
        ...(workItem === null ? {} : { "loop.work_item": workItem }),
      },
      links: [],
    });
    return decided;
  };
}

function tracedLanes(
  { store: { lanes }, clock }: RuntimeParts,
  instance: () => string,
  take: TakeSpan,
): Lanes {
  /** Turns that this process has in hand, and when their attempt began. */
  const inHand = new Map<number, { readonly turn: Turn; readonly begun: number | null }>();
  const note = ({ turn }: TakenLane): void =>
    void inHand.set(turn.id, { turn, begun: turn.attempt?.startedAt ?? null });
  return {
    ...lanes,
    async take(request) {
      const taken = await lanes.take(request);
      if (taken !== null) note({ ...taken, turn: { ...taken.turn, attempt: null } });
      return taken;
    },
    async orphans(request) {
      const taken = await lanes.orphans(request);
      for (const each of taken) note(each);
      return taken;
    },
    async begin(lease, id, attempt, lines) {
      const begun = await lanes.begin(lease, id, attempt, lines);
      const turn = inHand.get(id)?.turn;
      if (begun && turn !== undefined && inHand.get(id)?.begun === null) {
        inHand.set(id, { turn, begun: attempt.startedAt });
        for (const span of waitSpan(turn, attempt.startedAt, instance())) take(span);
      }
      return begun;
    },
    async settle(lease, id, settled) {
      const done = await lanes.settle(lease, id, settled);
      const held = inHand.get(id);
      inHand.delete(id);
      if (done && held?.begun !== null && held !== undefined)
        for (const span of turnSpan(held.turn, held.begun, clock.now(), settled.state, instance()))
          take(span);
      return done;
    },
  };
}

function waitSpan(turn: Turn, end: number, instance: string): readonly Span[] {
  const first = turn.inputs[0];
  if (first === undefined) return [];
  const root = placeOfDelivery(instance, first.deliveryId);
  return [
    {
      ...placeBelow(root, `wait ${turn.id} ${turn.attempts}`),
      parentId: root.spanId,
      name: "wait",
      kind: "internal",
      start: Math.min(turn.createdAt, end),
      end,
      failed: false,
      attributes: attributesOf(turn),
      links: [],
    },
  ];
}

function turnSpan(
  turn: Turn,
  start: number,
  end: number,
  state: string,
  instance: string,
): readonly Span[] {
  const [first, ...more] = turn.inputs.map(({ deliveryId }) =>
    placeOfDelivery(instance, deliveryId),
  );
  if (first === undefined) return [];
  return [
    {
      ...placeBelow(first, `turn ${turn.id} ${start}`),
      parentId: first.spanId,
      name: "turn",
      kind: "internal",
      start: Math.min(start, end),
      end,
      failed: state === "failed" || state === "uncertain",
      attributes: { ...attributesOf(turn), "loop.state": state },
      links: more,
    },
  ];
}

function attributesOf({ id, workItem, lane, mode }: Turn): Span["attributes"] {
  return { "loop.turn": id, "loop.work_item": workItem, "loop.lane": lane, "loop.mode": mode };
}
