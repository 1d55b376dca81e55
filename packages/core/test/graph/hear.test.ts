import { expect, test } from "vitest";
import type { Effect } from "../../src/decide/effect.ts";
import { answerSubjectOf, deriveProgress, type ObservedWork } from "../../src/graph/progress.ts";
import type { GraphRecord, GraphSignal } from "../../src/work-item/graph-record.ts";
import { gateReply } from "../../src/graph/gate-announcement.ts";
import { type Heard, hear } from "../../src/graph/hear.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  commentEvent,
  controlEvent,
  hostNoonMs,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  linkOf,
  policyOf,
  pullRef,
  targetOf,
} from "../../src/testing/build-state.ts";
import type { ItemState } from "../../src/work-item/records.ts";
import { formatRef, type Ref } from "../../src/ref/ref.ts";
import { configured, node, row } from "./build.ts";

const gate = node("gate", { gate: "human" });
const graph = configured(row(gate, node("z", { terminal: true })));
const seen: ObservedWork = { artifacts: [], head: "a".repeat(40), pullRequests: [] };
const record: GraphRecord = {
  graph: "row",
  node: "gate",
  signals: [],
  announced: {
    node: "gate",
    subject: answerSubjectOf(gate, graph.definition, seen),
    at: hostNoonMs + 500,
  },
  waits: null,
};
const turn: Effect = {
  kind: "turn",
  endpoint: issueRef,
  mode: "resume",
  event: commentEvent("x"),
  authority: "authorized",
};

type Given = {
  readonly workItem?: Ref;
  readonly after?: ItemState;
  readonly effects?: readonly Effect[];
  readonly signals?: readonly GraphSignal[];
};

function heard(
  event: InboundEvent,
  { workItem = issueRef, after = itemOf("started"), effects = [turn], signals = [] }: Given = {},
): Heard {
  const known = { ...record, signals };
  const spoken = {
    event,
    target: targetOf({ workItem, endpoint: workItem }),
    now: hostNoonMs + 10_000,
    decision: {
      verdict: { kind: "delivered", endpoint: workItem },
      reason: "input-of-authorized",
      effects,
    },
  } as const;
  return hear(
    spoken,
    { record: known, progress: deriveProgress(graph, seen, signals), observed: seen, after },
    { graph, seen, agentAtWork: null },
    policyOf(),
  );
}

const [head, other] = ["a".repeat(40), "b".repeat(40)];
const branches = {
  head: "issue-7",
  headSha: head,
  headRepository: "octo/shop",
  base: "main",
  sameRepository: true,
};
const review = (commitId: string | null, shown: string | null = head): InboundEvent =>
  commentEvent("", {
    surface: "review",
    item: pullRequestOf({ branches: shown === null ? null : { ...branches, headSha: shown } }),
    comment: { reviewState: "approved", commitId, createdAt: null },
  });
const recorded = (headSha: string | null, ref: Ref = pullRef): Given => ({
  after: itemOf("started", {
    pullRequests: [
      linkOf({ pullRequest: formatRef({ ...pullRef, number: 99 }), headSha: "c".repeat(40) }),
      linkOf({ pullRequest: formatRef(ref), headSha }),
    ],
  }),
});
const refused = (commit: string, of: string): string =>
  `the review is of ${commit}, and the head of its pull request is ${of}`;

test.each<readonly [promise: string, event: InboundEvent, given: Given, words: string | null]>([
  ["of the head that it shows itself it is one", review(head), {}, null],
  [
    "of another commit than that it is none",
    review(other),
    {},
    refused("bbbbbbbbbb", "aaaaaaaaaa"),
  ],
  [
    "the head on record counts, not the one that it shows",
    review(head),
    recorded(other),
    refused("aaaaaaaaaa", "bbbbbbbbbb"),
  ],
  ["of the head on record it is one, whatever it shows", review(other), recorded(other), null],
  ["where none is on record it counts what it shows", review(head), recorded(null), null],
  [
    "the head of another pull request on record says nothing",
    review(head),
    recorded(other, { ...pullRef, number: 13 }),
    null,
  ],
  [
    "where the pull request is the work item itself, what it shows counts",
    review(head),
    { ...recorded(other), workItem: pullRef },
    null,
  ],
  [
    "of a commit that nobody tells it is none",
    review(null),
    {},
    refused("a commit that nobody tells", "aaaaaaaaaa"),
  ],
  [
    "where nobody tells the head it is none",
    review(head, null),
    {},
    refused("aaaaaaaaaa", "a commit that nobody tells"),
  ],
  [
    "where nobody tells either it is none",
    review(null, null),
    {},
    refused("a commit that nobody tells", "a commit that nobody tells"),
  ],
])("an approving review: %s", (_, event, given, words) => {
  const result = heard(event, given);
  expect(result).toEqual(
    words === null
      ? {
          kind: "signal",
          signal: {
            kind: "answer",
            node: "gate",
            subject: record.announced?.subject,
            approved: true,
            by: "alice",
            delivery: event.deliveryId,
            at: hostNoonMs + 10_000,
          },
        }
      : { kind: "not-taken", why: "other-commit", by: "alice", words },
  );
});

test.each<readonly [promise: string, event: InboundEvent, given: Given, kind: string]>([
  [
    "a word in the second of the announcement counts",
    commentEvent("approved", { comment: { createdAt: "2026-03-01T12:00:00Z" } }),
    {},
    "signal",
  ],
  [
    "one of the second before does not",
    commentEvent("approved", { comment: { createdAt: "2026-03-01T11:59:59Z" } }),
    {},
    "early",
  ],
  [
    "one whose time nobody tells counts in the order of its arrival",
    commentEvent("approved", { at: null, comment: { createdAt: null } }),
    {},
    "signal",
  ],
  [
    "one that led to no turn was nobody's who may answer",
    commentEvent("approved"),
    { effects: [] },
    "nothing",
  ],
  [
    "one that led to a collaborator's turn neither",
    commentEvent("approved"),
    { effects: [{ ...turn, authority: "collaborator" }] },
    "nothing",
  ],
  [
    "one that led to a turn among other things counts",
    commentEvent("approved"),
    {
      effects: [{ kind: "phase-label", workItem: issueRef, phase: "gate", phases: ["gate"] }, turn],
    },
    "signal",
  ],
  ["what is no word is no answer", activityEvent(), {}, "nothing"],
  [
    "nor is a request of an operator about something else",
    controlEvent({ verb: "pause", login: null, instance: null }),
    {},
    "nothing",
  ],
  [
    "nor one that only asks to look",
    controlEvent({ verb: "graph", step: "advance", node: null }),
    {},
    "nothing",
  ],
])("%s", (_, event, given, kind) => {
  const result = heard(event, given);
  expect(result.kind === "not-taken" ? result.why : result.kind).toBe(kind);
});

test("the thread is told which files an answer at a gate of single files is about", () => {
  const draft = node("draft", {
    title: "Draft",
    gate: "human",
    produces: [
      { file: "a.md", headings: [] },
      { file: "b.md", headings: [] },
    ],
  });
  const two = configured(
    row(
      node("before", { produces: [{ file: "c.md", headings: [] }] }),
      draft,
      node("z", { terminal: true }),
    ),
  );
  const asked = {
    heard: { kind: "nothing" },
    open: { node: "draft", subject: "s", at: 1 },
    isNew: true,
    loose: false,
    unpushed: [],
  } as const;
  const files = ["a.md", "b.md", "c.md"].map((file) => ({ file, digest: "1", filled: [] }));
  const [reply] = gateReply(
    issueRef,
    "draft",
    asked,
    deriveProgress(two, { ...seen, artifacts: files }, []),
    two,
  );
  expect(reply?.kind === "reply" && reply.text.split(" To approve")[0]).toBe(
    "**Draft**: draft waits for the approval of an authorized user. An answer here is about a.md, b.md and nothing else.",
  );
});

test("an operator without a name is the operator", () => {
  const event = controlEvent(
    { verb: "graph", step: "complete", node: null },
    { actor: null as never },
  );
  expect(heard(event)).toEqual({
    kind: "signal",
    signal: {
      kind: "waived",
      node: "gate",
      how: "accepted",
      subject: "",
      by: "operator",
      at: hostNoonMs + 10_000,
    },
  });
});
