import { expect, test } from "vitest";
import { bytesOf, deliveryOf, digestOf, noon } from "../../src/testing/build-delivery.ts";
import {
  activityEvent,
  ciEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  issueOf,
  labelEvent,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import { itemOf, linkOf, policyOf, sessionOf, stateOf } from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";

/**
 * What each builder gives when it is asked for nothing in particular, and the choices that lead to
 * others.
 */
const built = (): Readonly<Record<string, object>> => ({
  issueOf: issueOf(),
  "pullRequestOf, of another number": pullRequestOf({ number: 13 }),
  pullRequestOf: pullRequestOf(),
  commentEvent: commentEvent("loop start"),
  labelEvent: labelEvent(),
  "labelEvent, taken off": labelEvent({ change: "removed" }),
  activityEvent: activityEvent(),
  "activityEvent, of a pull request": activityEvent({ item: pullRequestOf() }),
  closedEvent: closedEvent(),
  "closedEvent, of a pull request": closedEvent({ item: pullRequestOf() }),
  ciEvent: ciEvent(),
  "ciEvent, not begun": ciEvent({ phase: "queued", conclusion: null }),
  "ciEvent, of no pull request": ciEvent({ pullRequests: [] }),
  "ciEvent, of a pull request whose head moved": ciEvent({ pullRequestHead: "b".repeat(40) }),
  controlEvent: controlEvent({ verb: "start", instance: null, login: null }),
  policyOf: policyOf(),
  stateOf: stateOf(),
  "itemOf idle": itemOf("idle"),
  "itemOf started": itemOf("started"),
  "itemOf paused": itemOf("paused"),
  "itemOf closed": itemOf("closed"),
  sessionOf: sessionOf(),
  linkOf: linkOf(),
});

test("the builders give an ordinary issue, pull request and event, which a reader of a test may take for granted", async () => {
  const shown = (value: unknown): string =>
    JSON.stringify(value, (_key, each: unknown) => (each instanceof Set ? [...each] : each));
  const lines = Object.entries(built()).flatMap(([name, value]) => [
    name,
    ...Object.entries(value).map(([key, each]) => `  ${key}: ${shown(each)}`),
  ]);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("builders.txt");
});

test("a delivery is good and only its id its own, unless said otherwise", () => {
  const body = bytesOf('{"id":"a"}');
  expect(deliveryOf("a")).toEqual({
    id: "a",
    source: "webhook",
    event: "issues",
    verified: true,
    receivedAt: noon,
    digest: digestOf(body, ""),
    ignored: null,
    body,
  });
  expect(deliveryOf("a", { body: null, event: "status", digest: "d" })).toEqual({
    id: "a",
    source: "webhook",
    event: "status",
    verified: true,
    receivedAt: noon,
    digest: "d",
    ignored: null,
    body: null,
  });
  expect(bytesOf("{}")).toEqual(Uint8Array.from([123, 125]));
});

test("a digest tells bodies apart by every byte and their number, and stands for the same body in every run", () => {
  const texts = ["", "a", "b", "ab", "ba", "aa", "aaa"];
  expect(new Set(texts.map((text) => digestOf(bytesOf(text), "salt"))).size).toBe(texts.length);
  expect(digestOf(null, "ab")).toBe(digestOf(bytesOf("ab"), "other"));
  expect(digestOf(bytesOf("ab"), "")).toBe(
    "d2739f1c1352b9635b4a13b68c3c9c85c9bb14404d14fc479291ed9ac5fedf69",
  );
  for (let byte = 0; byte < 256; byte += 1)
    expect(digestOf(Uint8Array.from([byte]), "")).toMatch(/^[0-9a-f]{64}$/);
});

test("an event that belongs to nothing leaves the state as it is", () => {
  const { state, when } = given({ target: null });
  const outcome = when(commentEvent("loop start"));
  expect(outcome.does).toEqual([]);
  expect(outcome.after).toBe(state.item);
});
