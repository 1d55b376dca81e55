import { describe, expect, it } from "vitest";
import { isRepetition, keyOfNth, maybeAgain } from "../../src/decide/repetition.ts";
import {
  activityEvent,
  commentEvent,
  issueOf,
  labelEvent,
  pullRequestOf,
} from "../../src/testing/build-event.ts";

const noon = "2026-03-01T12:00:00Z";
const soon = "2026-03-01T12:00:07Z";
const later = "2026-03-01T12:30:00Z";
const listed = { deliveryId: "poll-1" } as const;

const push = (at: string | null, over = {}): ReturnType<typeof activityEvent> =>
  activityEvent({ action: "synchronize", item: pullRequestOf(), at, ...over });

describe("two events of one key", () => {
  it("two webhooks are one happening only at the same time", () => {
    expect(isRepetition(push(noon), push(noon))).toBe(true);
    expect(isRepetition(push(soon), push(noon))).toBe(false);
    expect(isRepetition(push(later), push(noon))).toBe(false);
  });

  it("a webhook and a list are where their times are near, whichever comes first", () => {
    expect(isRepetition(push(soon, listed), push(noon))).toBe(true);
    expect(isRepetition(push(noon), push(soon, listed))).toBe(true);
    expect(isRepetition(push(later, listed), push(noon))).toBe(false);
    // What the gap audit brings is a webhook, whoever brought it.
    expect(isRepetition(push(soon, { source: "poll" }), push(noon))).toBe(false);
    // Two minutes are near, and no more is (ADR 0008).
    expect(isRepetition(push("2026-03-01T12:02:00Z", listed), push(noon))).toBe(true);
    expect(isRepetition(push("2026-03-01T12:02:01Z", listed), push(noon))).toBe(false);
  });

  it("without a time only the same delivery is", () => {
    expect(isRepetition(push(null, { deliveryId: "a" }), push(noon, { deliveryId: "a" }))).toBe(
      true,
    );
    expect(isRepetition(push(noon, { deliveryId: "a" }), push(null, { deliveryId: "a" }))).toBe(
      true,
    );
    expect(isRepetition(push(noon, { deliveryId: "a" }), push(null, { deliveryId: "b" }))).toBe(
      false,
    );
    expect(isRepetition(push(null, { deliveryId: "a" }), push(null, { deliveryId: "b" }))).toBe(
      false,
    );
  });

  it("two webhooks of one push are one, also where the title was changed between them", () => {
    expect(isRepetition(push(noon, { item: pullRequestOf({ title: "New" }) }), push(noon))).toBe(
      true,
    );
  });

  it("two edits within one second are two where they leave another text", () => {
    const edit = (body: string, over = {}): ReturnType<typeof activityEvent> =>
      activityEvent({ action: "edited", item: issueOf({ body }), at: noon, ...over });
    expect(isRepetition(edit("one"), edit("one"))).toBe(true);
    expect(isRepetition(edit("two"), edit("one"))).toBe(false);
    // A list shows the text as it is now, perhaps after a later edit.
    expect(isRepetition(edit("two", listed), edit("one"))).toBe(true);
    const said = (text: string): ReturnType<typeof commentEvent> =>
      commentEvent(text, { action: "edited", change: "edited" });
    expect(isRepetition(said("one"), said("one"))).toBe(true);
    expect(isRepetition(said("two"), said("one"))).toBe(false);
  });
});

describe("which events are compared", () => {
  it("those whose key has no time, and edits of comments", () => {
    for (const action of [
      "synchronize",
      "reopened",
      "edited",
      "ready_for_review",
      "converted_to_draft",
      "review_requested",
    ])
      expect(maybeAgain(activityEvent({ action }))).toBe(true);
    expect(maybeAgain(commentEvent("a", { action: "edited", change: "edited" }))).toBe(true);
    for (const event of [
      activityEvent({ action: "opened" }),
      activityEvent({ action: "pinned" }),
      commentEvent("a"),
      labelEvent(),
    ])
      expect(maybeAgain(event)).toBe(false);
  });

  it("each has a key of its own, and of very many the time is part of it", () => {
    const event = { key: "k", at: noon, deliveryId: "d" };
    expect([1, 2, 99, 100, 101].map((n) => keyOfNth(event, n))).toEqual([
      "k",
      "k#2",
      "k#99",
      `k@${noon}`,
      `k@${noon}`,
    ]);
    expect(keyOfNth({ ...event, at: null }, 100)).toBe("k@d");
  });
});
