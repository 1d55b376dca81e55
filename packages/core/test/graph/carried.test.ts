import { verbatimPost } from "../../src/message/post.ts";
import { describe, expect, test } from "vitest";
import type { Effect } from "../../src/decide/effect.ts";
import { settle } from "../../src/flow.ts";
import { carryGraph, type GraphFacts } from "../../src/graph/advance.ts";
import {
  answerSubjectOf,
  type NodeProgress,
  type ObservedWork,
  subjectOf,
} from "../../src/graph/progress.ts";
import type { GraphRecord, GraphSignal } from "../../src/work-item/graph-record.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import type { Decided } from "../../src/decide/decision-row.ts";
import {
  alice,
  commentEvent,
  controlEvent,
  hostNoonMs,
  mallory,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import {
  itemOf,
  policyOf,
  pullRef,
  sessionOf,
  stateOf,
  targetOf,
} from "../../src/testing/build-state.ts";
import type { ItemState } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";
import { configured, node, row } from "./build.ts";

const definition = row(
  node("draft", { title: "Draft", produces: [{ file: "draft.md", headings: [] }], gate: "human" }),
  node("extra", { title: "Extra", produces: [{ file: "extra.md", headings: [] }], optional: true }),
  node("build", { title: "Build", produces: [{ file: "build.md", headings: [] }] }),
  node("review", { title: "Review", critics: "all" }),
  node("approval", { title: "Approval", gate: "human" }),
  node("complete", { title: "Complete", terminal: true }),
);
const graph = configured(definition, {
  roster: ["careful"],
  hooks: [{ node: "build", command: ["check"] }],
});
const policy = policyOf({ authorizedUsers: new Set(["alice", "bob"]) });
const files = ["draft.md", "extra.md", "build.md"] as const;
const seen = (n: number, head = "a".repeat(40)): Omit<ObservedWork, "pullRequests"> => ({
  artifacts: files.slice(0, n).map((file) => ({ file, digest: "1", filled: [] })),
  head,
});
const whole = (n: number): ObservedWork => ({ ...seen(n), pullRequests: [] });
const of = (id: string): NodeProgress["node"] =>
  definition.nodes.find((each) => each.id === id) ?? node(id);

const approves = (id: string, n: number, approved = true): GraphSignal => ({
  kind: "answer",
  node: id,
  subject: answerSubjectOf(of(id), definition, whole(n)),
  approved,
  by: "alice",
  delivery: "d",
  at: 1,
});
const checked = (...failed: readonly string[]): GraphSignal => ({
  kind: "hooks",
  node: "build",
  subject: subjectOf(of("build"), "work-item", definition, whole(3)),
  failed,
  at: 1,
});
const judged = (outcome: "passed" | "rework" | "escalated"): GraphSignal => ({
  kind: "critics",
  node: "review",
  subject: subjectOf(of("review"), "work-item", definition, whole(3)),
  at: 1,
  round: 1,
  outcome,
  why: "so",
  findings: [
    {
      severity: "major",
      title: "It drips",
      detail: "",
      file: null,
      line: null,
      critics: ["careful"],
      rounds: 1,
    },
  ],
});
const skipped = (id: string): GraphSignal => ({
  kind: "waived",
  node: id,
  how: "skipped",
  by: "operator",
  at: 1,
});
const built = [approves("draft", 3), checked()];
const ready = [...built, judged("passed")];
const told = (id: string, n: number, at = hostNoonMs): NonNullable<GraphRecord["announced"]> => ({
  node: id,
  subject: answerSubjectOf(of(id), definition, whole(n)),
  at,
});

/** The item at a node; without one it was never asked for anything. */
function at(
  id: string | null,
  over: Partial<GraphRecord> = {},
  rest: Partial<Omit<ItemState, "workItem">> = {},
): ItemState {
  const item = itemOf("started", { sessions: [sessionOf()], ...rest });
  return id === null || item.workItem === null
    ? item
    : {
        ...item,
        workItem: {
          ...item.workItem,
          graph: { graph: "row", node: id, signals: [], announced: null, waits: null, ...over },
        },
      };
}

type Given = {
  readonly event: InboundEvent;
  readonly item: ItemState;
  readonly seen?: Omit<ObservedWork, "pullRequests"> | null;
  readonly onPull?: boolean;
} & Partial<GraphFacts>;
const advance = controlEvent({ verb: "graph", step: "advance", node: null });
const say = commentEvent("Go on, please.");
const yes = commentEvent("approved", { comment: { createdAt: "2026-03-01T12:00:01Z" } });
const early = commentEvent("approved", { comment: { createdAt: "2026-03-01T11:59:59Z" } });
const reviewed = (
  commitId: string | undefined,
  reviewState = "approved",
  headSha = "a".repeat(40),
): InboundEvent =>
  commentEvent("", {
    surface: "review",
    item: pullRequestOf({
      branches: {
        head: "issue-7",
        headSha,
        headRepository: "octo/shop",
        base: "main",
        sameRepository: true,
      },
    }),
    comment: { reviewState, commitId, createdAt: "2026-03-01T12:00:01Z" },
  });
const asking = { sessions: [{ ...sessionOf(), asked: { text: "Which?", at: 1 } }] };
const operator = (step: "complete" | "skip", id: string | null): InboundEvent =>
  controlEvent({ verb: "graph", step, node: id });
const approval = { signals: ready, announced: told("approval", 3) };
const unfinished = { for: "unfinished", node: "build", detail: "so", since: 1 } as const;
const atGate = { for: "approval", node: "approval", detail: "so", since: 1 } as const;

/** What happens, under the promise that it shows. */
const rows: readonly (readonly [promise: string, given: Given])[] = [
  [
    "the first word begins at the entry, before there is a checkout",
    { event: say, item: at(null), seen: null },
  ],
  ["and with one, where nothing stands yet", { event: say, item: at(null), seen: seen(0) }],
  [
    "a record of another graph goes on in this one",
    {
      event: advance,
      item: at("build", { graph: "old", signals: [approves("draft", 2)] }),
      seen: seen(2),
    },
  ],
  [
    "a node that this graph has not is the entry",
    { event: advance, item: at("gone"), seen: seen(0) },
  ],
  [
    "a gate that opens tells the thread once, and what is not committed or pushed",
    {
      event: advance,
      item: at("draft"),
      seen: { ...seen(1), uncommitted: "x" },
      unpushed: ["c".repeat(40)],
    },
  ],
  [
    "with many commits that are pushed nowhere, five by name",
    {
      event: advance,
      item: at("draft"),
      seen: seen(1),
      unpushed: Array.from({ length: 7 }, (_, i) => `${i}`.repeat(40)),
    },
  ],
  [
    "with just five, all by name",
    {
      event: advance,
      item: at("draft"),
      seen: seen(1),
      unpushed: Array.from({ length: 5 }, (_, i) => `${i}`.repeat(40)),
    },
  ],
  [
    "a gate that was announced is not announced again",
    { event: advance, item: at("draft", { announced: told("draft", 1) }), seen: seen(1) },
  ],
  [
    "a gate of the whole work says nothing of single files",
    { event: advance, item: at("review", { signals: ready }), seen: seen(3) },
  ],
  [
    "work goes over what was left out",
    {
      event: advance,
      item: at("draft", { signals: [approves("draft", 1), skipped("extra")] }),
      seen: seen(1),
    },
  ],
  [
    "work goes on to what is complete already, one node",
    { event: advance, item: at("draft", { signals: [approves("draft", 3)] }), seen: seen(3) },
  ],
  [
    "a turn that is told anyway brings the task",
    { event: say, item: at("draft", { signals: [approves("draft", 1)] }), seen: seen(1) },
  ],
  [
    "a turn that is asked for brings its lane",
    {
      event: advance,
      item: at("draft", { signals: [approves("draft", 1)] }, { lanes: [] }),
      seen: seen(1),
    },
  ],
  [
    "a gate that opens brings none: nobody is woken",
    { event: advance, item: at("review", { signals: ready }, { lanes: [] }), seen: seen(3) },
  ],
  [
    "a start begins at the entry",
    { event: commentEvent("loop start"), item: itemOf("idle"), seen: null },
  ],
  [
    "several things that a node lacks are told together",
    {
      event: advance,
      item: at("build", { signals: [approves("draft", 3), checked("one failed", "two failed")] }),
      seen: seen(3),
    },
  ],
  [
    "a turn on the pull request is no turn of the work item",
    {
      event: commentEvent("Look.", { item: pullRequestOf() }),
      item: at(
        "draft",
        { signals: [approves("draft", 1)] },
        { sessions: [sessionOf(), sessionOf({ endpoint: formatRef(pullRef) })] },
      ),
      seen: seen(1),
      onPull: true,
    },
  ],
  [
    "a session that waits for an answer is asked nothing",
    {
      event: advance,
      item: at("draft", { signals: [approves("draft", 1)] }, asking),
      seen: seen(1),
    },
  ],
  [
    "a session of another endpoint that waits is none of this",
    {
      event: advance,
      item: at(
        "draft",
        { signals: [approves("draft", 1)] },
        {
          sessions: [
            sessionOf(),
            { ...sessionOf({ endpoint: formatRef(pullRef) }), asked: { text: "Which?", at: 1 } },
          ],
        },
      ),
      seen: seen(1),
    },
  ],
  [
    "a session that ended while it waited is none either",
    {
      event: advance,
      item: at(
        "draft",
        { signals: [approves("draft", 1)] },
        { sessions: [{ ...sessionOf({ status: "closed" }), asked: { text: "Which?", at: 1 } }] },
      ),
      seen: seen(1),
    },
  ],
  [
    "a check that failed asks the session again, at the same node",
    {
      event: advance,
      item: at("build", { signals: [approves("draft", 3), checked("`check` ended with 1")] }),
      seen: seen(3),
    },
  ],
  [
    "checks that have not run ask nobody",
    { event: advance, item: at("build", { signals: [approves("draft", 3)] }), seen: seen(3) },
  ],
  [
    "what critics found asks the session again",
    {
      event: advance,
      item: at("review", { signals: [...built, judged("rework")] }),
      seen: seen(3),
    },
  ],
  [
    "what critics cannot settle asks a person",
    {
      event: advance,
      item: at("review", { signals: [...built, judged("escalated")] }),
      seen: seen(3),
    },
  ],
  ["an approval opens the gate", { event: yes, item: at("approval", approval), seen: seen(3) }],
  [
    "and one in a review of the recorded head",
    { event: reviewed("a".repeat(40)), item: at("approval", approval), seen: seen(3) },
  ],
  [
    "a review that asks for changes is heard whatever it is of",
    {
      event: reviewed("b".repeat(40), "changes_requested"),
      item: at("approval", approval),
      seen: seen(3),
    },
  ],
  [
    "one of another commit is not taken",
    { event: reviewed("b".repeat(40)), item: at("approval", approval), seen: seen(3) },
  ],
  [
    "one of a commit that nobody tells is not taken",
    { event: reviewed(undefined), item: at("approval", approval), seen: seen(3) },
  ],
  [
    "an approval from before the announcement is not taken",
    { event: early, item: at("approval", approval), seen: seen(3) },
  ],
  [
    "one of a gate that was announced in another state is not taken",
    {
      event: yes,
      item: at("approval", {
        ...approval,
        announced: { ...told("approval", 3), subject: "other" },
      }),
      seen: seen(3),
    },
  ],
  [
    "one at a gate that nobody was told of is early",
    { event: yes, item: at("approval", { signals: ready }), seen: seen(3) },
  ],
  [
    "one where the gate of another node was announced is early",
    {
      event: yes,
      item: at("approval", { signals: ready, announced: told("draft", 1) }),
      seen: seen(3),
    },
  ],
  [
    "one while an agent may have written it is not taken",
    { event: yes, item: at("approval", approval), seen: seen(3), agentAtWork: { own: alice } },
  ],
  [
    "one where nobody can look is not taken",
    { event: yes, item: at("approval", approval), seen: null },
  ],
  [
    "one of work that is not finished any more is not taken",
    { event: yes, item: at("approval", approval), seen: seen(1) },
  ],
  [
    "one of a gate that was approved before is input like any other",
    {
      event: yes,
      item: at("build", { signals: [approves("draft", 1)], announced: told("draft", 1) }),
      seen: seen(1),
    },
  ],
  [
    "one of a gate that was approved in another state is not taken while nobody can look",
    {
      event: yes,
      item: at("draft", {
        signals: [{ ...approves("draft", 1), subject: "other" } as GraphSignal],
        announced: told("draft", 1),
      }),
      seen: null,
    },
  ],
  [
    "one of a gate that was approved as it was announced is input like any other",
    {
      event: yes,
      item: at("draft", { signals: [approves("draft", 1)], announced: told("draft", 1) }),
      seen: null,
    },
  ],
  [
    "one of a gate whose state another node's answer names is still asked for",
    {
      event: yes,
      item: at("draft", {
        signals: [{ ...approves("draft", 1), node: "extra" } as GraphSignal],
        announced: told("draft", 1),
      }),
      seen: null,
    },
  ],
  [
    "one of a gate that asked for changes is still asked for",
    {
      event: yes,
      item: at("draft", { signals: [approves("draft", 1, false)], announced: told("draft", 1) }),
      seen: null,
    },
  ],
  [
    "one of a gate whose node another's answer names is still asked for",
    {
      event: yes,
      item: at("draft", { signals: [approves("approval", 1)], announced: told("draft", 1) }),
      seen: null,
    },
  ],
  [
    "a gate that was refused may be approved after all",
    {
      event: yes,
      item: at("draft", { signals: [approves("draft", 1, false)], announced: told("draft", 1) }),
      seen: seen(1),
    },
  ],
  [
    "an approval settles what critics could not",
    {
      event: yes,
      item: at("review", {
        signals: [...built, judged("escalated")],
        announced: told("review", 3),
      }),
      seen: seen(3),
    },
  ],
  [
    "an operator takes a node as it is",
    {
      event: operator("complete", null),
      item: at("build", { signals: [approves("draft", 2)] }),
      seen: seen(2),
    },
  ],
  [
    "an operator takes a node as it is before anybody can look",
    { event: operator("complete", "build"), item: at("draft"), seen: null },
  ],
  [
    "an operator leaves an optional node out",
    {
      event: operator("skip", "extra"),
      item: at("extra", { signals: [approves("draft", 1)] }),
      seen: seen(1),
    },
  ],
  [
    "an operator cannot leave out another",
    {
      event: operator("skip", "build"),
      item: at("build", { signals: [approves("draft", 2)] }),
      seen: seen(2),
    },
  ],
  [
    "nor one that there is not",
    {
      event: operator("complete", "gone"),
      item: at("build", { signals: [approves("draft", 2)] }),
      seen: seen(2),
    },
  ],
  [
    "work that goes back enters again what was left out after it",
    {
      event: advance,
      item: at("review", { signals: [...built, skipped("extra"), judged("rework")] }),
      seen: seen(0),
    },
  ],
  [
    "work that goes back keeps what was taken as it is, and what people said",
    {
      event: advance,
      item: at("approval", {
        signals: [
          ...built,
          judged("passed"),
          skipped("extra"),
          { ...skipped("review"), how: "accepted" } as GraphSignal,
        ],
      }),
      seen: seen(0),
    },
  ],
  [
    "work that goes back keeps what was left out before it",
    {
      event: advance,
      item: at("approval", { signals: [approves("draft", 1), skipped("extra")] }),
      seen: seen(1),
    },
  ],
  [
    "work that nobody can look at keeps what was left out",
    { event: advance, item: at("build", { signals: [skipped("extra")] }), seen: null },
  ],
  [
    "work that stays keeps what was left out after it",
    {
      event: advance,
      item: at("draft", { signals: [skipped("extra")], announced: told("draft", 1) }),
      seen: seen(1),
    },
  ],
  [
    "work that was left undone waits until somebody is told something",
    {
      event: advance,
      item: at("build", { signals: [approves("draft", 2)], waits: unfinished }),
      seen: seen(2),
    },
  ],
  [
    "and goes on with a word",
    {
      event: say,
      item: at("build", { signals: [approves("draft", 2)], waits: unfinished }),
      seen: seen(2),
    },
  ],
  [
    "and with the next node",
    {
      event: advance,
      item: at("extra", { signals: [approves("draft", 2)], waits: unfinished }, asking),
      seen: seen(2),
    },
  ],
  [
    "a gate that nobody can look at stays as it was",
    { event: advance, item: at("approval", { ...approval, waits: atGate }), seen: null },
  ],
  [
    "and waits for nobody once somebody is told something",
    { event: say, item: at("approval", { ...approval, waits: atGate }), seen: null },
  ],
  [
    "a gate that is no gate any more waits for nobody",
    {
      event: advance,
      item: at("build", { signals: [approves("draft", 2)], waits: atGate }),
      seen: seen(2),
    },
  ],
];

function carried({ event, item, seen: stands = null, onPull = false, ...over }: Given): {
  readonly decided: Decided;
  readonly after: Decided;
} {
  const target = onPull ? targetOf({ endpoint: pullRef, provenance: "recorded-link" }) : targetOf();
  const decided = settle(event, stateOf({ item, target }), policy);
  return {
    decided,
    after: carryGraph(decided, { graph, seen: stands, agentAtWork: null, ...over }, policy),
  };
}

function sentence(effect: Effect): string {
  if (effect.kind === "turn")
    return `turn of ${formatRef(effect.endpoint)}, ${effect.mode}, ${effect.authority}, at ${effect.node ?? "no node"}`;
  if (effect.kind === "phase-label")
    return `label ${effect.phase} of ${effect.phases.join(", ")} on ${formatRef(effect.workItem)}`;
  return effect.kind === "reply"
    ? `reply on ${formatRef(effect.thread)} at ${effect.node ?? "no node"}: ${effect.text}`
    : effect.kind;
}

function page([promise, given]: (typeof rows)[number]): string {
  const { decided, after } = carried(given);
  const record = after.after?.workItem?.graph;
  const { verdict, reason, effects } = after.decision;
  const signals = (record?.signals ?? [])
    .filter((each) => !(given.item.workItem?.graph?.signals ?? []).includes(each))
    .map((each) => `+ ${JSON.stringify(each)}`);
  const gone = (given.item.workItem?.graph?.signals ?? [])
    .filter((each) => !record?.signals.includes(each))
    .map((each) => `- ${each.kind} ${each.node}`);
  const lines = after.lines
    .slice(decided.lines.length)
    .map(({ kind, ...rest }) => `log ${kind} ${JSON.stringify(rest)}`);
  const stands = `${given.item.workItem?.graph?.node ?? "nowhere"} > ${record?.node ?? "nowhere"}, waits ${JSON.stringify(record?.waits)}, announced ${JSON.stringify(record?.announced)}`;
  return [
    `# ${promise}`,
    `${verdict.kind}, ${reason}`,
    stands,
    ...signals,
    ...gone,
    ...effects.map(sentence),
    `lanes ${after.after?.lanes.map(({ endpoint }) => endpoint).join(", ") ?? ""}`,
    ...lines,
  ].join("\n  ");
}

test("what an event does to the work stands in carried.txt", async () => {
  await expect(`${rows.map(page).join("\n\n")}\n`).toMatchFileSnapshot("carried.txt");
});

describe("an event is left as it was decided", () => {
  const settled = settle(advance, stateOf({ item: at("build") }), policy);
  test.each<readonly [when: string, decided: Decided]>([
    ["where there is no event", { ...settled, event: null }],
    ["where there is no state", { ...settled, state: null }],
    ["where it concerns no work item", { ...settled, state: stateOf({ target: null }) }],
    ["where nothing is on record after it", { ...settled, after: null }],
    [
      "where no work item is on record after it",
      { ...settled, after: { ...at("build"), workItem: null } },
    ],
    [
      "where a stranger spoke",
      settle(commentEvent("approved", { by: mallory }), stateOf({ item: at("build") }), policy),
    ],
    [
      "where nobody is told",
      {
        ...settle(say, stateOf({ item: at("build") }), policy),
        decision: {
          verdict: { kind: "delivered", endpoint: pullRef },
          reason: "input-of-authorized",
          effects: [],
        },
      },
    ],
    [
      "where somebody is answered and no session is told",
      {
        ...settle(say, stateOf({ item: at("build") }), policy),
        decision: {
          verdict: { kind: "delivered", endpoint: pullRef },
          reason: "input-of-authorized",
          effects: [{ kind: "reply", thread: pullRef, text: verbatimPost("Noted.") }],
        },
      },
    ],
    [
      "where the operator asks for something else",
      settle(
        controlEvent({ verb: "pause", login: null, instance: null }),
        stateOf({ item: at("build") }),
        policy,
      ),
    ],
    ["where it was only noted", { ...settled, event: say }],
    [
      "where the request was refused",
      {
        ...settled,
        decision: { ...settled.decision, verdict: { kind: "refused", verb: "graph" } },
      },
    ],
    [
      "where the operator asks and nothing runs",
      { ...settled, state: stateOf({ item: itemOf("stopped") }) },
    ],
  ])("%s", (_, decided) =>
    expect(carryGraph(decided, { graph, seen: seen(2), agentAtWork: null }, policy)).toBe(decided),
  );
});
