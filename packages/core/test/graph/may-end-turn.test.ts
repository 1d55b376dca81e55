import { describe, expect, test } from "vitest";
import { itemFinished } from "../../src/graph/may-end-turn.ts";
import { answerSubjectOf, deriveProgress, type ObservedWork } from "../../src/graph/progress.ts";
import { pullRequestsOf } from "../../src/graph/pull-requests.ts";
import { issueRef, itemOf, linkOf, pullRef, sessionOf } from "../../src/testing/build-state.ts";
import type { ItemState, Session } from "../../src/work-item/records.ts";
import { formatRef, type RefText } from "../../src/ref/ref.ts";
import { bundled, configured, node, upTo } from "./build.ts";

const graph = bundled("work-item");
const plain = configured(graph);

describe("a session of an item on record may end its turn", () => {
  const workItem = formatRef(issueRef);
  const asks = { ...sessionOf(), asked: { text: "Which?", at: 1 } };
  const at = (id: string | null, ...sessions: readonly Session[]): ItemState =>
    itemOf("started", {
      sessions,
      workItem: id === null ? {} : { graph: { graph: "work-item", node: id, signals: [] } },
    });
  const start = deriveProgress(plain, upTo(graph, null), []);

  test("by the node that it was asked for, the first one open where nobody was asked", () => {
    const designed = deriveProgress(plain, upTo(graph, "design"), []);
    expect([
      itemFinished(designed, workItem, at("design")).node,
      itemFinished(designed, workItem, at(null)).node,
      itemFinished(designed, workItem, { ...at(null), workItem: null }).node,
    ]).toEqual(["design", "test-plan", "test-plan"]);
    expect(
      itemFinished(deriveProgress(plain, upTo(graph, "intake"), []), workItem, at("intake")),
    ).toMatchObject({ answer: "complete", node: "intake" });
  });

  test("with a question of its own without an answer, not with that of another session or one that is over", () => {
    const sessions = [
      [asks],
      [sessionOf({ endpoint: formatRef(pullRef) }), asks],
      [{ ...asks, endpoint: formatRef(pullRef) }],
      [{ ...asks, status: "closed" as const }],
      [sessionOf()],
      [],
    ];
    expect(
      sessions.map((each) => itemFinished(start, workItem, at("intake", ...each)).answer),
    ).toEqual(["waiting", "waiting", "incomplete", "incomplete", "incomplete", "incomplete"]);
  });

  test("and is told what the service or a person still owes, and of a question what it owes itself", () => {
    const judged = deriveProgress(
      configured(graph, { roster: ["security"] }),
      upTo(graph, "review"),
      [],
    );
    expect(itemFinished(judged, workItem, at("review"))).toEqual({
      answer: "complete",
      node: "review",
      missing: ["no critic has judged what review looks at now"],
    });
    expect(itemFinished(start, workItem, at("intake", asks))).toEqual({
      answer: "waiting",
      node: "intake",
      missing: ["a question has no answer yet", "intake.md does not exist"],
    });
  });
});

test("what a person's answer is about names what is not committed, and recorded heads that no checkout shows", () => {
  const whole = graph.nodes.find(({ id }) => id === "human-approval") ?? node("x");
  const ref = (n: number): RefText => formatRef({ ...issueRef, number: n });
  const observed: ObservedWork = {
    artifacts: [],
    head: "a",
    uncommitted: "u1",
    pullRequests: [
      { ref: ref(5), head: null, recorded: "r5" },
      { ref: ref(4), head: null, recorded: "r4" },
      { ref: ref(6), head: "h6", recorded: "r6" },
      { ref: ref(8), head: null, recorded: "a" },
      { ref: ref(9), head: null, recorded: null },
    ],
  };
  const subject = [
    "head a",
    `${ref(4)} `,
    `${ref(5)} `,
    `${ref(6)} h6`,
    `${ref(8)} `,
    `${ref(9)} `,
  ];
  expect(answerSubjectOf(whole, graph, observed).split("\n")).toEqual([
    ...subject,
    "uncommitted u1",
    `${ref(4)} at r4`,
    `${ref(5)} at r5`,
  ]);
  expect(answerSubjectOf(whole, graph, { artifacts: [], head: null, pullRequests: [] })).toBe(
    "head unknown",
  );
});

test("recorded pull requests are told with their heads where they lie in another repository or on another host", () => {
  const links = ["host:octo/shop#12", "host:octo/other#12", "host:code.example/octo/shop#12"].map(
    (pullRequest) => linkOf({ pullRequest: pullRequest as RefText, headSha: "h" }),
  );
  const heads = (item: ItemState): readonly (string | null)[] =>
    pullRequestsOf(item).map(({ head }) => head);
  expect(heads(itemOf("started", { pullRequests: links }))).toEqual([null, "h", "h"]);
  expect(heads({ ...itemOf("started", { pullRequests: links }), workItem: null })).toEqual([
    "h",
    "h",
    "h",
  ]);
  expect(pullRequestsOf(itemOf("started", { pullRequests: links }))[0]).toEqual({
    ref: "host:octo/shop#12",
    head: null,
    recorded: "h",
  });
});
