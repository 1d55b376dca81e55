import { expect, test } from "vitest";
import type { Acceptance } from "../../src/ports/inbox.ts";
import { digestOf } from "../../src/testing/build-delivery.ts";
import { inboxContract, type StoredForTest } from "../../src/testing/inbox-contract.ts";
import { type Spoilt, spoiltInbox } from "./spoilt-inbox.ts";

const accepted = (seq: number): Acceptance => ({ kind: "accepted", seq });
const replayOf = (of: string): Acceptance => ({ kind: "duplicate", why: "replay", of });
const known = (of: string): Acceptance => ({ kind: "duplicate", why: "id", of });

/** An inbox that is right but for one answer. */
const at = (nth: number, instead: Acceptance): Spoilt => ({
  answers: (answer, call) => (call === nth ? instead : answer),
});
/** An inbox that shows something else, once or each time. */
const shows = (
  change: (stored: readonly StoredForTest[]) => readonly StoredForTest[],
  nth?: number,
): Spoilt => ({
  shows: (stored, call) => (nth === undefined || call === nth ? change(stored) : stored),
});
const each = (change: Partial<StoredForTest>): Spoilt =>
  shows((stored) => stored.map((one) => ({ ...one, ...change })));
const twice = shows((stored) => [...stored, ...stored]);

const shown = (value: unknown): string =>
  JSON.stringify(value, Object.keys(Object(value)).toSorted());
const aDuplicate = shown(known("x"));

/** Each check of each row, with an inbox that is wrong just there, and what the row says of it. */
const checks: readonly (readonly [row: string, says: string, Spoilt])[] = [
  [
    "I01",
    `answer: expected accepted with a seq of 1 or more, got ${aDuplicate}`,
    at(1, known("x")),
  ],
  [
    "I01",
    'answer: expected accepted with a seq of 1 or more, got {"kind":"accepted","seq":0}',
    at(1, accepted(0)),
  ],
  [
    "I01",
    'answer: expected accepted with a seq of 1 or more, got {"kind":"accepted","seq":1.5}',
    at(1, accepted(1.5)),
  ],
  ["I01", "number of deliveries: expected 1, got 2", twice],
  ["I01", "delivery 0, seq: expected 1, got 2", each({ seq: 2 })],
  ["I01", "delivery 0, id: expected a-1, got b", each({ id: "b" })],
  ["I01", "delivery 0, source: expected webhook, got poll", each({ source: "poll" })],
  ["I01", "delivery 0, event: expected issues, got status", each({ event: "status" })],
  ["I01", "delivery 0, verified: expected true, got false", each({ verified: false })],
  ["I01", "delivery 0, receivedAt: expected 1750000000007, got 1", each({ receivedAt: 1 })],
  [
    "I01",
    `delivery 0, digest: expected ${digestOf(null, '{"id":"a-1"}')}, got d`,
    each({ digest: "d" }),
  ],
  ["I01", "delivery 0, ignored: expected null, got ping", each({ ignored: "ping" })],
  ["I01", "delivery 0, body: expected 12 bytes, all equal, got no bytes", each({ body: null })],
  [
    "I01",
    "delivery 0, body: expected 12 bytes, all equal, got 12 bytes",
    each({ body: new Uint8Array(12) }),
  ],
  ["I02", `answer: expected accepted, got ${aDuplicate}`, at(1, known("x"))],
  ["I02", `same delivery: expected ${shown(known("a-1"))}, got ${aDuplicate}`, at(2, known("x"))],
  [
    "I02",
    `other body: expected ${shown(known("a-1"))}, got ${shown(accepted(2))}`,
    at(3, accepted(2)),
  ],
  ["I02", "number of deliveries: expected 1, got 2", twice],
  ["I03", "twice: accepted: expected 1, got 2", at(2, accepted(2))],
  [
    "I03",
    `twice: another answer: expected ${shown(known("twice"))}, got ${shown(replayOf("twice"))}`,
    at(2, replayOf("twice")),
  ],
  [
    "I03",
    `often: another answer: expected ${shown(known("often"))}, got ${aDuplicate}`,
    at(102, known("x")),
  ],
  ["I03", 'stored: expected ["twice","often"], got ["twice","often","twice","often"]', twice],
  [
    "I04",
    `second id: expected ${shown(replayOf("first"))}, got ${shown(accepted(2))}`,
    at(2, accepted(2)),
  ],
  [
    "I04",
    `third id: expected ${shown(replayOf("first"))}, got ${shown(replayOf("second"))}`,
    at(3, replayOf("second")),
  ],
  ["I04", 'stored: expected ["first"], got ["first","first"]', twice],
  ["I05", "accepted: expected 1, got 2", at(20, accepted(2))],
  ["I05", "stored: expected 1, got 2", twice],
  ["I06", "just inside: expected duplicate, got accepted", at(2, accepted(2))],
  ["I06", "outside: expected accepted, got duplicate", at(3, replayOf("old"))],
  [
    "I06",
    `inside of the later one: expected ${shown(replayOf("outside"))}, got ${shown(replayOf("old"))}`,
    at(4, replayOf("old")),
  ],
  ["I07", "answer: expected accepted, got duplicate", at(2, replayOf("one"))],
  ["I08", "u-1: expected accepted, got duplicate", at(1, known("x"))],
  ["I08", "u-3: expected accepted, got duplicate", at(4, replayOf("v-1"))],
  ["I09", "answer: expected accepted, got duplicate", at(2, replayOf("one"))],
  ["I09", "same id: expected duplicate, got accepted", at(3, accepted(3))],
  ["I10", "s-1: expected a seq over 0, got 0", at(1, accepted(0))],
  ["I10", "s-2: expected a seq over 1, got 1", at(2, accepted(1))],
  ["I10", "s-3: expected a seq over 2, got 1", at(3, accepted(1))],
  ["I11", `answer: expected accepted, got ${aDuplicate}`, at(9, known("x"))],
  ["I11", "seqs: expected 500, got 499", at(9, accepted(8))],
  ["I11", "stored: expected 500, got 499", shows((stored) => stored.slice(1))],
  ["I11", "in order: expected true, got false", shows((stored) => stored.toReversed())],
  ["I11", "in order: expected true, got false", each({ seq: 7 })],
  ["I13", "number of deliveries: expected 3, got 6", twice],
  ["I13", "again: expected duplicate, got accepted", at(4, accepted(4))],
  ["I13", "delivery 0, ignored: expected event-not-listed, got null", each({ ignored: null })],
  [
    "I13",
    "delivery 0, body: expected no bytes, all equal, got 0 bytes",
    each({ body: new Uint8Array() }),
  ],
  ["I14", "constructor: expected accepted, got duplicate", at(1, known("x"))],
  ["I14", "A: expected accepted, got duplicate", at(5, known("a"))],
  ["I15", "delivery 0, source: expected webhook, got api", each({ source: "api" })],
  ["I15", "delivery 1, verified: expected false, got true", each({ verified: true })],
  ["I16", "the subject cannot be opened again", { reopens: "not" }],
  ["I16", "number of deliveries: expected 2, got 1", shows((stored) => stored.slice(1), 2)],
  [
    "I16",
    `same id: expected ${shown(known("kept"))}, got ${shown(accepted(3))}`,
    at(3, accepted(3)),
  ],
  ["I16", "ignored id: expected duplicate, got accepted", at(4, accepted(3))],
  [
    "I16",
    `same body: expected ${shown(replayOf("kept"))}, got ${shown(accepted(3))}`,
    at(5, accepted(3)),
  ],
  ["I16", `answer: expected accepted, got ${aDuplicate}`, at(6, known("x"))],
  ["I16", "seq after opening again: expected over 1, got 1", at(6, accepted(1))],
  ["I16", `answer: expected accepted, got ${aDuplicate}`, at(1, known("x"))],
  ["I17", "the subject cannot be opened again", { reopens: "not" }],
  ["I17", "after opening 1: expected 20, got 0", { reopens: "forgets" }],
  ["I17", "after opening 3: expected 60, got 59", shows((stored) => stored.slice(1), 3)],
];

test.each(checks)("%s: %s", async (id, says, spoilt) => {
  const row = inboxContract.find((one) => one.id === id);
  await expect(row?.run(spoiltInbox(spoilt))).rejects.toThrow(new Error(says));
});
