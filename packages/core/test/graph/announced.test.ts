import { describe, expect, test } from "vitest";
import { settle } from "../../src/flow.ts";
import { carryGraph, type GraphFacts } from "../../src/graph/advance.ts";
import {
  deriveProgress,
  type ObservedWork,
  progressAt,
  subjectOf,
} from "../../src/graph/progress.ts";
import type { CommentEvent, InboundEvent } from "../../src/event/event.ts";
import type { Decided } from "../../src/decide/decision-row.ts";
import {
  alice,
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
  sessionOf,
  stateOf,
  targetOf,
} from "../../src/testing/build-state.ts";
import type { ItemState } from "../../src/work-item/records.ts";
import { bundled, configured, node as someNode, row, upTo } from "./build.ts";

const graph = bundled("work-item");
const policy = policyOf({ authorizedUsers: new Set(["alice", "bob"]) });
const gate = upTo(graph, "review");
const changed = { ...gate, head: "b".repeat(40) };
const advance = controlEvent({ verb: "graph", step: "advance", node: null });
const pull = { ...issueRef, number: 12 };
const noon = hostNoonMs;

type Given = {
  readonly seen?: Omit<ObservedWork, "pullRequests"> | null;
  readonly now?: number;
  readonly onPull?: boolean;
} & Partial<GraphFacts>;

function carried(
  event: InboundEvent,
  item: ItemState,
  { seen = gate, now = noon, onPull = false, ...over }: Given = {},
): Decided {
  const target = onPull ? targetOf({ endpoint: pull, provenance: "recorded-link" }) : targetOf();
  return carryGraph(
    settle(event, stateOf({ item, now, target }), policy),
    { graph: configured(graph), seen, agentAtWork: null, ...over },
    policy,
  );
}

/** An item that was last asked for what comes before its gate. */
function withoutGate(pullRequests: ItemState["pullRequests"] = []): ItemState {
  const item = itemOf("started", { sessions: [sessionOf()], pullRequests });
  if (item.workItem === null) throw new Error("no record");
  return {
    ...item,
    workItem: { ...item.workItem, graph: { graph: "work-item", node: "review", signals: [] } },
  };
}

/** An item whose gate was told of on its thread, with what stands there then. */
function announced(over: Given = {}, pullRequests: ItemState["pullRequests"] = []): ItemState {
  const before = withoutGate(pullRequests);
  return carried(advance, before, over).after ?? before;
}

const said = (seconds: number, over: Parameters<typeof commentEvent>[1] = {}): CommentEvent =>
  commentEvent("approved", {
    ...over,
    comment: {
      createdAt: `2026-03-01T12:00:${String(seconds).padStart(2, "0")}Z`,
      ...over.comment,
    },
  });
const reviewed = (commitId: string | null, shown: string, state = "approved"): CommentEvent =>
  commentEvent("", {
    surface: "review",
    item: pullRequestOf({ branches: { ...branches, headSha: shown } }),
    comment: { reviewState: state, commitId },
  });
const branches = {
  head: "issue-7",
  headSha: "",
  headRepository: "octo/shop",
  base: "main",
  sameRepository: true,
};
const nodeOf = ({ after }: Decided): string | undefined => after?.workItem?.graph?.node;
const replies = ({ decision }: Decided): readonly string[] =>
  decision.effects.flatMap((effect) => (effect.kind === "reply" ? [effect.text] : []));
const refusals = ({ lines }: Decided): readonly (string | null)[] =>
  lines.filter(({ kind }) => kind === "graph.not-taken").map(({ reason }) => reason);

describe("an approval is bound to the state that its gate was announced with", () => {
  test("of that state it opens the gate, without a word on the thread", () => {
    const open = carried(said(1), announced());
    expect([nodeOf(open), replies(open), refusals(open)]).toEqual(["complete", [], []]);
  });

  test("once the state is another it is not taken: the gate is announced anew, the thread says so, and the next one counts", () => {
    const stale = carried(said(1), announced(), { seen: changed, now: noon + 5_000 });
    expect([nodeOf(stale), stale.after?.workItem?.graph?.signals, refusals(stale)]).toEqual([
      "human-approval",
      [],
      ["changed"],
    ]);
    expect(replies(stale)).toEqual([
      expect.stringMatching(
        /^The answer of @alice is not taken: what stands there has changed since the gate was announced\. \*\*Approval\*\*: human-approval waits/,
      ),
    ]);
    expect(stale.after?.workItem?.graph?.announced).toMatchObject({
      node: "human-approval",
      at: noon + 5_000,
    });
    const again = carried(said(6), stale.after ?? announced(), {
      seen: changed,
      now: noon + 7_000,
    });
    expect([nodeOf(again), replies(again)]).toEqual(["complete", []]);
  });

  test("a pull request that was recorded since is another state", () => {
    const linked = { ...announced(), pullRequests: [linkOf()] };
    expect(refusals(carried(said(1), linked))).toEqual(["changed"]);
  });

  test("so is what stands in the checkout without being committed, and the thread is told that something does", () => {
    const loose = { ...gate, uncommitted: "M draft" };
    const stale = carried(said(1), announced(), { seen: loose, now: noon + 2_000 });
    expect([nodeOf(stale), refusals(stale), replies(stale).join("")]).toEqual([
      "human-approval",
      ["changed"],
      expect.stringContaining("Not everything that stands there is committed."),
    ]);
    expect(nodeOf(carried(said(3), stale.after ?? announced(), { seen: loose }))).toBe("complete");
    const done = carried(said(1), announced()).after ?? announced();
    expect(nodeOf(carried(advance, done, { seen: loose }))).toBe("human-approval");
  });

  test("so is the head of a pull request of the own repository, where it is not what is checked out", () => {
    const [here, pushed] = ["a".repeat(40), "e".repeat(40)];
    expect(nodeOf(carried(said(1), { ...announced({}, [linkOf({ headSha: here })]) }))).toBe(
      "complete",
    );
    const moved = {
      ...announced({}, [linkOf({ headSha: here })]),
      pullRequests: [linkOf({ headSha: pushed })],
    };
    expect(refusals(carried(said(1), moved))).toEqual(["changed"]);
  });

  test("commits that nobody has pushed are named to the person, who can see them nowhere else; pushing them asks nobody again", () => {
    const [one, two] = ["a".repeat(40), "e".repeat(40)];
    const told = (unpushed: readonly string[] | null): string =>
      replies(carried(advance, withoutGate(), { unpushed })).join("");
    expect(told([one, two])).toContain(
      "2 commits that stand there are not pushed, so that they can be seen in the checkout alone: aaaaaaaaaa, eeeeeeeeee. To approve",
    );
    expect(told([one])).toContain(
      "1 commit that stands there is not pushed, so that it can be seen in the checkout alone: aaaaaaaaaa. To approve",
    );
    expect(told(Array.from({ length: 9 }, () => one))).toContain(
      "9 commits that stand there are not pushed, so that they can be seen in the checkout alone: aaaaaaaaaa, aaaaaaaaaa, aaaaaaaaaa, aaaaaaaaaa, aaaaaaaaaa and 4 more. To",
    );
    for (const nothing of [[], null]) expect(told(nothing)).not.toContain("pushed");
    const open = carried(advance, withoutGate(), { unpushed: [one] }).after ?? announced();
    expect(replies(carried(advance, open, { unpushed: [] }))).toEqual([]);
    expect(nodeOf(carried(said(1), open, { unpushed: [] }))).toBe("complete");
  });

  test("what an approval at a gate of single files covers is told: other work may change without asking again", () => {
    const definition = row(
      someNode("draft", { produces: [{ file: "draft.md", headings: [] }], gate: "human" }),
      someNode("z", { terminal: true }),
    );
    const item = withoutGate();
    const open = carryGraph(
      settle(advance, stateOf({ item, now: noon, target: targetOf() }), policy),
      {
        graph: configured(definition),
        seen: { artifacts: [{ file: "draft.md", digest: "1", filled: [] }], head: "a" },
        agentAtWork: null,
      },
      policy,
    );
    expect(replies(open).join("")).toContain(
      "An answer here is about draft.md and nothing else. To approve",
    );
    expect(replies(carried(advance, item)).join("")).not.toContain("nothing else");
  });

  test("words of before the announcement do not count, however late they are heard, and the thread says so", () => {
    const item = announced({ now: noon + 3_400 });
    for (const second of [0, 2]) {
      const early = carried(said(second), item, { now: noon + 9_000 });
      expect([nodeOf(early), refusals(early), replies(early).join("")]).toEqual([
        "human-approval",
        ["early"],
        expect.stringContaining("it was written before the gate was announced"),
      ]);
    }
    // The host tells whole seconds: within one of them the order of arrival counts.
    expect(nodeOf(carried(said(3), item, { now: noon + 9_000 }))).toBe("complete");
  });

  test("a gate that nobody was told of is announced, not opened", () => {
    const item = itemOf("started", { sessions: [sessionOf()] });
    const reached =
      item.workItem === null
        ? item
        : {
            ...item,
            workItem: {
              ...item.workItem,
              graph: { graph: "work-item", node: "human-approval", signals: [] },
            },
          };
    const first = carried(said(1), reached);
    expect([nodeOf(first), refusals(first)]).toEqual(["human-approval", ["early"]]);
    expect(first.after?.workItem?.graph?.announced?.node).toBe("human-approval");
  });

  test("changes that are asked for where critics cannot settle it are owed by the session", () => {
    const roster = configured(graph, { roster: ["careful"] });
    const item = itemOf("started", { sessions: [sessionOf()] });
    const subject = subjectOf(
      graph.nodes.find(({ id }) => id === "review") ?? someNode("review"),
      "work-item",
      graph,
      gate,
    );
    const escalated = {
      kind: "critics",
      node: "review",
      subject,
      at: 1,
      round: 6,
      outcome: "escalated",
      findings: [],
      why: "x",
    } as const;
    const stuck =
      item.workItem === null
        ? item
        : {
            ...item,
            workItem: {
              ...item.workItem,
              graph: { graph: "work-item", node: "review", signals: [escalated] },
            },
          };
    const asked = carried(
      commentEvent("", { surface: "review", comment: { reviewState: "changes_requested" } }),
      stuck,
      { graph: roster },
    );
    const progress = deriveProgress(
      roster,
      { ...gate, pullRequests: [] },
      asked.after?.workItem?.graph?.signals ?? [],
    );
    expect(progressAt(progress, "review")).toMatchObject({
      state: "incomplete",
      lacks: [
        {
          owes: "session",
          kind: "rejected",
          text: "@alice asked for changes, and nothing has changed since",
        },
      ],
    });
  });

  test("what asks for changes needs no announcement: it opens nothing", () => {
    const asks = carried(
      reviewed("c".repeat(40), "c".repeat(40), "changes_requested"),
      announced(),
    );
    expect(asks.after?.workItem?.graph?.signals).toMatchObject([
      { kind: "answer", approved: false },
    ]);
  });
});

describe("a review is of a commit", () => {
  const [head, other] = ["a".repeat(40), "d".repeat(40)];
  const links = [linkOf({ headSha: head })];

  test("of the recorded head of its pull request it counts", () => {
    expect(nodeOf(carried(reviewed(head, head), announced({}, links), { onPull: true }))).toBe(
      "complete",
    );
  });

  test("of another commit, or of none that anybody tells, it does not, and the thread says which", () => {
    const older = carried(reviewed(other, head), announced({}, links), { onPull: true });
    expect([nodeOf(older), refusals(older), replies(older).join("")]).toEqual([
      "human-approval",
      ["other-commit"],
      expect.stringContaining(
        "the review is of dddddddddd, and the head of its pull request is aaaaaaaaaa",
      ),
    ]);
    expect(refusals(carried(reviewed(null, head), announced({}, links), { onPull: true }))).toEqual(
      ["other-commit"],
    );
  });

  test("of a head that came after the announcement it does not", () => {
    const foreign = [
      linkOf({
        pullRequest: "host:octo/other#12" as ItemState["pullRequests"][number]["pullRequest"],
        headSha: head,
      }),
    ];
    const moved = {
      ...announced({}, foreign),
      pullRequests: [
        linkOf({
          pullRequest: foreign[0]?.pullRequest as ItemState["pullRequests"][number]["pullRequest"],
          headSha: other,
        }),
      ],
    };
    expect(refusals(carried(said(1), moved))).toEqual(["changed"]);
  });
});

describe("an answer that is not taken is never passed over in silence", () => {
  test("that of the operator while a turn runs, whose agent may have written it", () => {
    const atWork = carried(said(1), announced(), { agentAtWork: { own: alice } });
    expect([nodeOf(atWork), refusals(atWork), replies(atWork).join("")]).toEqual([
      "human-approval",
      ["agent-at-work"],
      expect.stringContaining(
        "a turn ran when it was written, and its agent may have written it under this login; write it again when no turn runs",
      ),
    ]);
    const asks = carried(
      commentEvent("", { surface: "review", comment: { reviewState: "changes_requested" } }),
      announced(),
      { agentAtWork: { own: alice } },
    );
    expect([asks.after?.workItem?.graph?.signals, refusals(asks)]).toEqual([[], ["agent-at-work"]]);
  });

  test("that of another authorized user meanwhile is taken", () => {
    const bob = { ...alice, login: "bob", id: "2" };
    expect(
      nodeOf(carried(said(1, { by: bob }), announced(), { agentAtWork: { own: alice } })),
    ).toBe("complete");
  });

  test("where what stands there is not finished any more, or nobody can look at it", () => {
    const unfinished = carried(said(1), announced(), { seen: upTo(graph, "tasks") });
    expect([nodeOf(unfinished), refusals(unfinished), replies(unfinished).join("")]).toEqual([
      "implementation",
      ["not-open"],
      expect.stringContaining("what stands there is not finished"),
    ]);
    expect(refusals(carried(said(1), announced(), { seen: null }))).toEqual(["no-checkout"]);
  });

  test("but only at a gate that was announced: elsewhere the same words are input like any other", () => {
    const item = itemOf("started", { sessions: [sessionOf()] });
    const earlier =
      item.workItem === null
        ? item
        : {
            ...item,
            workItem: {
              ...item.workItem,
              graph: { graph: "work-item", node: "tasks", signals: [] },
            },
          };
    const lgtm = carried(said(1), earlier, {
      seen: upTo(graph, "test-plan"),
      agentAtWork: { own: alice },
    });
    expect([replies(lgtm), refusals(lgtm)]).toEqual([[], []]);
    const done = carried(said(1), announced()).after ?? item;
    expect(refusals(carried(said(2), done, { agentAtWork: { own: alice } }))).toEqual([]);
  });
});
