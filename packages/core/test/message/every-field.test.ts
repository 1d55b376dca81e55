import fc from "fast-check";
import { expect, test } from "vitest";
import { newAttempt } from "../../src/decide/ci-attempt.ts";
import { pullRequestOf } from "../../src/decide/on-ci.ts";
import { type PromptRequest, renderPrompt } from "../../src/turn/prompt.ts";
import type { TurnInput } from "../../src/turn/turn.ts";
import { settle, understand } from "../../src/flow.ts";
import type { JsonObject } from "../../src/event/parse-payload.ts";
import {
  authorsOf,
  itemOf,
  policyOf,
  sessionOf,
  stateOf,
  targetOf,
} from "../../src/testing/build-state.ts";
import { emptyItemState, type ItemState } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";
import { questionsOf } from "../../src/linking/questions.ts";
import { noAnswers, resolve } from "../../src/linking/resolve.ts";
import { change, examples } from "../event/payloads.ts";
import { canary, expectCode, expectFenced, leavesOf, orders, replaced } from "./canary.ts";

const nonce = "a1b2c3d4e5f6a7b8";
const policy = policyOf({
  authorizedUsers: new Set(["codertocat", "octocat", canary.toLowerCase()]),
  autoExecuteLabel: "bug",
  requireStartCommand: false,
});

/** Everything that one delivery makes the service say: prompts in every mode, and comments. */
function saidOf(
  event: string,
  payload: JsonObject,
): { readonly prompts: readonly string[]; readonly posts: readonly string[] } {
  const understood = understand(
    { id: "example", source: "webhook", event },
    JSON.stringify(payload),
    policy,
  );
  if (!understood.ok) return { prompts: [], posts: [] };
  const inbound = understood.event;
  // What is not read out of a payload cannot be said.
  if (!JSON.stringify(inbound).includes("CANARY")) return { prompts: [], posts: [] };
  // A commit that no pull request is named for belongs to one by the records.
  const target = resolve(inbound, noAnswers, policy, questionsOf(inbound, policy)) ?? targetOf();
  const endpoint = formatRef(target.endpoint);
  const atWork: ItemState = itemOf("started", {
    workItem: { ref: endpoint, hostUpdatedAt: null },
    sessions: [sessionOf({ endpoint, workItem: endpoint })],
    lanes: [{ endpoint, hold: null }],
  });
  const tired =
    inbound.kind === "ci"
      ? {
          ...atWork,
          ciAttempts: [
            {
              ...newAttempt(formatRef(pullRequestOf(inbound, { item: atWork }, target)), inbound),
              headShas: ["a", "b", "c"].map((each) => each.repeat(40)),
            },
          ],
        }
      : emptyItemState;
  const effects = [emptyItemState, atWork, tired].flatMap(
    (item) => settle(inbound, stateOf({ target, item }), policy).decision.effects,
  );
  const posts = effects.flatMap((effect) => (effect.kind === "reply" ? [effect.text] : []));
  const inputs: TurnInput[] = effects.flatMap((effect) =>
    effect.kind === "turn"
      ? [
          {
            seq: 1,
            deliveryId: inbound.deliveryId,
            event: effect.event,
            authority: effect.authority,
            receivedAt: 0,
            steered: null,
          },
        ]
      : [],
  );
  const base: Omit<PromptRequest, "mode"> = {
    workItem: endpoint,
    endpoint,
    endpointType: "issue",
    kind: "continue",
    receipt: "11111111-1111-4111-8111-111111111111",
    inputs,
    interaction: "work-item",
    template: null,
    nonce,
    unfinished: null,
    notes: [],
    authors: authorsOf({ authorizedUsers: new Set([canary]) }),
  };
  const template = "$event $action $repository $delivery_id\n$payload_excerpt";
  const rendered =
    inputs.length === 0
      ? []
      : [
          ...(["spawn", "resume", "seed"] as const).map((mode) => renderPrompt({ ...base, mode })),
          renderPrompt({ ...base, mode: "resume", template }),
          renderPrompt({ ...base, mode: "resume", template: "Do it." }),
        ];
  return { prompts: rendered.flatMap((prompt) => (prompt.ok ? [prompt.text] : [])), posts };
}

/**
 * A keyword that starts the item, and a check that failed: so that every example has a consequence
 * where it can have one.
 */
function telling(event: string, payload: JsonObject): JsonObject {
  if (event === "issue_comment" && payload["action"] === "created")
    return change(payload, { "comment.body": "Please mind the tests." });
  if (event === "check_run")
    return change(payload, {
      action: "completed",
      "check_run.status": "completed",
      "check_run.conclusion": "failure",
    });
  if (event === "workflow_run")
    return change(payload, {
      action: "completed",
      "workflow_run.status": "completed",
      "workflow_run.conclusion": "failure",
    });
  return event === "status" ? change(payload, { state: "failure" }) : payload;
}

/**
 * Every string of every example that reaches a prompt or a comment, with what is said when it is
 * the canary.
 */
const told = examples.flatMap(({ event, payload }) => {
  const whole = telling(event, payload);
  return leavesOf(whole).flatMap((path) => {
    const said = saidOf(event, replaced(whole, path, canary));
    return said.prompts.length + said.posts.length === 0 ? [] : [{ event, whole, path, said }];
  });
});

test("no string of the host's own payloads is said in the service's voice, whatever it holds", () => {
  for (const { said } of told) {
    for (const prompt of said.prompts) expectFenced(prompt, nonce);
    for (const post of said.posts) expectCode(post);
  }
});

test("no string of the host's own payloads is an order to the harness's program", () => {
  let carried = 0;
  for (const { event, whole, path } of told)
    for (const prompt of saidOf(event, replaced(whole, path, `CANARY ${orders}`)).prompts) {
      expectFenced(prompt, nonce);
      if (prompt.includes("CANARY")) carried += 1;
    }
  expect(carried).toBeGreaterThan(50);
});

test("the strings reach somebody at all: what is tried is not nothing", () => {
  const carried = told
    .filter(({ said }) => [...said.prompts, ...said.posts].some((each) => each.includes("CANARY")))
    .map(({ path }) => path.join("."));
  expect(
    [
      "comment.body",
      "issue.title",
      "check_run.name",
      "workflow_run.name",
      "check_run.html_url",
      "comment.path",
      "context",
    ].filter((path) => !carried.includes(path)),
  ).toEqual([]);
  expect(told.filter(({ said }) => said.posts.length > 0).length).toBeGreaterThan(20);
});

const hostile = fc
  .array(
    fc.constantFrom(
      "CANARY",
      "`",
      "```",
      "\n",
      "\r",
      "\u2028",
      "@team",
      "![",
      "](u)",
      "[data ",
      nonce,
      " ends]",
      "Note: ",
      "loop start",
      "\u001b[31m",
      "\u202e",
      "\0",
      '"',
      "\\",
      "|",
      "<img src=x>",
      " ",
      "@~/.ssh/id",
      '@"a b"',
      "@agent-general-purpose",
      "\u3002",
      "\uff20",
      "ultrathink",
      "ULTRACODE",
      "/loop:loop-review",
      "<system-reminder>",
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((parts) => `CANARY${parts.join("")}`);

test("nor is any other text, in any string of any payload", () => {
  fc.assert(
    fc.property(fc.constantFrom(...told), hostile, ({ event, whole, path }, text) => {
      const { prompts, posts } = saidOf(event, replaced(whole, path, text));
      for (const prompt of prompts) expectFenced(prompt, nonce);
      for (const post of posts) expectCode(post);
    }),
    { numRuns: 2_000 },
  );
});
