import { describe, expect, it } from "vitest";
import { explain } from "../../src/decide/explain.ts";
import { defaultWords, reasons, remedyOf, sentenceOf } from "../../src/decide/sentences.ts";
import {
  ciEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  given,
  issueRef,
  itemOf,
  laneOf,
  linkOf,
  mallory,
  pullRequestOf,
  sessionOf,
  someBot,
  targetOf,
} from "../../src/testing/index.ts";
import type { Given } from "../../src/testing/index.ts";
import type { InboundEvent } from "../../src/normalise/event.ts";

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
    "%s reads well: one sentence, no word of ours for its parts, no name of a reason",
    (reason) => {
      const text = `${sentenceOf(reason, defaultWords)} ${remedyOf(reason, defaultWords) ?? ""}`
        .trim()
        .replaceAll(/`[^`]{1,60}`/g, "`x`");
      expect(text).not.toMatch(
        / {2}|\.\.|\b(endpoint|verdict|lane|lease|fence|null|undefined)\b|[a-z]+-[a-z]+-[a-z]+/,
      );
      expect(sentenceOf(reason, defaultWords).match(/[.!?](\s|$)/g)).toHaveLength(1);
    },
  );

  it("names keywords and label as configured", () => {
    const own = {
      autoExecuteLabel: "{start} me",
      keywords: { ...defaultWords.keywords, start: "/go" },
    };
    expect(remedyOf("not-armed", own)).toBe(
      "Put the label `{start} me` on the item, then type `/go` again.",
    );
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
    expect(remedyOf("paused-use-resume", off)).toBe("Type `loop sessions resume` to go on.");
    expect(remedyOf("stranger-dropped", off)).toContain(
      "grant input with `loop add-collaborator` and the login",
    );
    expect(remedyOf("collaborator-granted", off)).toBe(
      "Type `loop remove-collaborator` with the login to take that back.",
    );
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
      "issue_comment (created) came by webhook from @alice at 2026-03-01T12:00:00Z.",
      "It belongs to host:octo/shop#7, because it happened there.",
      "Nothing was on record about it; no session was active.",
      "Refused (start): The item does not carry the label `loop: auto-execute`, so it was not started, and labelling it now starts nothing by itself.",
      "The comment gets the reaction confused.",
      "One line is posted on host:octo/shop#7: The item does not carry the label `loop: auto-execute`, so it was not started, and labelling it now starts nothing by itself. Put the label `loop: auto-execute` on the item, then type `loop start` again.",
      "What to do next: Put the label `loop: auto-execute` on the item, then type `loop start` again.",
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
      "issue_comment (created) came by webhook from @alice at 2026-03-01T12:00:00Z.",
      "It belongs to host:octo/shop#7, by a pull request that was recorded with link-pr.",
      "It was started, labelled and open; 1 session was active, lanes were held (budget).",
      "Delivered: An authorized user said something to the session.",
      "The session of host:octo/shop#7 is told.",
    ]);
  });

  it("of a closing", () => {
    expect(
      why(given({ item: itemOf("started", { sessions: [sessionOf()] }) }), closedEvent()).slice(3),
    ).toEqual([
      "Closed: The item was closed, so its sessions end after at most ten minutes and its checkout goes.",
      "What waits for the session of host:octo/shop#7 is dropped.",
      "The session of host:octo/shop#7 ends once its turn is over, at the latest after 10 minutes.",
      "Checkout and session records of host:octo/shop#7 are released.",
    ]);
  });

  it("of what was dropped, repeated, or another's", () => {
    expect(why(given(), commentEvent("x", { by: mallory })).at(-1)).toBe(
      "What to do next: An authorized user can repeat it, or grant input with `loop add-collaborator` and the login.",
    );
    expect(why(given(), commentEvent("x", { by: someBot }))[0]).toContain(
      "from the bot @helper[bot]",
    );
    expect(why(given({ seenAs: "first" }), commentEvent("x"))).toContain(
      "The same thing was decided as delivery first.",
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
      "Stopped by @operator: A stop was asked for: turn and session end, the checkout stays, what waited is dropped.",
      "What waits for the session of host:octo/shop#7 is dropped.",
      "The session of host:octo/shop#7 ends now.",
      "One line is posted on host:octo/shop#7: `loop stop` (asked for on the command line)",
      "What to do next: Type `loop start` to begin anew.",
    ]);
  });

  it("R19: of a start that came too late: what is newer, and by whose clock", () => {
    const stopped = given({ item: itemOf("started", { sessions: [sessionOf()] }) }).after(
      controlEvent({ verb: "stop", login: null, instance: null }),
    );
    const late = commentEvent("loop start", { comment: { createdAt: "2026-03-01T11:59:00Z" } });
    expect(why(stopped, late).slice(3)).toEqual([
      "Something newer was asked for at 2026-03-01T12:00:00Z by this machine's clock; this was written at 2026-03-01T11:59:00Z.",
      "Refused (start): The request was written before a newer one of the command line or the API, so it changes nothing.",
      "The comment gets the reaction confused.",
      "One line is posted on host:octo/shop#7: The request was written before a newer one of the command line or the API, so it changes nothing. If it is still wanted, ask again in a new comment; if that is refused, too, this machine's clock is ahead of the code host's, and the command line counts all the same.",
      "What to do next: If it is still wanted, ask again in a new comment; if that is refused, too, this machine's clock is ahead of the code host's, and the command line counts all the same.",
    ]);
    expect(
      why(
        given({ item: itemOf("started", { sessions: [sessionOf()] }) }).after(
          commentEvent("loop stop"),
        ),
        late,
      ),
    ).toContain(
      "Something newer was asked for at 2026-03-01T12:00:00Z by the code host's clock; this was written at 2026-03-01T11:59:00Z.",
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
      "The grant of @dave was taken back at 2026-03-01T12:00:00Z by the code host's clock; this was written at 2026-03-01T11:59:00Z.",
      "Refused (add-collaborator): It is older than what is already known of the item, so it changes nothing.",
      "What to do next: If it is still wanted, ask again in a new comment.",
    ]);
    expect(why(atWork.after(closedEvent()), late)).toContain(
      "Every grant on the item ended at 2026-03-01T12:00:00Z by the code host's clock; this was written at 2026-03-01T11:59:00Z.",
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
      "The event log says that an agent posted it during its turn with a tool of its own, as the hook after the tool told (`loop events --type host.posted`).",
    );
    expect(sentences.at(-1)).toContain("What to do next: If a person wrote it");
    expect(
      why(given({ own: "comment", ownBy: "marker" }), commentEvent("loop stop")).join(" "),
    ).toContain("carries our marker");
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
      "The payload was not understood: a part that this event always has is missing or of another kind, or reading it failed, which the daemon's log then shows.",
      "Rejected: The payload does not fit its event name, so it is kept and never routed.",
      "What to do next: If the host really sent it, report it with the delivery id.",
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
    expect(sentence).toMatch(/^The payload was not understood: (its|it|a|no) [a-z].{10,}\.$/);
    expect(sentence).not.toContain(what);
  });
});
