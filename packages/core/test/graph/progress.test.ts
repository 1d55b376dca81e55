import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nodeFinished } from "../../src/graph/may-end-turn.ts";
import { orderOf } from "../../src/graph/order.ts";
import {
  answerSubjectOf,
  type ConfiguredGraph,
  deriveProgress,
  type ObservedWork,
  progressAt,
  reworkNode,
  subjectOf,
} from "../../src/graph/progress.ts";
import type { GraphSignal } from "../../src/work-item/graph-record.ts";
import { toRefText } from "../../src/ref/ref.ts";
import { bundled, configured, node, row, upTo, written } from "./build.ts";

const graph = bundled("work-item");
const plain = configured(graph);
const at = 1_767_225_600_000;

function lacksAt(
  id: string,
  configuredGraph: ConfiguredGraph,
  observed: ObservedWork,
  signals: readonly GraphSignal[] = [],
): readonly string[] {
  return (progressAt(deriveProgress(configuredGraph, observed, signals), id)?.lacks ?? []).map(
    ({ owes, text }) => `${owes}: ${text}`,
  );
}

/** An answer at the gate of the work as it stands. */
function answer(observed: ObservedWork, approved = true, id = "human-approval"): GraphSignal {
  const gate = graph.nodes.find((each) => each.id === id) ?? node(id);
  return {
    kind: "answer",
    node: id,
    subject: subjectOf(gate, gate.scope, graph, observed),
    approved,
    by: "ada",
    delivery: "d1",
    at,
  };
}

describe("a node is complete", () => {
  test("when each artifact is there and every heading of it has text", () => {
    expect(lacksAt("requirements", plain, upTo(graph, "intake"))).toEqual([
      "session: requirements.md does not exist",
    ]);
    const half: ObservedWork = {
      ...upTo(graph, "intake"),
      artifacts: [
        ...upTo(graph, "intake").artifacts,
        { file: "requirements.md", digest: "1", filled: ["goal"] },
      ],
    };
    expect(lacksAt("requirements", plain, half)).toEqual([
      'session: requirements.md has no text under "Requirements"',
      'session: requirements.md has no text under "Out of scope"',
      'session: requirements.md has no text under "Assumptions"',
    ]);
    expect(lacksAt("requirements", plain, upTo(graph, "requirements"))).toEqual([]);
  });

  test("when the operator's hooks passed on just this state of the work", () => {
    const hooked = configured(graph, { hooks: [{ node: "intake", command: ["check"] }] });
    const observed = upTo(graph, "intake");
    const intake = graph.nodes[0] ?? node("intake");
    const ran = (failed: readonly string[], seen = observed): GraphSignal => ({
      kind: "hooks",
      node: "intake",
      subject: subjectOf(intake, "work-item", graph, seen),
      failed,
      at,
    });
    expect(lacksAt("intake", hooked, observed)).toEqual([
      "service: the checks of intake have not run on what stands there now",
    ]);
    expect(lacksAt("intake", hooked, observed, [ran(["`check` ended with 1"])])).toEqual([
      "session: `check` ended with 1",
    ]);
    expect(lacksAt("intake", hooked, observed, [ran([])])).toEqual([]);
    expect(lacksAt("intake", hooked, { ...observed, head: "b".repeat(40) }, [ran([])])).toEqual([
      "service: the checks of intake have not run on what stands there now",
    ]);
  });

  test("when the critics let it pass, each judging what stands there now", () => {
    const judged = configured(graph, { roster: ["security", "prose"] });
    const observed = upTo(graph, "review");
    const review = graph.nodes.find(({ id }) => id === "review") ?? node("review");
    const subject = subjectOf(review, review.scope, graph, observed);
    const signal = (outcome: "passed" | "rework" | "escalated" | "failed"): GraphSignal => ({
      kind: "critics",
      node: "review",
      subject,
      round: 1,
      outcome,
      findings: [
        {
          severity: "major",
          title: "No limit",
          detail: "",
          file: "a.ts",
          line: 3,
          critics: ["security"],
          rounds: 1,
        },
      ],
      why: "so",
      at,
    });
    expect(lacksAt("review", judged, observed)).toEqual([
      "service: no critic has judged what review looks at now",
    ]);
    expect(lacksAt("review", judged, observed, [signal("rework")])).toEqual([
      "session: major: No limit (a.ts:3), found by security",
    ]);
    expect(lacksAt("review", judged, observed, [signal("passed")])).toEqual([]);
    expect(lacksAt("review", judged, observed, [signal("escalated")])).toEqual([
      "person: the critics cannot settle it (so): a person decides",
    ]);
    expect(
      lacksAt("review", judged, observed, [signal("escalated"), answer(observed, true, "review")]),
    ).toEqual([]);
    expect(
      lacksAt("review", judged, { ...observed, head: "c".repeat(40) }, [signal("passed")]),
    ).toEqual(["service: no critic has judged what review looks at now"]);
    expect(lacksAt("review", plain, observed)).toEqual([]);
  });

  test("when an authorized user approved what stands there now, and nothing else at the gate", () => {
    const observed = upTo(graph, "review");
    expect(lacksAt("human-approval", plain, observed)).toEqual([
      "person: human-approval waits for the approval of an authorized user",
    ]);
    expect(lacksAt("human-approval", plain, observed, [answer(observed)])).toEqual([]);
    expect(lacksAt("human-approval", plain, observed, [answer(observed, false)])).toEqual([
      "session: @ada asked for changes, and nothing has changed since",
    ]);
    expect(
      lacksAt("human-approval", plain, observed, [
        { kind: "waived", node: "human-approval", how: "accepted", by: "operator", at },
        { kind: "waived", node: "human-approval", how: "skipped", by: "operator", at },
      ]),
    ).toEqual(["person: human-approval waits for the approval of an authorized user"]);
  });
});

test("what is lacking is named by its kind, one kind at a time", () => {
  const draft = node("draft", {
    produces: [{ file: "draft.md", headings: ["Goal"] }],
    critics: "all",
    gate: "human",
    scope: "work-item",
  });
  const gated = configured(row(draft, node("z", { terminal: true })), {
    roster: ["one"],
    hooks: [{ node: "draft", command: ["check"] }],
  });
  const whole: ObservedWork = {
    artifacts: [{ file: "draft.md", digest: "1", filled: ["goal"] }],
    head: "a",
    pullRequests: [],
  };
  const subject = subjectOf(draft, "work-item", gated.definition, whole);
  const hooks = (...failed: readonly string[]): GraphSignal => ({
    kind: "hooks",
    node: "draft",
    subject,
    failed,
    at,
  });
  const judged = (outcome: "passed" | "rework" | "escalated"): GraphSignal => ({
    kind: "critics",
    node: "draft",
    subject,
    at,
    round: 1,
    outcome,
    why: null,
    findings: [
      {
        severity: "major",
        title: "x",
        detail: "",
        file: null,
        line: null,
        critics: ["one"],
        rounds: 1,
      },
      {
        severity: "minor",
        title: "y",
        detail: "",
        file: null,
        line: null,
        critics: ["one"],
        rounds: 1,
      },
    ],
  });
  const said = (approved: boolean): GraphSignal => ({
    kind: "answer",
    node: "draft",
    subject,
    approved,
    by: "ada",
    delivery: "d",
    at,
  });
  const lacking = (observed: ObservedWork, ...signals: readonly GraphSignal[]): string => {
    const found = progressAt(deriveProgress(gated, observed, signals), "draft");
    return [
      found?.state,
      ...(found?.lacks ?? []).map(({ kind, owes }) => `${kind} of the ${owes}`),
    ].join(", ");
  };
  expect([
    lacking({ ...whole, artifacts: [] }),
    lacking({ ...whole, artifacts: [{ file: "draft.md", digest: "1", filled: [] }] }),
    lacking(whole),
    lacking(whole, hooks("no")),
    lacking(whole, hooks()),
  ]).toEqual([
    "incomplete, artifact of the session",
    "incomplete, heading of the session",
    "incomplete, hooks-not-run of the service",
    "incomplete, hook of the session",
    "incomplete, critics-not-run of the service",
  ]);
  expect(
    [judged("rework"), judged("escalated"), judged("passed")].map((each) =>
      lacking(whole, hooks(), each),
    ),
  ).toEqual([
    "incomplete, finding of the session",
    "waiting, escalated of the person",
    "waiting, approval of the person",
  ]);
  expect([
    lacking(whole, hooks(), judged("passed"), said(false)),
    lacking(whole, hooks(), judged("escalated"), said(false)),
    lacking(whole, hooks(), judged("escalated"), said(true)),
  ]).toEqual([
    "incomplete, rejected of the session",
    "incomplete, rejected of the session",
    "complete",
  ]);
  expect(
    progressAt(deriveProgress(gated, whole, [hooks(), judged("escalated")]), "draft")?.lacks[0]
      ?.text,
  ).toBe("the critics cannot settle it (): a person decides");
});

test("a node that was left out lacks nothing", () => {
  const definition = row(
    node("draft", { produces: [{ file: "draft.md", headings: [] }], optional: true }),
    node("z", { terminal: true }),
  );
  const progress = deriveProgress(
    configured(definition),
    { artifacts: [], head: "a", pullRequests: [] },
    [{ kind: "waived", node: "draft", how: "skipped", by: "operator", at }],
  );
  expect(progressAt(progress, "draft")).toMatchObject({ state: "skipped", lacks: [] });
});

describe("an approval holds for what was approved", () => {
  const observed = upTo(graph, "review");
  const link = toRefText("host:acme/other#7");
  if (link === null) throw new Error("a ref does not parse");
  const changes: Readonly<Record<string, ObservedWork>> = {
    "an artifact changed": {
      ...observed,
      artifacts: [...observed.artifacts.slice(1), { ...written(graph, "intake.md"), digest: "2" }],
    },
    "another commit is checked out": { ...observed, head: "b".repeat(40) },
    "a pull request was recorded": {
      ...observed,
      pullRequests: [{ ref: link, head: null, recorded: null }],
    },
  };
  for (const [what, changed] of Object.entries(changes))
    test(`no longer when ${what}`, () =>
      expect(lacksAt("human-approval", plain, changed, [answer(observed)])).not.toEqual([]));

  test("at a gate of single files that has none of its own, when one that leads to it changed, and not when another commit is checked out", () => {
    const gated = row(
      node("draft", { produces: [{ file: "draft.md", headings: [] }] }),
      node("look", { gate: "human", scope: "node" }),
      node("build", { produces: [{ file: "build.md", headings: [] }] }),
      node("z", { terminal: true }),
    );
    const seen = (draft: string, head: string): ObservedWork => ({
      artifacts: [
        { file: "draft.md", digest: draft, filled: [] },
        { file: "build.md", digest: head, filled: [] },
      ],
      head,
      pullRequests: [],
    });
    const look = gated.nodes[1] ?? node("look");
    const approved: GraphSignal = {
      kind: "answer",
      node: "look",
      subject: answerSubjectOf(look, gated, seen("1", "a")),
      approved: true,
      by: "ada",
      delivery: "d",
      at,
    };
    const lacksOf = (observed: ObservedWork): readonly string[] =>
      (
        progressAt(deriveProgress(configured(gated), observed, [approved]), "look")?.lacks ?? []
      ).map(({ kind }) => kind);
    expect([lacksOf(seen("1", "a")), lacksOf(seen("1", "b")), lacksOf(seen("2", "a"))]).toEqual([
      [],
      [],
      ["approval"],
    ]);
  });

  test("also when the artifacts are listed in another order", () => {
    expect(
      lacksAt(
        "human-approval",
        plain,
        { ...observed, artifacts: observed.artifacts.toReversed() },
        [answer(observed)],
      ),
    ).toEqual([]);
  });
});

describe("the position", () => {
  test("is the first node that is not complete, also when one after it is", () => {
    const holed: ObservedWork = {
      ...upTo(graph, "tasks"),
      artifacts: upTo(graph, "tasks").artifacts.filter(({ file }) => file !== "design.md"),
    };
    expect(deriveProgress(plain, holed, []).position.id).toBe("design");
  });

  test("passes over an optional node that was skipped, and over no other", () => {
    const optional = configured(
      row(
        node("a", { produces: [{ file: "a.md", headings: [] }], optional: true }),
        node("b", { produces: [{ file: "b.md", headings: [] }] }),
        node("z", { terminal: true }),
      ),
    );
    const skip = (id: string): GraphSignal => ({
      kind: "waived",
      node: id,
      how: "skipped",
      by: "operator",
      at,
    });
    const nothing: ObservedWork = { artifacts: [], head: null, pullRequests: [] };
    expect(deriveProgress(optional, nothing, [skip("a")]).position.id).toBe("b");
    expect(deriveProgress(optional, nothing, [skip("a"), skip("b")]).position.id).toBe("b");
    expect(
      deriveProgress(optional, nothing, [
        skip("a"),
        { kind: "waived", node: "b", how: "accepted", by: "operator", at },
      ]),
    ).toMatchObject({ complete: true, position: { id: "z" } });
  });

  test("goes forth and back with what stands there, and with nothing else", () => {
    fc.assert(
      fc.property(
        fc.subarray(orderOf(graph).flatMap(({ produces }) => produces.map(({ file }) => file))),
        (files) => {
          const observed: ObservedWork = {
            artifacts: files.map((file) => written(graph, file)),
            head: null,
            pullRequests: [],
          };
          const { position, complete } = deriveProgress(plain, observed, [answer(observed)]);
          const first = orderOf(graph).find(({ produces }) =>
            produces.some(({ file }) => !files.includes(file)),
          );
          expect(position.id).toBe(first?.id ?? "complete");
          expect(complete).toBe(first === undefined);
          expect(
            deriveProgress(plain, { ...observed, artifacts: observed.artifacts.toReversed() }, [
              answer(observed),
            ]).position.id,
          ).toBe(position.id);
        },
      ),
    );
  });
});

describe("a session may end its turn", () => {
  test("when its node is complete, whatever comes next", () => {
    expect(nodeFinished(deriveProgress(plain, upTo(graph, "design"), []), "design", false)).toEqual(
      { answer: "complete", node: "design", missing: [] },
    );
  });

  test("not while its node lacks something, or what was complete before it does no more", () => {
    expect(
      nodeFinished(deriveProgress(plain, upTo(graph, "intake"), []), "requirements", false),
    ).toEqual({
      answer: "incomplete",
      node: "requirements",
      missing: ["requirements.md does not exist"],
    });
    const holed: ObservedWork = {
      ...upTo(graph, "tasks"),
      artifacts: upTo(graph, "tasks").artifacts.slice(1),
    };
    expect(nodeFinished(deriveProgress(plain, holed, []), "tasks", false)).toEqual({
      answer: "incomplete",
      node: "intake",
      missing: ["intake.md does not exist"],
    });
  });

  test("when a person must speak first: a gate, or a question without an answer", () => {
    expect(
      nodeFinished(deriveProgress(plain, upTo(graph, "review"), []), "human-approval", false),
    ).toMatchObject({ answer: "waiting", node: "human-approval" });
    expect(
      nodeFinished(deriveProgress(plain, upTo(graph, null), []), "intake", true),
    ).toMatchObject({
      answer: "waiting",
      missing: ["a question has no answer yet", "intake.md does not exist"],
    });
  });

  test("when only the service has something left to do", () => {
    const judged = configured(graph, { roster: ["security"] });
    expect(
      nodeFinished(deriveProgress(judged, upTo(graph, "review"), []), "review", false),
    ).toMatchObject({ answer: "complete", node: "review" });
  });

  test("where nobody was asked, by the first node that is open", () => {
    expect(nodeFinished(deriveProgress(plain, upTo(graph, null), []), null, false)).toMatchObject({
      answer: "incomplete",
      node: "intake",
    });
    expect(
      nodeFinished(deriveProgress(plain, upTo(graph, null), []), "no-such-node", false),
    ).toMatchObject({ answer: "incomplete", node: "intake" });
    expect(
      nodeFinished(
        deriveProgress(plain, upTo(graph, "review"), [answer(upTo(graph, "review"))]),
        null,
        false,
      ),
    ).toMatchObject({ answer: "complete", node: "complete" });
  });
});

test("what is rejected is taken up where an edge says so, else where it was rejected", () => {
  expect(reworkNode(graph.nodes.find(({ id }) => id === "review") ?? node("x"), graph).id).toBe(
    "implementation",
  );
  const own = row(node("a", { gate: "human" }), node("z", { terminal: true }));
  expect(reworkNode(own.nodes[0] ?? node("x"), own).id).toBe("a");
  const several = row(
    node("a"),
    node("b", { gate: "human" }),
    node("c", { gate: "human" }),
    node("z", { terminal: true }),
  );
  const edges = [
    ...several.edges,
    { from: "b", to: "a", when: "rejected" as const },
    { from: "c", to: "b", when: "rejected" as const },
  ];
  expect(several.nodes.map((each) => reworkNode(each, { ...several, edges }).id)).toEqual([
    "a",
    "a",
    "b",
    "z",
  ]);
});
