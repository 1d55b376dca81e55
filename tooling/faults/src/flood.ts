import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { post } from "./load.ts";
import { commented, mallory, type Stage } from "./payloads.ts";

/**
 * How deliveries at a steady rate fared. Times in milliseconds from the first attempt to the answer
 * that counted.
 */
export type FloodReport = {
  readonly attempts: number;
  readonly answeredAtOnce: number;
  /** The first attempt failed (refused, reset, 503), one retry within two seconds was answered. */
  readonly answeredOnRetry: number;
  /** It took longer, or more retries. */
  readonly answeredLater: number;
  readonly unanswered: number;
  readonly slowestMs: number;
  /** Ids of what was answered 202. */
  readonly accepted: readonly string[];
};

/**
 * `first`: where its numbers begin, so that two of them say different things. `onAnswer` hears how
 * long each answer took, in milliseconds.
 */
export type FloodOptions = { readonly first?: number; readonly onAnswer?: (ms: number) => void };

export type Flood = { stop(): Promise<FloodReport> };

/** A retry is made so long after a failure; the first must be answered by then. */
const retryAfterMs = 500;
const answeredWithinMs = 2_000;
const mostTries = 40;
const items = 200;

/**
 * Sends deliveries at a steady rate, whether or not the ones before were answered, as many hosts do
 * at once: comments of a stranger on many items, which are stored and decided and cost nothing
 * more.
 */
export function startFlood(
  stage: Stage,
  url: string,
  perSecond: number,
  { first = 0, onAnswer = () => {} }: FloodOptions = {},
): Flood {
  const under = new Set<Promise<void>>();
  const accepted: string[] = [];
  const counted = {
    attempts: 0,
    answeredAtOnce: 0,
    answeredOnRetry: 0,
    answeredLater: 0,
    unanswered: 0,
    slowestMs: 0,
  };
  let running = true;

  async function send(): Promise<void> {
    const number = first + ++counted.attempts;
    const delivery = commented(
      stage,
      10_000 + (number % items),
      9_999_000_000 + number,
      `stranger ${number}`,
      randomUUID(),
      mallory,
    );
    const began = performance.now();
    let tries = 0;
    let answered = false;
    while (!answered && tries < mostTries) {
      if (tries++ > 0) await sleep(retryAfterMs);
      answered = await post(url, delivery).then(
        (status) => status === 202,
        () => false,
      );
    }
    const took = performance.now() - began;
    counted.slowestMs = Math.max(counted.slowestMs, Math.round(took));
    if (answered) {
      accepted.push(delivery.id);
      onAnswer(took);
    }
    if (!answered) counted.unanswered++;
    else if (tries === 1) counted.answeredAtOnce++;
    else if (tries === 2 && took <= answeredWithinMs) counted.answeredOnRetry++;
    else counted.answeredLater++;
  }

  async function flow(): Promise<void> {
    const began = performance.now();
    for (let sent = 0; running; await sleep(5)) {
      for (const due = ((performance.now() - began) / 1000) * perSecond; sent < due; sent++) {
        const sending: Promise<void> = send().finally(() => under.delete(sending));
        under.add(sending);
      }
    }
  }

  const flowing = flow();
  return {
    async stop() {
      running = false;
      await flowing;
      await Promise.all(under);
      return { ...counted, accepted };
    },
  };
}
