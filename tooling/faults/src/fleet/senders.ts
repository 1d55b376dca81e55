import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { formatRef, type RefText, type Store } from "@loopwork/core/ports";
import { openPostgresStore } from "@loopwork/store-postgres";
import { commented, type Signed, type Stage, token } from "../payloads.ts";
import { seen } from "./fleet.ts";
import { rowsOfLane } from "./transcript.ts";

export const stage: Stage = {
  owner: "practice",
  repo: "garden",
  hostUrl: "https://code.invalid",
  cloneUrl: "https://code.invalid/practice/garden.git",
  secret: "practice-secret",
};

/** Handles that accept beside each other, as receivers on several hosts do. */
export type Senders = { send(delivery: Signed): Promise<void>; close(): Promise<void> };

export async function openSenders(url: string, count: number): Promise<Senders> {
  const stores = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      openPostgresStore(url, { instance: `receiver-${n}`, now: Date.now }),
    ),
  );
  let next = 0;
  return {
    send: (delivery) => untilAccepted(delivery, () => stores[next++ % stores.length]),
    close: async () => void (await Promise.all(stores.map((store) => store.close()))),
  };
}

/**
 * Sends it again under the same id until it was accepted, as a host does that hears 503 or nothing.
 */
async function untilAccepted(
  { id, event, body }: Signed,
  pick: () => Store | undefined,
): Promise<void> {
  const bytes = new TextEncoder().encode(body);
  const digest = createHash("sha256").update(bytes).digest("hex");
  for (;;) {
    try {
      await pick()?.append({
        id,
        source: "webhook",
        event,
        verified: true,
        receivedAt: Date.now(),
        digest,
        body: bytes,
        ignored: null,
      });
      return;
    } catch {
      await sleep(50);
    }
  }
}

/** `comment` stands nowhere else. Addressed to an instance where one is named. */
export function start(item: number, comment: number, instance: string | null = null): Signed {
  return commented(
    stage,
    item,
    comment,
    instance === null ? "loop start" : `loop start instance:${instance}`,
    randomUUID(),
  );
}

/** The ref of an item, which is the lane of its words as well. */
export function refOfItem(number: number): RefText {
  return formatRef({ host: "code.invalid", owner: stage.owner, repo: stage.repo, number });
}

/**
 * How many lanes hear so many words at least, each of the instances as many of them; `dir` is where
 * they are heard.
 */
export type Words = {
  readonly lanes: number;
  readonly words: number;
  readonly instances: readonly string[];
  readonly dir: string;
};

/** All lanes together are sent one word in so many milliseconds. */
const pauseMs = 25;
/** A lane in which more words wait is sent none. */
const mostWaiting = 6;

/**
 * Sends a start and then words to each lane, one after the other: at least so many, and more as
 * long as `goesOn` says so, no faster than they are worked on. Resolves to the words of each lane
 * in their order, all acknowledged.
 */
export async function sendWords(
  senders: Senders,
  { lanes, words, instances, dir }: Words,
  goesOn: () => boolean,
  onSent: () => void,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const expected = new Map(
    Array.from({ length: lanes }, (_, n): [number, string[]] => [n + 1, []]),
  );
  await Promise.all(
    [...expected].map(async ([lane, tokens]) => {
      await senders.send(start(lane, lane * 1_000_000, instances[lane % instances.length]));
      for (let at = 1; at <= words || goesOn(); at += 1) {
        const text = token(lane, at);
        await senders.send(commented(stage, lane, lane * 1_000_000 + at, text, randomUUID()));
        tokens.push(text);
        onSent();
        await sleep(Math.random() * 2 * pauseMs * lanes);
        // A lane that somebody has to look at first is not waited for longer than that takes.
        await seen(
          () =>
            rowsOfLane(dir, refOfItem(lane)).filter(({ kind }) => kind === "ended").length >
            tokens.length - mostWaiting,
          30_000,
          100,
        );
      }
    }),
  );
  return expected;
}
