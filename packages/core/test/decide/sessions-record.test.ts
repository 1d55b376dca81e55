import { describe, expect, it } from "vitest";
import type { Recorded } from "../../src/decide/effect.ts";
import { evolve } from "../../src/decide/evolve.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  commentEvent,
  controlEvent,
  issueOf,
} from "../../src/testing/build-event.ts";
import { issueRef, itemOf, linkOf, pullRef, sessionOf } from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";
import { formatRef } from "../../src/ref/ref.ts";

const other = { ...pullRef, number: 13 };

describe("a session", () => {
  it("of a pull request is the work item's, beside the one of the issue", () => {
    const item = itemOf("started", { sessions: [sessionOf()] });
    const after = evolve(item, {
      kind: "session-opened",
      endpoint: pullRef,
      harness: "B",
      harnessSessionId: "chat-1",
      workdir: "/w",
      runner: "headless",
      at: 5,
    });
    expect(after.sessions.map(({ endpoint, workItem }) => [endpoint, workItem])).toEqual([
      ["host:octo/shop#7", "host:octo/shop#7"],
      ["host:octo/shop#12", "host:octo/shop#7"],
    ]);
    expect(after.sessions[0]).toBe(item.sessions[0]);
  });

  it("that asks has a question with its time, until it is taken back (loop ask)", () => {
    const ask = (text: string | null): Recorded => ({
      kind: "asked",
      endpoint: issueRef,
      text,
      at: 9,
    });
    const asked = evolve(
      itemOf("started", { sessions: [sessionOf({ endpoint: formatRef(pullRef) }), sessionOf()] }),
      ask("Which one?"),
    );
    expect(asked.sessions.map((session) => session.asked ?? null)).toEqual([
      null,
      { text: "Which one?", at: 9 },
    ]);
    expect(evolve(asked, ask(null)).sessions.map((session) => session.asked ?? null)).toEqual([
      null,
      null,
    ]);
  });
});

describe("a question of the agent", () => {
  const asking = given({
    item: itemOf("started", { sessions: [sessionOf({ asked: { text: "Which one?", at: 1 } })] }),
  });

  it.each<[string, InboundEvent, boolean]>([
    ["what an authorized person says", commentEvent("the second"), true],
    ["what is said on the command line", controlEvent({ verb: "say", text: "the second" }), true],
    [
      "what happens to the item",
      activityEvent({ action: "edited", item: issueOf({ title: "New" }) }),
      false,
    ],
  ])("is answered by %s: %s", (_what, event, answered) => {
    const { says, after } = asking.when(event);
    expect([says.startsWith("delivered:"), after.sessions[0]?.asked ?? null]).toEqual([
      true,
      answered ? null : { text: "Which one?", at: 1 },
    ]);
  });
});

describe("the record of a pull request", () => {
  const link: Recorded = {
    kind: "pull-request-linked",
    workItem: issueRef,
    pullRequest: pullRef,
    headSha: "b".repeat(40),
    headBranch: null,
    at: 9,
  };

  it("stands beside another one's", () => {
    const item = itemOf("started", { pullRequests: [linkOf({ pullRequest: formatRef(other) })] });
    expect(
      evolve(item, link).pullRequests.map(({ pullRequest, headSha }) => [pullRequest, headSha]),
    ).toEqual([
      ["host:octo/shop#13", "a".repeat(40)],
      ["host:octo/shop#12", "b".repeat(40)],
    ]);
  });

  it("again takes a new head where nothing else is new, and in its own place", () => {
    const item = itemOf("started", {
      pullRequests: [linkOf({ pullRequest: formatRef(other) }), linkOf()],
    });
    expect(evolve(item, link).pullRequests).toEqual([
      item.pullRequests[0],
      linkOf({ headSha: "b".repeat(40) }),
    ]);
  });
});
