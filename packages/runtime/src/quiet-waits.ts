import {
  type InboundEvent,
  type Policy,
  questionsOf,
  quietUntil,
  resolve,
  turnedAway,
  understand,
} from "@loopwork/core";
import { formatRef, type RefText, type Store, type StoredDelivery } from "@loopwork/core/ports";
import { familiarityOf, recordedAnswers } from "./resolution-answers.ts";

/**
 * A delivery that is not decided yet, as a running agent may have written it, or one before it;
 * `until` in milliseconds since 1970.
 */
export type QuietWait = {
  readonly delivery: StoredDelivery;
  readonly workItem: RefText;
  readonly until: number;
  /** The work item of a turn that runs. */ readonly running: RefText;
  /** The comment that it waits behind; null for the comment itself. */ readonly behind:
    | string
    | null;
};

/** Deliveries that are looked at; more than these wait for something else. */
const most = 200;

/**
 * What waits out the quiet time now, in the order of deciding. For telling people: read from the
 * store alone. Whose token the service has is not asked, so the comments of all who may steer count
 * as waiting, and `until` is the latest moment.
 */
export async function quietWaits(
  store: Store,
  policy: Policy,
  quietSeconds: number,
  now: number,
): Promise<readonly QuietWait[]> {
  const running = (await store.lanes.turns({ states: ["injecting"], limit: 1 }))[0]?.workItem;
  if (running === undefined) return [];
  const first = new Map<RefText, { readonly until: number; readonly id: string }>();
  const found: QuietWait[] = [];
  for (const delivery of await store.log.undecided(most)) {
    const event = await eventOf(delivery, store, policy);
    const workItem = event === null ? null : await placeOf(event, store, policy);
    if (event === null || workItem === null) continue;
    const before = first.get(workItem);
    const until =
      before?.until ??
      quietUntil(
        event,
        { receivedAt: delivery.receivedAt, running: true, own: null },
        policy,
        quietSeconds,
      );
    if (until === null || until <= now || delivery.receivedAt > now) continue;
    if (before === undefined) first.set(workItem, { until, id: delivery.id });
    found.push({ delivery, workItem, until, running, behind: before?.id ?? null });
  }
  return found;
}

async function eventOf(
  delivery: StoredDelivery,
  store: Store,
  policy: Policy,
): Promise<InboundEvent | null> {
  const bytes = await store.log.body(delivery.seq);
  if (bytes === null) return null;
  const understood = understand(delivery, new TextDecoder().decode(bytes), policy);
  return understood.ok && turnedAway(understood.event, policy) === null ? understood.event : null;
}

async function placeOf(event: InboundEvent, store: Store, policy: Policy): Promise<RefText | null> {
  const questions = questionsOf(event, policy, await familiarityOf(event, store.items));
  const target = resolve(event, await recordedAnswers(questions, store.items), policy, questions);
  return target === null ? null : formatRef(target.workItem);
}
