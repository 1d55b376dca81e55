import { describe, expect, it } from "vitest";
import type { InboundEvent, Item } from "../../src/event/event.ts";
import { excerptOf } from "../../src/turn/excerpt.ts";
import { noAuthors } from "../../src/turn/authored-text.ts";
import {
  activityEvent,
  alice,
  commentEvent,
  issueOf,
  labelEvent,
  mallory,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import { itemOf, linkOf, sessionOf, targetOf } from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";

const listed: NonNullable<Item["listed"]> = { at: "2026-03-01T12:00:30Z", since: "new" };
const theirs = { what: "description", by: mallory, at: "2026-03-01T12:00:20Z" } as const;
const atWork = itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] });

/** What the session is shown of the turn that follows. */
function shown(
  event: InboundEvent,
  state: Parameters<typeof given>[0],
  policy: Parameters<typeof given>[1] = {},
): { readonly words: unknown; readonly note: unknown } {
  const effect = given(state, policy)
    .when(event)
    .decision.effects.find((each) => each.kind === "turn");
  if (effect === undefined) throw new Error("no turn");
  const input = {
    seq: 1,
    deliveryId: "d",
    event: effect.event,
    authority: effect.authority,
    receivedAt: 0,
    steered: null,
  };
  const { words, item } = JSON.parse(
    JSON.stringify(excerptOf(input, effect.mode === "spawn" ? "started" : "told", noAuthors)),
  ) as { words: readonly { field: string; text: string }[]; item: { note?: string } };
  return { words: words.map(({ field, text }) => `${field}: ${text}`), note: item.note };
}

describe("what a session is told", () => {
  it("of a start is the issue and what stands beside the keyword", () => {
    expect(
      shown(commentEvent("loop start instance:default please mind the tests"), {
        item: itemOf("idle"),
      }).words,
    ).toEqual([
      "title: Cart forgets its items",
      "body: It does.",
      "comment: please mind the tests",
    ]);
    expect(shown(commentEvent("loop start"), { item: itemOf("idle") }).words).toEqual([
      "title: Cart forgets its items",
      "body: It does.",
    ]);
  });

  it("of a comment with an address is the comment without it", () => {
    expect(shown(commentEvent("instance:default fix the header"), { item: atWork }).words).toEqual([
      "comment: fix the header",
    ]);
  });

  it.each([
    ["a comment", commentEvent("loop start", { item: issueOf({ listed }) }), {}],
    ["a label", labelEvent({ item: issueOf({ listed }) }), { requireStartCommand: false }],
    ["a new issue", activityEvent({ item: issueOf({ listed }) }), { requireStartCommand: false }],
  ])(
    "of a text that nobody can date is when it was read, where %s starts the work",
    (_what, event, policy) => {
      expect(shown(event, { item: itemOf("idle"), edits: "unknown" }, policy).note).toBe(
        `text as of ${listed.at}`,
      );
      expect(shown(event, { item: itemOf("idle"), edits: [] }, policy).note).toBeUndefined();
    },
  );

  it("of a webhook that shows the issue as it was changed later is when that was", () => {
    expect(
      shown(commentEvent("loop start", { item: issueOf({ updatedAt: "2026-03-01T12:00:20Z" }) }), {
        item: itemOf("idle"),
        edits: "unknown",
      }).note,
    ).toBe("text as of 2026-03-01T12:00:20Z");
  });

  it("of a pull request that somebody opened is nothing that a stranger has made of its text since", () => {
    const opened = activityEvent({ item: pullRequestOf({ author: alice, listed }) });
    const state = { item: atWork, target: targetOf({ provenance: "recorded-link" as const }) };
    expect(shown(opened, { ...state, edits: [] }).words).toEqual([
      "title: Remember the cart",
      "body: It does.",
    ]);
    expect(shown(opened, { ...state, edits: [theirs] }).words).toEqual([]);
  });
});
