import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redecide } from "../../src/decide/replay.ts";
import { settle } from "../../src/flow.ts";
import { carryGraph, type GraphFacts } from "../../src/graph/advance.ts";
import type { GraphNode } from "../../src/graph/model.ts";
import { type ObservedWork, subjectOf } from "../../src/graph/progress.ts";
import { refuseRequest } from "../../src/graph/refuse.ts";
import type { Provenance } from "../../src/linking/target.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import type { Decided } from "../../src/decide/decision-row.ts";
import {
  alice,
  carol,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoonMs,
  mallory,
  pullRequestOf,
  someBot,
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
import { formatRef } from "../../src/ref/ref.ts";
import { noAnswers } from "../../src/linking/resolve.ts";
import { bundled, configured, node as someNode, row, upTo } from "./build.ts";

const graph = bundled("work-item");
const policy = policyOf();
const advance = controlEvent({ verb: "graph", step: "advance", node: null });
const collaborators = [{ login: "carol", id: "3", grantedBy: "alice", at: 0 }];

/**
 * The event decided on an item at work, with what stands in its checkout, and carried through the
 * graph.
 */
function carried(
  event: InboundEvent,
  seen: Omit<ObservedWork, "pullRequests"> | null,
  item: ItemState = atWork(),
  over: Partial<GraphFacts> = {},
): Decided {
  const decided = settle(event, stateOf({ item }), policy);
  return carryGraph(
    decided,
    { graph: configured(graph), seen, agentAtWork: null, ...over },
    policy,
  );
}

function atWork(node: string | null = null): ItemState {
  const item = itemOf("started", { sessions: [sessionOf()], collaborators });
  const announced =
    node === "human-approval"
      ? {
          node,
          subject: subjectOf(definitionOf(node), "work-item", graph, upTo(graph, "review")),
          at: hostNoonMs,
        }
      : null;
  return node === null || item.workItem === null
    ? item
    : {
        ...item,
        workItem: { ...item.workItem, graph: { graph: "work-item", node, signals: [], announced } },
      };
}

const definitionOf = (id: string): GraphNode =>
  graph.nodes.find((node) => node.id === id) ?? someNode(id);
const nodeOf = ({ after }: Decided): string | undefined => after?.workItem?.graph?.node;
const does = ({ decision }: Decided): readonly string[] =>
  decision.effects.map((effect) =>
    effect.kind === "phase-label"
      ? `label ${effect.phase}`
      : effect.kind === "turn"
        ? `turn ${effect.node ?? ""}`.trim()
        : effect.kind,
  );

describe("an event moves the work", () => {
  test("one node on, never more, however far the artifacts are", () => {
    const once = carried(advance, upTo(graph, "tasks"), atWork("intake"));
    expect([nodeOf(once), does(once)]).toEqual([
      "requirements",
      ["label requirements", "turn requirements"],
    ]);
    const twice = carried(advance, upTo(graph, "tasks"), once.after ?? atWork());
    expect([nodeOf(twice), does(twice)]).toEqual(["design", ["label design", "turn design"]]);
  });

  test("nowhere while the node lacks something", () => {
    const stays = carried(advance, upTo(graph, "intake"), atWork("requirements"));
    expect([nodeOf(stays), does(stays)]).toEqual(["requirements", []]);
  });

  test("back to what is no more complete, whatever was remembered", () => {
    expect(nodeOf(carried(advance, upTo(graph, "intake"), atWork("verification")))).toBe(
      "requirements",
    );
    expect(nodeOf(carried(advance, upTo(graph, "intake"), atWork("no-such-node")))).toBe(
      "requirements",
    );
  });

  test("to its entry where it was never asked for anything, also before there is a checkout", () => {
    const first = carried(commentEvent("Please begin."), null);
    expect([nodeOf(first), does(first)]).toEqual(["intake", ["turn", "label intake"]]);
  });

  test("and is told to the session once: what a person says brings the task with it", () => {
    const told = carried(commentEvent("Go on, please."), upTo(graph, "intake"), atWork("intake"));
    expect(does(told)).toEqual(["turn", "label requirements"]);
  });

  test("but asks nothing more of a session that waits for an answer: that brings the task", () => {
    const item = atWork("intake");
    const asking = {
      ...item,
      sessions: item.sessions.map((session) => ({
        ...session,
        asked: { text: "Which tap?", at: 1 },
      })),
    };
    const moved = carried(advance, upTo(graph, "intake"), asking);
    expect([nodeOf(moved), does(moved)]).toEqual(["requirements", ["label requirements"]]);
    const answered = carried(
      commentEvent("The left one."),
      upTo(graph, "intake"),
      moved.after ?? asking,
    );
    expect(does(answered)).toEqual(["turn"]);
    expect(answered.decision.effects).toHaveLength(1);
  });

  test("not at all where nobody hears it, or nothing is at work", () => {
    for (const event of [
      commentEvent("approved", { by: mallory }),
      controlEvent({ verb: "stop", login: null, instance: null }),
    ]) {
      const decided = settle(event, stateOf({ item: atWork("intake") }), policy);
      expect(
        carryGraph(
          decided,
          { graph: configured(graph), seen: upTo(graph, "review"), agentAtWork: null },
          policy,
        ),
      ).toBe(decided);
    }
    expect(nodeOf(carried(advance, upTo(graph, "intake"), itemOf("stopped")))).toBeUndefined();
  });
});

describe("a human gate", () => {
  const gate = upTo(graph, "review");

  test("is told of on the thread once for each state of the work, and wakes nobody", () => {
    const open = carried(advance, gate, atWork("review"));
    expect([nodeOf(open), does(open)]).toEqual([
      "human-approval",
      ["label human-approval", "reply"],
    ]);
    expect(does(carried(advance, gate, open.after ?? atWork()))).toEqual([]);
    expect(
      does(carried(advance, { ...gate, head: "b".repeat(40) }, open.after ?? atWork())),
    ).toEqual(["reply"]);
  });

  test("is opened by an authorized user's comment or review, and the work is complete", () => {
    for (const event of [
      commentEvent("approved"),
      commentEvent("", {
        surface: "review",
        item: pullRequestOf(),
        comment: { reviewState: "approved", commitId: "a".repeat(40) },
      }),
    ]) {
      const answered = carried(event, gate, atWork("human-approval"));
      expect([nodeOf(answered), does(answered)]).toEqual(["complete", ["turn", "label complete"]]);
      expect(answered.after?.workItem?.graph?.signals).toMatchObject([
        { kind: "answer", node: "human-approval", approved: true, by: "alice" },
      ]);
    }
  });

  test("is opened by nobody and nothing else", () => {
    const others: readonly InboundEvent[] = [
      commentEvent("approved", { by: mallory }),
      commentEvent("approved", { by: carol }),
      commentEvent("", { by: carol, surface: "review", comment: { reviewState: "approved" } }),
      commentEvent("approved", { change: "edited" }),
      commentEvent("Can this be approved?", { by: alice }),
      controlEvent({ verb: "say", text: "approved" }),
      controlEvent({ verb: "graph", step: "complete", node: "human-approval" }),
      controlEvent({ verb: "graph", step: "skip", node: "human-approval" }),
    ];
    for (const event of others) {
      const { after } = carried(event, gate, atWork("human-approval"));
      expect([event.kind, after?.workItem?.graph?.node ?? "human-approval"]).toEqual([
        event.kind,
        "human-approval",
      ]);
    }
  });

  test("is opened by a word about the work alone: on its thread or a pull request on record, not on one that anybody opened and that names the item", () => {
    const answered = (provenance: Provenance, event: InboundEvent): string | undefined => {
      const decided = settle(
        event,
        stateOf({ item: atWork("human-approval"), target: targetOf({ provenance }) }),
        policy,
      );
      return nodeOf(
        carryGraph(decided, { graph: configured(graph), seen: gate, agentAtWork: null }, policy),
      );
    };
    for (const event of [
      commentEvent("lgtm"),
      commentEvent("", { surface: "review", comment: { reviewState: "approved" } }),
      commentEvent("", { surface: "review", comment: { reviewState: "changes_requested" } }),
    ]) {
      for (const provenance of [
        "closing-reference",
        "closing-keyword",
        "head-branch",
        "head-sha",
      ] as const)
        expect([provenance, answered(provenance, event)]).toEqual([provenance, "human-approval"]);
    }
    for (const provenance of ["itself", "recorded-link"] as const)
      expect(answered(provenance, commentEvent("lgtm"))).toBe("complete");
  });

  test("is for a person: a bot that is listed by its exact name is heard and opens none", () => {
    const listed = policyOf({ authorizedUsers: new Set(["alice", "helper[bot]"]) });
    for (const event of [
      commentEvent("approved", { by: someBot }),
      commentEvent("", { by: someBot, surface: "review", comment: { reviewState: "approved" } }),
    ]) {
      const decided = settle(event, stateOf({ item: atWork("human-approval") }), listed);
      expect(decided.decision.verdict.kind).toBe("delivered");
      expect(
        nodeOf(
          carryGraph(decided, { graph: configured(graph), seen: gate, agentAtWork: null }, listed),
        ),
      ).toBe("human-approval");
    }
  });

  test("is not opened before the work has come to it, nor by what an agent at work may have written", () => {
    expect(
      carried(commentEvent("approved"), upTo(graph, "tasks"), atWork("tasks")).after?.workItem
        ?.graph?.signals,
    ).toEqual([]);
    expect(
      nodeOf(
        carried(commentEvent("approved"), gate, atWork("human-approval"), {
          agentAtWork: { own: alice },
        }),
      ),
    ).toBe("human-approval");
    expect(nodeOf(carried(commentEvent("approved"), null, atWork("human-approval")))).toBe(
      "human-approval",
    );
  });

  test("closes again when the work changes after the approval", () => {
    const done =
      carried(commentEvent("approved"), gate, atWork("human-approval")).after ?? atWork();
    const changed = carried(advance, { ...gate, head: "b".repeat(40) }, done);
    expect([nodeOf(changed), does(changed)]).toEqual([
      "human-approval",
      ["label human-approval", "reply"],
    ]);
    expect(nodeOf(carried(advance, gate, { ...done, pullRequests: [linkOf()] }))).toBe(
      "human-approval",
    );
  });
});

describe("an operator", () => {
  const complete = controlEvent({ verb: "graph", step: "complete", node: "intake" });
  const kinds = ({ lines }: Decided): readonly (readonly [string, string | null])[] =>
    lines.filter(({ kind }) => kind.startsWith("graph.")).map(({ kind, reason }) => [kind, reason]);

  test("takes a node as it is, which the log says, until what the node produces is another", () => {
    const taken = carried(complete, upTo(graph, null), atWork("intake"));
    expect([nodeOf(taken), kinds(taken)[0]]).toEqual([
      "requirements",
      ["graph.waived", "accepted"],
    ]);
    expect(
      nodeOf(
        carried(advance, { ...upTo(graph, null), head: "b".repeat(40) }, taken.after ?? atWork()),
      ),
    ).toBe("requirements");
    const half = {
      ...upTo(graph, null),
      artifacts: [{ file: "intake.md", digest: "2", filled: [] }],
    };
    expect(nodeOf(carried(advance, half, taken.after ?? atWork()))).toBe("intake");
  });

  test("is refused, which the command and the log tell, when a node cannot be left out or is not there", () => {
    for (const [step, node, why, reason] of [
      ["skip", "intake", "not-optional", "node-not-optional"],
      ["complete", "no-such-node", "no-such-node", "no-such-node"],
    ] as const) {
      const asked = carried(
        controlEvent({ verb: "graph", step, node }),
        upTo(graph, null),
        atWork("intake"),
      );
      expect([step, ...kinds(asked)]).toContainEqual(["graph.not-taken", why]);
      expect(asked.decision).toMatchObject({ verdict: { kind: "refused", verb: "graph" }, reason });
      expect(asked.lines.find(({ kind }) => kind === "delivery.decided")).toMatchObject({
        level: "warn",
        reason,
        fields: { verdict: "refused" },
      });
      // Decided anew without the artifacts of that time it is the same decision.
      const found = {
        answers: noAnswers,
        asked: "nothing",
        loaded: [formatRef(issueRef)],
        confirmed: null,
        own: null,
      } as const;
      expect(
        redecide(
          {
            event: asked.event,
            state: stateOf({ item: atWork("intake"), found }),
            decision: asked.decision,
          },
          policy,
        ),
      ).toEqual({ kind: "same" });
    }
  });

  test("is refused where there is no graph, or one that cannot be used; what others say is left as it was decided", () => {
    for (const reason of ["no-graph", "graph-broken"] as const) {
      const decided = settle(advance, stateOf({ item: atWork("intake") }), policy);
      expect(refuseRequest(decided, reason).decision).toMatchObject({
        verdict: { kind: "refused", verb: "graph" },
        reason,
      });
      const said = settle(commentEvent("Go on."), stateOf({ item: atWork("intake") }), policy);
      expect(refuseRequest(said, reason)).toBe(said);
      const closed = settle(closedEvent(), stateOf({ item: itemOf("closed") }), policy);
      expect([closed.decision.verdict.kind, refuseRequest(closed, reason) === closed]).toEqual([
        "noted",
        true,
      ]);
      const refused = settle(advance, stateOf({ item: itemOf("stopped") }), policy);
      expect(refuseRequest(refused, reason)).toBe(refused);
    }
  });

  test("leaves an optional node out until what it produces is another, or the work goes back to before it", () => {
    const definition = row(
      someNode("one", { produces: [{ file: "one.md", headings: [] }] }),
      someNode("two", { produces: [{ file: "two.md", headings: [] }], optional: true }),
      someNode("three", { produces: [{ file: "three.md", headings: [] }] }),
      someNode("z", { terminal: true }),
    );
    const at = (event: InboundEvent, item: ItemState, ...files: readonly string[]): Decided =>
      carryGraph(
        settle(event, stateOf({ item }), policy),
        {
          graph: configured(definition),
          seen: { artifacts: files.map((file) => ({ file, digest: "1", filled: [] })), head: "a" },
          agentAtWork: null,
        },
        policy,
      );
    const begun = at(commentEvent("Begin."), atWork(), "one.md").after ?? atWork();
    expect(begun.workItem?.graph?.node).toBe("two");
    const left =
      at(controlEvent({ verb: "graph", step: "skip", node: "two" }), begun, "one.md").after ??
      begun;
    expect([left.workItem?.graph?.node, nodeOf(at(advance, left, "one.md", "three.md"))]).toEqual([
      "three",
      "z",
    ]);
    // It was written after all, and half of it: the node is worked at like every other.
    const half = carryGraph(
      settle(advance, stateOf({ item: left }), policy),
      {
        graph: configured({
          ...definition,
          nodes: definition.nodes.map((each) =>
            each.id === "two"
              ? { ...each, produces: [{ file: "two.md", headings: ["Goal"] }] }
              : each,
          ),
        }),
        seen: {
          artifacts: ["one.md", "two.md"].map((file) => ({ file, digest: "1", filled: [] })),
          head: "a",
        },
        agentAtWork: null,
      },
      policy,
    );
    expect(nodeOf(half)).toBe("two");
    // That was taken away again: what stands there now is what was left out.
    expect(nodeOf(at(advance, half.after ?? left, "one.md"))).toBe("three");
    // What comes before it is done anew, and then it is entered again.
    const back = at(advance, left).after ?? left;
    expect(back.workItem?.graph?.node).toBe("one");
    expect(nodeOf(at(advance, back, "one.md"))).toBe("two");
  });
});

test("a stranger's words and a collaborator's never move anything, whatever they are", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(mallory, carol),
      fc.oneof(fc.constant("approved"), fc.constant("LGTM"), fc.string()),
      fc.constantFrom(null, "approved", "changes_requested"),
      (by, words, reviewState) => {
        const surface = reviewState === null ? "conversation" : "review";
        const { after } = carried(
          commentEvent(words, { by, surface, comment: { reviewState } }),
          upTo(graph, "review"),
          atWork("human-approval"),
        );
        const record = after?.workItem?.graph;
        expect([record?.node ?? "human-approval", record?.signals ?? []]).toEqual([
          "human-approval",
          [],
        ]);
      },
    ),
  );
});
