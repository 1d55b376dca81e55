import { describe, expect, test } from "vitest";
import type { Authority } from "../../src/control/authority-type.ts";
import { excerptOf, excerptsOf } from "../../src/turn/excerpt.ts";
import { type PromptRequest, renderPrompt } from "../../src/turn/prompt.ts";
import { taskOf } from "../../src/turn/task.ts";
import { type ItemText, wordsOf } from "../../src/turn/authored-text.ts";
import type { ControlEvent, InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  alice,
  carol,
  ciEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  issueOf,
  labelEvent,
  mallory,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import { authorsOf } from "../../src/testing/build-state.ts";
import { say } from "../../src/message/message.ts";
import { input, lane, ref, said, starting } from "./build.ts";

const authors = authorsOf();
const shown = (item = issueOf()): ControlEvent =>
  controlEvent({ verb: "start", login: null, instance: null }, { shown: item });
const graph = controlEvent({ verb: "graph", step: "advance", node: null });
const tasksOf = (...events: readonly InboundEvent[]): readonly string[] =>
  taskOf({
    mode: "resume",
    workItem: lane,
    endpoint: lane,
    endpointType: "issue",
    inputs: events.map((event) => input(event)),
    node: null,
  })
    .split("\n")
    .slice(1);

/** One sentence per kind of event. */
describe("what the session is asked to do", () => {
  test.each<[string, InboundEvent, string]>([
    ["a label", labelEvent(), "A label of the item changed: see whether that changes the task."],
    [
      "a merged pull request",
      closedEvent({ item: pullRequestOf({ merged: true }) }),
      "A pull request of this work item was merged: do what is left of the task, if anything is.",
    ],
    [
      "a closed pull request",
      closedEvent({ item: pullRequestOf() }),
      "A pull request of this work item was closed: see why, and whether work is left.",
    ],
    [
      "a failed check",
      ciEvent(),
      "A check has finished without success: find the cause, fix it on the branch, test, and push.",
    ],
    [
      "a check that succeeded",
      ciEvent({ conclusion: "success" }),
      "A check has succeeded: go on with what waited for it, if anything did.",
    ],
    [
      "words on the command line",
      said("go on"),
      "The operator speaks to you directly: do what they say within the task.",
    ],
    [
      "a start on the command line",
      shown(),
      "The operator started the work: begin, or go on where it was left.",
    ],
    [
      "the process graph",
      graph,
      "The work has come to another node of the process graph, or the checks of this one have ended: do what is said of it above.",
    ],
  ])("by %s", (_, event, sentence) => {
    expect(tasksOf(event)).toEqual([`- ${sentence}`]);
  });

  test("the same kind twice is asked once", () => {
    expect(tasksOf(labelEvent(), labelEvent({ label: "bug" }), ciEvent())).toHaveLength(2);
  });

  test("at a spawn the first event opens the work, and is no task beside it", () => {
    const tasks = taskOf({
      mode: "spawn",
      workItem: lane,
      endpoint: lane,
      endpointType: "issue",
      inputs: [input(labelEvent()), input(ciEvent())],
      node: null,
    }).split("\n");
    expect(tasks.slice(2)).toEqual([
      "- A check has finished without success: find the cause, fix it on the branch, test, and push.",
    ]);
  });

  test.each([
    ["issue", "Its branch is issue-7 (create it if it does not exist)."],
    ["pull-request", "Its branch is checked out here."],
  ] as const)("at a node of the graph, of an %s", (endpointType, branch) => {
    const [, opening] = taskOf({
      mode: "spawn",
      workItem: lane,
      endpoint: lane,
      endpointType,
      inputs: [input(labelEvent())],
      node: say`Node: design`,
    }).split("\n");
    expect(opening).toBe(
      `Work on host:acme/widgets#7, in this checkout, at what is said of its node above. ${branch} Commit what you write, and push it.`,
    );
  });
});

const title = { field: "title", text: "Cart forgets its items", by: "alice" };
const body = { field: "body", text: "It does.", by: "alice" };
const opened = activityEvent;

/** Strangers' words reach no prompt, but for an item that an authorized user started. */
describe("whose words are shown", () => {
  test.each<[string, InboundEvent, Authority, ItemText, unknown]>([
    [
      "a comment",
      commentEvent("hello"),
      "authorized",
      "told",
      [{ field: "comment", text: "hello", by: "alice" }],
    ],
    [
      "a comment of nobody known",
      commentEvent("hello", { comment: { author: null } }),
      "authorized",
      "told",
      [{ field: "comment", text: "hello", by: null }],
    ],
    [
      "a comment that starts the work",
      commentEvent("loop start"),
      "authorized",
      "started",
      [title, body, { field: "comment", text: "loop start", by: "alice" }],
    ],
    [
      "a comment that was deleted",
      commentEvent("hello", { change: "deleted" }),
      "authorized",
      "told",
      [],
    ],
    ["a stranger's comment", commentEvent("hello", { by: mallory }), "stranger", "told", []],
    [
      "a seed, where the item's author is heard",
      commentEvent("hello", { item: issueOf({ author: carol, title: "", body: "B" }) }),
      "authorized",
      "heard",
      [
        { field: "body", text: "B", by: "carol" },
        { field: "comment", text: "hello", by: "alice" },
      ],
    ],
    [
      "a seed, where a stranger wrote the item",
      commentEvent("hello", { item: issueOf({ author: mallory }) }),
      "authorized",
      "heard",
      [{ field: "comment", text: "hello", by: "alice" }],
    ],
    [
      "a seed, where nobody knows who wrote the item",
      commentEvent("hello", { item: issueOf({ author: null }) }),
      "authorized",
      "heard",
      [{ field: "comment", text: "hello", by: "alice" }],
    ],
    [
      "a started item without an author",
      labelEvent({ item: issueOf({ author: null, body: "" }) }),
      "authorized",
      "started",
      [{ field: "title", text: "Cart forgets its items", by: null }],
    ],
    [
      "the operator's words",
      said("go on"),
      "authorized",
      "told",
      [{ field: "text", text: "go on", by: "alice" }],
    ],
    [
      "the operator's words, of nobody",
      { ...said("go on"), actor: null },
      "authorized",
      "told",
      [{ field: "text", text: "go on", by: null }],
    ],
    ["words on the command line that nobody may say", said("go on"), "stranger", "told", []],
    [
      "a start on the command line that shows the item",
      shown(),
      "authorized",
      "started",
      [title, body],
    ],
    ["a start on the command line that only tells", shown(), "authorized", "told", []],
    [
      "a start on the command line where the host was not asked",
      controlEvent({ verb: "start", login: null, instance: null }),
      "authorized",
      "started",
      [],
    ],
    [
      "a seed by a start on the command line, where the item's author is heard",
      shown(),
      "authorized",
      "heard",
      [title, body],
    ],
    [
      "a seed by a start on the command line, where a stranger wrote the item",
      shown(issueOf({ author: mallory })),
      "authorized",
      "heard",
      [],
    ],
    ["an item that its author opened", opened(), "authorized", "told", [title, body]],
    [
      "an item that its author edited",
      opened({ action: "edited" }),
      "collaborator",
      "told",
      [title, body],
    ],
    [
      "an item that its author opened again",
      opened({ action: "reopened" }),
      "authorized",
      "told",
      [title, body],
    ],
    [
      "an item that its author was assigned",
      opened({ action: "assigned" }),
      "authorized",
      "told",
      [],
    ],
    [
      "an item that another one edited",
      opened({ action: "edited", item: issueOf({ author: mallory }) }),
      "authorized",
      "told",
      [],
    ],
    [
      "an item whose author nobody knows",
      opened({ item: issueOf({ author: null }) }),
      "authorized",
      "told",
      [],
    ],
    ["an item that nobody opened", { ...opened(), actor: null }, "authorized", "told", []],
    [
      "an item that a stranger opened",
      opened({ by: mallory, item: issueOf({ author: mallory }) }),
      "stranger",
      "told",
      [],
    ],
    [
      "the author in other letters",
      opened({ by: { ...alice, login: "ALICE" } }),
      "authorized",
      "told",
      [title, body],
    ],
    ["a label, of the item's author", labelEvent(), "authorized", "told", []],
    ["a closing, of the item's author", closedEvent(), "authorized", "told", []],
    ["a check", ciEvent(), "none", "started", []],
  ])("%s", (_, event, authority, itemText, words) => {
    expect(
      wordsOf(input(event, { authority }), itemText, authors).map((word) => ({
        field: word.field,
        text: word.text,
        by: word.by?.login ?? null,
      })),
    ).toEqual(words);
  });
});

const issue = {
  type: "issue",
  number: 7,
  url: "https://github.com/octo/shop/issues/7",
  open: true,
};
const factsOf = (event: InboundEvent): unknown => {
  const {
    event: _name,
    action: _action,
    repository: _repository,
    actor: _actor,
    at: _at,
    words: _words,
    ...facts
  } = excerptOf(input(event), "told", authors);
  return facts;
};

/** An allow-list of fields per event. */
describe("what is shown of an event", () => {
  test.each<[string, InboundEvent, unknown]>([
    ["a label", labelEvent({ label: "bug" }), { item: issue, label: "bug", change: "added" }],
    ["a closing", closedEvent(), { item: { ...issue, open: false } }],
    [
      "an activity on a pull request",
      activityEvent({ item: pullRequestOf() }),
      {
        item: {
          type: "pull-request",
          number: 12,
          url: "https://github.com/octo/shop/pull/12",
          open: true,
          merged: false,
          base: "main",
          headSha: "a".repeat(40),
          fork: false,
          head: "issue-7",
        },
      },
    ],
    [
      "one of a fork, whose branch a stranger named",
      activityEvent({
        item: pullRequestOf({
          branches: {
            head: "x",
            headSha: "a".repeat(40),
            headRepository: "m/shop",
            base: "main",
            sameRepository: false,
          },
        }),
      }),
      {
        item: {
          type: "pull-request",
          number: 12,
          url: "https://github.com/octo/shop/pull/12",
          open: true,
          merged: false,
          base: "main",
          headSha: "a".repeat(40),
          fork: true,
        },
      },
    ],
    ["a start on the command line", shown(), { item: issue }],
    ["words on the command line", said("x"), {}],
    [
      "a check of many pull requests",
      ciEvent({ pullRequests: Array.from({ length: 25 }, (_, n) => n + 1) }),
      {
        check: {
          name: "test",
          headSha: "a".repeat(40),
          phase: "completed",
          conclusion: "failure",
          url: null,
          pullRequests: Array.from({ length: 20 }, (_, n) => n + 1),
        },
      },
    ],
  ])("%s", (_, event, facts) => {
    expect(factsOf(event)).toEqual(facts);
  });

  test("no time where the host tells none", () => {
    expect(excerptOf(input({ ...labelEvent(), at: null }), "told", authors)["at"]).toBeNull();
  });

  test("a field is cut at 500 characters, and says so", () => {
    const of = (length: number): unknown =>
      excerptOf(input(labelEvent({ label: "x".repeat(length) })), "told", authors)["label"];
    expect(of(500)).toBe("x".repeat(500));
    expect(of(501)).toBe(`${"x".repeat(500)}… (1 more characters)`);
  });

  test.each<[string, InboundEvent, Authority, string]>([
    [
      "an author who is known, whoever the actor is",
      commentEvent("x", { by: { ...carol, login: "Carol" } }),
      "authorized",
      "collaborator",
    ],
    [
      "the actor, where nobody looked the author up",
      commentEvent("x", {
        by: { ...mallory, login: "Dave" },
        comment: { author: { ...mallory, login: "dave" } },
      }),
      "collaborator",
      "collaborator",
    ],
    [
      "another person than the actor",
      commentEvent("x", { comment: { author: mallory } }),
      "authorized",
      "stranger",
    ],
    [
      "another person than nobody",
      { ...commentEvent("x", { comment: { author: mallory } }), actor: null },
      "authorized",
      "stranger",
    ],
    ["nobody", commentEvent("x", { comment: { author: null } }), "authorized", "none"],
  ])("words carry the authority of %s", (_, event, authority, told) => {
    expect(excerptOf(input(event, { authority }), "told", authors)["words"]).toMatchObject([
      { authority: told },
    ]);
  });

  test("only the first event shows the item, and only the one that was started whoever wrote it", () => {
    const words = (
      events: readonly InboundEvent[],
      endpoint: string,
      first: "started" | "told" = "started",
    ): unknown =>
      JSON.parse(
        JSON.stringify(
          excerptsOf(
            events.map((event) => starting(event)),
            first,
            authors,
            ref(endpoint),
          ).excerpts,
        ),
      ).map((each: { words: readonly { field: string }[] }) =>
        each.words.map(({ field }) => field),
      );
    const strangers = commentEvent("x", { item: issueOf({ author: mallory }) });
    expect(words([strangers, strangers], "host:octo/shop#7")).toEqual([
      ["title", "body", "comment"],
      ["comment"],
    ]);
    expect(words([strangers], "host:octo/shop#12")).toEqual([["comment"]]);
    expect(words([commentEvent("x")], "host:octo/shop#12", "told")).toEqual([["comment"]]);
  });
});

describe("the prompt around it", () => {
  const base: PromptRequest = {
    workItem: lane,
    endpoint: lane,
    endpointType: "issue",
    mode: "resume",
    kind: "first",
    receipt: "11111111-1111-4111-8111-111111111111",
    inputs: [input(commentEvent("hello"))],
    interaction: "work-item",
    template: null,
    nonce: "a1b2c3d4e5f6a7b8",
    unfinished: null,
    notes: [],
    authors,
  };
  const lines = (over: Partial<PromptRequest>): readonly string[] => {
    const prompt = renderPrompt({ ...base, ...over });
    return prompt.ok ? prompt.text.split("\n") : [];
  };

  test("an event without actor and action", () => {
    expect(lines({ inputs: [input({ ...ciEvent(), action: "" })] })[2]).toBe(
      "Event 1: check_run, delivery delivery-check-run-test-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-failure, no actor",
    );
  });

  test.each([
    [1, "1 hidden character in it is shown escaped."],
    [2, "2 hidden characters in it are shown escaped."],
  ])("%i hidden characters are counted", (count, sentence) => {
    expect(lines({ inputs: [input(commentEvent(`x${"\u200b".repeat(count)}`))] })).toContain(
      sentence,
    );
  });

  test.each<[string, Partial<PromptRequest>, readonly string[]]>([
    ["nothing", {}, ["", "Task:"]],
    ["what is said of the node", { node: say`Node: design` }, ["", "Node: design", "", "Task:"]],
    [
      "an interruption",
      { kind: "continue" },
      [
        "",
        "You were interrupted; look before you act. Check the work tree, commits, pushed branches and what you posted already, then do only what is still missing. The message is repeated below.",
        "",
        "Task:",
      ],
    ],
    [
      "an end that came too early",
      { unfinished: "tests fail" },
      [
        "",
        "You ended your turn, and the work is not complete: [quoted 1] says what is missing. Do that. The message is repeated below; what you have done of it stays done.",
        "",
        "Task:",
      ],
    ],
    [
      "a lost memory",
      { mode: "seed" },
      [
        "",
        "The earlier conversation about this work item is lost. Read its thread, its pull requests and the checkout first to see what was done.",
        "",
        "Task:",
      ],
    ],
  ])("between header and task stands %s", (_, over, between) => {
    expect(lines(over).slice(3, 3 + between.length)).toEqual(between);
  });
});
