import { emptyItemState, type InboundEvent, type ItemState, LoopError, type Policy, questionsOf, resolve, settle, settleRejected, type State, type StoredDelivery, formatRef, turnedAway, understand } from "@loopwork/core";
import { readAnswers } from "./answers.ts";
import { eventLine } from "./event-line.ts";
import { ownDoing } from "./own-doing.ts";
import type { RuntimeParts } from "./parts.ts";

export type Ingest = {
  /** Decides what is stored and undecided, in order; resolves to how many deliveries were decided. */
  drain(): Promise<number>;
};

const atOnce = 200;

/** An error that is not plainly a bug may pass; after so many failures of the same delivery in a row it does not. */
const mostFailures = 3;

/** Reads every fact of a delivery, makes one pure call, applies its result in one transaction. */
export function createIngest(parts: RuntimeParts): Ingest {
  let failing = { seq: 0, times: 0 };

  /** A delivery on which our own code fails is set aside loudly, so that it never blocks the ones behind it. */
  async function decideOrSetAside(delivery: StoredDelivery): Promise<void> {
    try {
      await decideDelivery(delivery, parts);
    } catch (error) {
      failing = { seq: delivery.seq, times: failing.seq === delivery.seq ? failing.times + 1 : 1 };
      if (!(isBug(error) || (isOurs(error) && failing.times >= mostFailures))) throw error;
      await setAside(delivery, error, parts);
    }
  }

  return {
    async drain() {
      const undecided = await parts.store.log.undecided(atOnce);
      for (const delivery of undecided) await decideOrSetAside(delivery);
      return undecided.length;
    },
  };
}

async function setAside(delivery: StoredDelivery, error: Error, parts: RuntimeParts): Promise<void> {
  parts.log("error", `deciding ${delivery.id} failed, it is set aside: ${error.stack ?? error.message}`);
  await parts.store.log.decide(delivery.seq, null, () => settleRejected(delivery, "shape", parts.settings().policy, parts.clock.now()));
}

/** A body that was accepted and cannot be read any more is damage to the disk: it is told as loudly as can be, and what is behind it goes on. */
async function setAsideUnreadable(delivery: StoredDelivery, parts: RuntimeParts): Promise<void> {
  const detail = `the body of delivery ${delivery.id} was accepted and cannot be read any more; let the host send it again under a new id`;
  parts.log("error", detail);
  const line = eventLine(parts, "daemon.warning", { level: "error", delivery: delivery.id, reason: "body-unreadable", fields: { detail } });
  await parts.store.log.decide(delivery.seq, null, () => {
    const decided = settleRejected(delivery, "not-json", parts.settings().policy, parts.clock.now());
    return { ...decided, lines: [...decided.lines, line] };
  });
}

function isBug(error: unknown): error is TypeError | RangeError {
  return error instanceof TypeError || error instanceof RangeError;
}

/**
 * What the store, the inbox, the code host, SQLite and the file system throw carries a code: the event is as good as it
 * was and waits until they work again. A plain error comes of our own code and this very delivery.
 */
function isOurs(error: unknown): error is Error {
  return error instanceof Error && !("code" in error) && !("errcode" in error);
}

async function decideDelivery(delivery: StoredDelivery, parts: RuntimeParts): Promise<void> {
  const { policy } = parts.settings();
  const bytes = await parts.store.log.body(delivery.seq);
  if (bytes === null) return setAsideUnreadable(delivery, parts);
  const text = decodeText(bytes);
  const understood = text === null ? ({ ok: false, why: "not-json" } as const) : understand(delivery, text, policy);
  if (!understood.ok) return void (await parts.store.log.decide(delivery.seq, null, () => settleRejected(delivery, understood.why, policy, parts.clock.now())));
  const facts = await readFacts(understood.event, policy, parts);
  try {
    await apply(delivery, understood.event, facts, policy, parts);
  } catch (error) {
    if (!isSeenBefore(error)) throw error;
    // Another delivery of the same happening was decided between our reading and our writing: it is a fact now.
    await apply(delivery, understood.event, { ...facts, seenAs: await parts.store.log.seenAs(understood.event.key) }, policy, parts);
  }
}

/** All that deciding needs beside the work item's state, which is read inside of the transaction. */
type Facts = Omit<State, "item" | "now">;

async function readFacts(event: InboundEvent, policy: Policy, parts: RuntimeParts): Promise<Facts> {
  const nothing: Facts = { target: null, own: "no", pinnedActorId: null, seenAs: null, ownedBy: null };
  if (turnedAway(event, policy) !== null) return nothing;
  const seenAs = await parts.store.log.seenAs(event.key);
  const questions = questionsOf(event, policy);
  const target = resolve(event, await readAnswers(questions, event.repository, policy, parts), policy, questions);
  const pinnedActorId = event.actor === null ? null : await parts.store.items.pinnedActor(event.actor.login);
  return { target, own: await ownDoing(event, target, policy, parts), pinnedActorId, seenAs, ownedBy: null };
}

async function apply(delivery: StoredDelivery, event: InboundEvent, facts: Facts, policy: Policy, parts: RuntimeParts): Promise<void> {
  const ref = facts.target === null ? null : formatRef(facts.target.workItem);
  await parts.store.log.decide(delivery.seq, ref, (item: ItemState) => settle(event, { ...facts, item: ref === null ? emptyItemState : item, now: parts.clock.now() }, policy));
}

/** Bytes that are no UTF-8 are no JSON either (R10). */
function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isSeenBefore(error: unknown): boolean {
  return error instanceof LoopError && error.code === "LOOP_E_STORE_SEEN_BEFORE";
}

