import { closeSync, openSync, readSync } from "node:fs";
import { type Acceptance, type NewDelivery, replayWindowMs } from "@loopwork/core/ports";
import { createKnownNames, type KnownNames, type Place } from "./name-index.ts";
import { decode, type Entry, frameBytes, longestHead } from "./record.ts";
import type { Moved } from "./retire.ts";
import { segmentPath } from "./segment.ts";

type Seen = Pick<Entry, "id" | "event" | "digest" | "verified" | "receivedAt">;
type Duplicate = Extract<Acceptance, { readonly kind: "duplicate" }>;
/** A delivery that is being committed. */
type Waiting = { readonly delivery: NewDelivery; readonly done: Promise<unknown> };

/** Tells whether a delivery is known: by its id for good, by its body for 7 days. */
export type Dedupe = {
  /**
   * What a delivery repeats; null when it is new. For one that is being committed: resolves when
   * that one is durable, rejects when it fails.
   */
  find(delivery: NewDelivery): Duplicate | Promise<Duplicate> | null;
  /** A delivery is being committed until `done` settles. */
  begin(delivery: NewDelivery, done: Promise<unknown>): void;
  /** A record is durable at a place. */
  remember(seen: Seen, segment: number, offset: number): void;
  moved(segment: number, records: readonly Moved[]): void;
};

export function createDedupe(directory: string): Dedupe {
  const ids = createKnownNames();
  const bodies = createRecentNames();
  const waitingIds = new Map<string, Waiting>();
  const waitingBodies = new Map<string, Waiting>();

  function find(delivery: NewDelivery): Duplicate | Promise<Duplicate> | null {
    const waiting = waitingIds.get(delivery.id);
    if (waiting !== undefined) return waiting.done.then(() => duplicateOf("id", delivery.id));
    const isKnown = ids.find(delivery.id, (place) =>
      readSeen(directory, place)?.id === delivery.id ? true : null,
    );
    if (isKnown !== null) return duplicateOf("id", delivery.id);
    return countsByBody(delivery) ? findReplayed(delivery) : null;
  }

  function findReplayed(delivery: NewDelivery): Duplicate | Promise<Duplicate> | null {
    const name = bodyName(delivery);
    const waiting = waitingBodies.get(name);
    if (waiting !== undefined)
      return waiting.done.then(() => duplicateOf("replay", waiting.delivery.id));
    return bodies.find(name, (place) => {
      const earlier = readSeen(directory, place);
      return earlier !== null && isReplay(delivery, earlier)
        ? duplicateOf("replay", earlier.id)
        : null;
    });
  }

  return {
    find,
    begin: (delivery, done) => {
      const waiting = { delivery, done };
      waitingIds.set(delivery.id, waiting);
      const name = countsByBody(delivery) ? bodyName(delivery) : null;
      if (name !== null) waitingBodies.set(name, waiting);
      const forget = (): void => {
        waitingIds.delete(delivery.id);
        if (name !== null && waitingBodies.get(name) === waiting) waitingBodies.delete(name);
      };
      done.then(forget, forget);
    },
    remember: (seen, segment, offset) => {
      ids.add(seen.id, segment, offset);
      if (seen.verified) bodies.add(bodyName(seen), segment, offset, seen.receivedAt);
    },
    moved: (segment, records) => {
      for (const { id, event, digest, from, to } of records) {
        ids.move(id, { segment, offset: from }, { segment, offset: to });
        bodies.move(
          bodyName({ event, digest }),
          { segment, offset: from },
          { segment, offset: to },
        );
      }
    },
  };
}

/**
 * Names of at least the last 7 days in two tables: the older one is let go when the newer one is 7
 * days old.
 */
function createRecentNames(): {
  add(name: string, segment: number, offset: number, time: number): void;
} & Pick<KnownNames, "find" | "move"> {
  let newer = createKnownNames();
  let older = createKnownNames();
  let since: number | null = null;
  return {
    add: (name, segment, offset, time) => {
      since ??= time;
      if (time - since > replayWindowMs) {
        older = newer;
        newer = createKnownNames();
        since = time;
      }
      newer.add(name, segment, offset);
    },
    find: (name, confirm) => newer.find(name, confirm) ?? older.find(name, confirm),
    move: (name, from, to) => {
      newer.move(name, from, to);
      older.move(name, from, to);
    },
  };
}

function countsByBody(delivery: NewDelivery): boolean {
  return delivery.verified && delivery.allowReplay !== true;
}

function isReplay(delivery: NewDelivery, earlier: Seen): boolean {
  return (
    earlier.verified &&
    earlier.event === delivery.event &&
    earlier.digest === delivery.digest &&
    delivery.receivedAt - earlier.receivedAt <= replayWindowMs
  );
}

function bodyName({ event, digest }: Pick<Seen, "event" | "digest">): string {
  return `${event}:${digest}`;
}

function duplicateOf(why: Duplicate["why"], of: string): Duplicate {
  return { kind: "duplicate", why, of };
}

/**
 * Reads who a record is, without its body. Only called when a hash matches, which nearly always
 * means a repeated delivery.
 */
function readSeen(directory: string, { segment, offset }: Place): Seen | null {
  const descriptor = openSync(segmentPath(directory, segment), "r");
  try {
    const head = Buffer.allocUnsafe(longestHead);
    const length = readSync(descriptor, head, 0, longestHead, offset);
    return length > frameBytes ? decode(head.subarray(frameBytes, length)) : null;
  } finally {
    closeSync(descriptor);
  }
}
