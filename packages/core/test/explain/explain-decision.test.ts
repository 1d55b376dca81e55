import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain-decision.ts";
import { defaultWords, reasons, remedyOf, sentenceOf } from "../../src/control/reason-sentences.ts";
import {
  ciEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  mallory,
  pullRequestOf,
  someBot,
} from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  laneOf,
  linkOf,
  sessionOf,
  targetOf,
} from "../../src/testing/build-state.ts";
import { type Given, given } from "../../src/testing/given.ts";
import type { InboundEvent } from "../../src/event/event.ts";

const why = (from: Given, event: InboundEvent): readonly string[] =>
  explain({ event, state: from.state, decision: from.when(event).decision });

describe("every reason", () => {
  it.each(reasons)("%s has a sentence, and a remedy or none", (reason) => {
    const [sentence, remedy] = [sentenceOf(reason, defaultWords), remedyOf(reason, defaultWords)];
    expect(sentence).toMatch(/^[A-Z].{9,240}\.$/);
    if (remedy !== null) expect(remedy).toMatch(/^[A-Z].{9,240}\.$/);
    expect(`${sentence}${remedy ?? ""}`).not.toMatch(/[{}]/);
  });

  /** After these nothing is left to be done: it was carried out, or it concerns nobody. */
  const settled = [
    "seen-before",
    "canary",
    "login-needs-no-grant",
    "start-requested",
    "start-by-activity",
    "resume-requested",
    "closed-by-authorized",
    "pull-request-closed",
    "close-without-session",
    "collaborator-revoked",
    "not-a-collaborator",
    "input-of-authorized",
    "input-of-collaborator",
    "activity-of-session",
    "nothing-to-tell",
    "graph-requested",
    "ci-first-failure",
    "ci-recovered",
    "ci-not-finished",
    "ci-no-change",
    "ci-older-result",
    "ci-older-commit",
    "ci-suite-of-runs",
  ];

  it.each(reasons)("%s says what to do next, unless nothing is left to be done", (reason) => {
    expect(remedyOf(reason, defaultWords) === null).toBe(settled.includes(reason));
  });

  it.each(reasons)(
    "%s reads well: three short sentences at most, no word of ours for its parts, no name of a reason",
    (reason) => {
      const text = `${sentenceOf(reason, defaultWords)} ${remedyOf(reason, defaultWords) ?? ""}`
        .trim()
        .replaceAll(/`[^`]{1,60}`/g, "`x`");
      expect(text).not.toMatch(
        / {2}|\.\.|\b(endpoint|verdict|lane|lease|fence|null|undefined)\b|[a-z]+-[a-z]+-[a-z]+/,
      );
      const sentences = sentenceOf(reason, defaultWords).match(/[.!?](\s|$)/g) ?? [];
      expect(sentences.length).toBeLessThanOrEqual(3);
    },
  );

  it("names keywords and label as configured", () => {
    const own = {
      autoExecuteLabel: "{start} me",
      keywords: { ...defaultWords.keywords, start: "/go" },
    };
    expect(remedyOf("not-armed", own)).toBe("Add the label `{start} me`, then type `/go` again.");
  });

  it("sends to the command line where a keyword is disabled", () => {
    const off = {
      ...defaultWords,
      keywords: {
        ...defaultWords.keywords,
        resume: "",
        "add-collaborator": "",
        "remove-collaborator": "",
      },
    };
    expect(remedyOf("paused-use-resume", off)).toBe("Type `loop sessions resume` to continue.");
    expect(remedyOf("stranger-dropped", off)).toContain(
      "allow the author with `loop add-collaborator` and the login",
    );
    expect(remedyOf("collaborator-granted", off)).toBe(
      "Type `loop remove-collaborator` with the login to revoke access.",
    );
  });
});

describe("the part of a comment that was taken for quoted mail", () => {
  const session = given({ item: itemOf("started", { sessions: [sessionOf()] }) });
  const taken = (body: string): readonly string[] =>
    why(session, commentEvent(body)).filter((sentence) => sentence.startsWith("Taken for"));

  it.each([
    ["Fix it.\n\nOn 2026-11-27 10:00 the job wrote:\n\nerror 5\n\nAdd a test.\n", "lines 3 to 7"],
    ["Fix A.\r\n\r\n-- \r\nB as well", "lines 3 to 4"],
    ["See Bob's mail (bob@x.example):\n\n> a\n\nDo that.", "line 1"],
    ["Ada wrote:\n> a\n\nYes.\n\nBob wrote:\n> b\n\nNo.", "lines 1, 6"],
    ["Do X.\n\n_Originally posted by @bob in #3_\n\nThanks", "lines 1 to 3"],
  ])("is named by its lines: %j", (body, lines) => {
    expect(taken(body)).toEqual([
      `Taken for quoted mail, a signature or a copied text, and delivered as a quote instead of @alice's own words: ${lines} of the comment. If @alice wrote that, word it differently in a new comment.`,
    ]);
  });

  it.each(["> a\n\nDo that.", "Do that.", "```\n-- \n```\nDo that."])(
    "is none in %j, which its author marked or wrote",
    (body) => {
      expect(taken(body)).toEqual([]);
    },
  );

  it("is not told of a comment that reaches no session", () => {
    const body = "Fix A.\n\n-- \nB as well";
    expect(why(given(), commentEvent(body)).join("\n")).not.toContain("Taken for");
  });
});

describe("the whole reasoning", () => {
  it("of a start that was refused", () => {
    expect(
      why(
        given(),
        commentEvent("loop start", {
          item: { ...pullRequestOf(), type: "issue", number: 7, branches: null },
        }),
      ),
    ).toEqual([
      "issue_comment (created) by webhook from @alice at 2026-03-01T12:00:00Z.",
      "It belongs to host:octo/shop#7, because it happened there.",
      "Not on record; no session was active.",
      "Refused (start): The item doesn't have the label `loop: auto-execute`. Adding it later doesn't start the item.",
      "Reacts to the comment with confused.",
      "Comments on host:octo/shop#7: The item doesn't have the label `loop: auto-execute`. Adding it later doesn't start the item. Add the label `loop: auto-execute`, then type `loop start` again.",
      "Next: Add the label `loop: auto-execute`, then type `loop start` again.",
    ]);
  });

  it("of input on a lane that is held", () => {
    const item = itemOf("started", {
      sessions: [sessionOf()],
      pullRequests: [linkOf()],
      lanes: [laneOf(issueRef, { reason: "budget", until: null, detail: "" })],
    });
    expect(
      why(
        given({ item, target: targetOf({ provenance: "recorded-link" }) }),
        commentEvent("more", { item: pullRequestOf() }),
      ),
    ).toEqual([
      "issue_comment (created) by webhook from @alice at 2026-03-01T12:00:00Z.",
      "It belongs to host:octo/shop#7, by a pull request linked with `loop sessions link-pr`.",
      "It was started, labelled and open; 1 session was active, on hold (budget).",
      "Delivered: An authorized user commented.",
      "Delivers it to the session of host:octo/shop#7.",
    ]);
  });

  it("of a closing", () => {
    expect(
      why(given({ item: itemOf("started", { sessions: [sessionOf()] }) }), closedEvent()).slice(3),
    ).toEqual([
      "Closed: The item was closed. Its sessions end within ten minutes, and its checkout is removed.",
      "Drops queued messages for the session of host:octo/shop#7.",
      "Ends the session of host:octo/shop#7 after its turn, within 10 min.",
      "Releases the checkout and session records of host:octo/shop#7.",
    ]);
  });

  it("of what was dropped, repeated, or another's", () => {
    expect(why(given(), commentEvent("x", { by: mallory })).at(-1)).toBe(
      "Next: An authorized user can repeat it, or allow the author with `loop add-collaborator` and the login.",
    );
    expect(why(given(), commentEvent("x", { by: someBot }))[0]).toContain(
      "from the bot @helper[bot]",
    );
    expect(why(given({ seenAs: "first" }), commentEvent("x"))).toContain(
      "Duplicate of delivery first.",
    );
    expect(why(given({ ownedBy: "other" }), commentEvent("x"))).toContain(
      "The instance other owns the item.",
    );
    expect(why(given({ target: null }), commentEvent("x"))).toHaveLength(3);
  });

  it("of a control delivery", () => {
    expect(
      why(
        given({ item: itemOf("started", { sessions: [sessionOf()] }) }),
        controlEvent({ verb: "stop", login: null, instance: null }),
      ).slice(3),
    ).toEqual([
      "Stopped by @operator: The turn and the session end, queued messages are dropped, and the checkout stays.",
      "Drops queued messages for the session of host:octo/shop#7.",
      "Ends the session of host:octo/shop#7 now.",
      "Comments on host:octo/shop#7: `loop stop` (asked for on the command line)",
      "Next: Type `loop start` to start over.",
    ]);
  });

  it("R19: of a start that came too late: what is newer, and by whose clock", () => {
    const stopped = given({ item: itemOf("started", { sessions: [sessionOf()] }) }).after(
      controlEvent({ verb: "stop", login: null, instance: null }),
    );
    const late = commentEvent("loop start", { comment: { createdAt: "2026-03-01T11:59:00Z" } });
    expect(why(stopped, late).slice(3)).toEqual([
      "A newer command arrived at 2026-03-01T12:00:00Z by this machine's clock. This was written at 2026-03-01T11:59:00Z.",
      "Refused (start): A newer command from the command line or the API overrides this one.",
      "Reacts to the comment with confused.",
      "Comments on host:octo/shop#7: A newer command from the command line or the API overrides this one. If you still want it, write it in a new comment. If that is refused as well, this machine's clock is ahead of the code host's; use the command line.",
      "Next: If you still want it, write it in a new comment. If that is refused as well, this machine's clock is ahead of the code host's; use the command line.",
    ]);
    expect(
      why(
        given({ item: itemOf("started", { sessions: [sessionOf()] }) }).after(
          commentEvent("loop stop"),
        ),
        late,
      ),
    ).toContain(
      "A newer command arrived at 2026-03-01T12:00:00Z by the code host's clock. This was written at 2026-03-01T11:59:00Z.",
    );
  });

  it("R19: of a grant that came too late: what ended it", () => {
    const atWork = given({ item: itemOf("started", { sessions: [sessionOf()] }) });
    const late = commentEvent("loop add-collaborator @dave", {
      comment: { createdAt: "2026-03-01T11:59:00Z" },
    });
    expect(
      why(atWork.after(commentEvent("loop remove-collaborator @dave")), late).slice(3),
    ).toEqual([
      "Access of @dave was revoked at 2026-03-01T12:00:00Z by the code host's clock. This was written at 2026-03-01T11:59:00Z.",
      "Refused (add-collaborator): A newer state of the item is already known. This changes nothing.",
      "Next: If you still want it, write it in a new comment.",
    ]);
    expect(why(atWork.after(closedEvent()), late)).toContain(
      "All collaborators lost access at 2026-03-01T12:00:00Z by the code host's clock. This was written at 2026-03-01T11:59:00Z.",
    );
  });

  it("of a failure in CI: how the check ended, on which commit, and not its name, which its author chose", () => {
    const event = ciEvent();
    expect(why(given({ item: itemOf("started", { sessions: [sessionOf()] }) }), event)[1]).toBe(
      `The check ended with failure on the commit ${event.check.headSha.slice(0, 12)}.`,
    );
  });

  it("P09: of a comment that was taken for our own: by what, and what a person does whose words they were", () => {
    const sentences = why(
      given({ own: "comment", ownBy: "hook-record" }),
      commentEvent("loop stop"),
    );
    expect(sentences).toContain(
      "The event log shows that an agent posted it during its turn (`loop events --type host.posted`).",
    );
    expect(sentences.at(-1)).toContain("Next: If a person wrote it");
    expect(
      why(given({ own: "comment", ownBy: "marker" }), commentEvent("loop stop")).join(" "),
    ).toContain("carries loop's marker");
  });

  it("of a payload that was not understood", () => {
    expect(
      explain({
        event: null,
        state: null,
        decision: {
          verdict: { kind: "rejected", why: "shape" },
          reason: "payload-rejected",
          effects: [],
        },
      }),
    ).toEqual([
      "The payload is invalid: a required field is missing or has another type, or reading it failed (see `loop logs`).",
      "Rejected: The payload doesn't match its event name. It was stored, not routed.",
      "Next: If the code host really sent it, report the bug with the delivery id.",
    ]);
  });

  it.each([
    "not-an-object",
    "too-deep",
    "too-large",
    "not-json",
    "shape",
    "unknown-event",
    "bad-name",
  ] as const)("R05, R10: says in words what %s means", (what) => {
    const [sentence] = explain({
      event: null,
      state: null,
      decision: {
        verdict: { kind: "rejected", why: what },
        reason: "payload-rejected",
        effects: [],
      },
    });
    expect(sentence).toMatch(/^The payload is invalid: (its|a|unknown|invalid) [a-z].{8,}\.$/);
    expect(sentence).not.toContain(what);
  });
});
