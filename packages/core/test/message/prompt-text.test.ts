import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unfinishedPrompt } from "../../src/turn/after-work-gate.ts";
import { type PromptRequest, renderPrompt } from "../../src/turn/prompt.ts";
import { criticPrompt } from "../../src/graph/critic-prompt.ts";
import type { CriticScope } from "../../src/graph/critic-scope.ts";
import { classifierPrompt } from "../../src/learnings/question.ts";
import { person, say, trustedWords } from "../../src/message/message.ts";
import { outside } from "../../src/message/outside-text.ts";
import { alice, commentEvent, issueOf, mallory } from "../../src/testing/build-event.ts";
import { authorsOf } from "../../src/testing/build-state.ts";
import type { RefText } from "../../src/ref/ref.ts";
import { lane, starting } from "../turn/build.ts";
import { expectInert, orders } from "./canary.ts";

const nonce = "a1b2c3d4e5f6a7b8";

/** The JSON between the two lines of the fence. */
const dataOf = (prompt: string): unknown =>
  JSON.parse(prompt.split(new RegExp(`^\\[data ${nonce} (?:begins|ends)\\]$`, "m"))[1] ?? "null");

function turnPrompt(over: Partial<PromptRequest>): string {
  const prompt = renderPrompt({
    workItem: lane,
    endpoint: lane,
    endpointType: "issue",
    mode: "spawn",
    kind: "first",
    receipt: "11111111-1111-4111-8111-111111111111",
    inputs: [],
    interaction: "work-item",
    template: null,
    nonce,
    unfinished: null,
    notes: [],
    authors: authorsOf(),
    ...over,
  });
  if (!prompt.ok) throw new Error("nonce");
  return prompt.text;
}

const started = (text: string) =>
  starting(
    commentEvent(`loop start ${text}`, {
      by: alice,
      item: issueOf({ author: mallory, editors: [], title: text, body: text }),
    }),
  );

const scope = (text: string): CriticScope => ({
  version: 1,
  workItem: "host:octo/shop#7" as RefText,
  node: "build",
  workdir: `/w/${text}`,
  folder: text,
  foundBefore: [{ severity: "major", title: text, file: text, line: 1 }],
  pullRequests: [
    {
      ref: "host:octo/shop#8" as RefText,
      repository: "octo/shop",
      number: 8,
      open: true,
      headSha: null,
      headBranch: text,
      diff: `+ ${text}`,
      cut: 0,
      unreadable: null,
    },
  ],
});

function asked(text: string, focus = "bugs", critic = "security"): string {
  const question = criticPrompt({ critic, focus, scope: scope(text), nonce });
  return question.ok ? question.text : "";
}

describe("what an outsider wrote is no order to the harness's program, and the model reads it unchanged", () => {
  test("in the message of a turn: body, title, quoted notes and what the gate found", () => {
    const prompt = turnPrompt({
      inputs: [started(orders)],
      notes: [say`Files were restored: ${outside(orders)}`],
      node: say`Do ${outside(orders)}.`,
      unfinished: orders,
    });
    expectInert(prompt);
    const data = JSON.stringify(dataOf(prompt));
    expect(data.split(JSON.stringify(orders).slice(1, -1)).length).toBeGreaterThan(2);
  });

  test("in the words of an authorized person", () => {
    const prompt = turnPrompt({ inputs: [started("as in @src/x.ts")] });
    expectInert(prompt);
    expect(prompt).toContain("as in \\u0040src/x.ts");
  });

  test("in the question of a critic", () => {
    expectInert(asked(orders));
    expect(dataOf(asked(orders))).toEqual(scope(orders));
  });

  test("in the question of the learnings' classifier", () => {
    const retrieved = [{ id: "1", text: orders }];
    const prompt = classifierPrompt({ text: orders, retrieved }, nonce) ?? "";
    expectInert(prompt);
    expect(dataOf(prompt)).toEqual({ candidate: orders, facts: retrieved });
  });

  test("in what a session is told that ends its turn too early", () => {
    expectInert(unfinishedPrompt([orders.slice(0, 190)], nonce));
    expect(dataOf(unfinishedPrompt([orders.slice(0, 190)], nonce))).toEqual([orders.slice(0, 190)]);
  });

  test("whatever it is made of, in a critic's question", () => {
    const pieces = [...orders.split(" "), "\\", '"', "\n", "u", "@", "/", "<", "\u3002", "ultra"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (parts) => {
        const text = parts.join("");
        expectInert(asked(text));
        expect(dataOf(asked(text))).toEqual(scope(text));
      }),
      { numRuns: 1_000 },
    );
  });
});

test("control: as JSON alone all of it stands in the prompt", () => {
  expect(() => expectInert(`Work.\n${JSON.stringify({ body: orders })}`)).toThrow("to match");
});

describe("nor are words of ours", () => {
  test("that hold a login, a path of the operator's or the name of a repository", () => {
    const prompt = turnPrompt({
      workItem: "host:octo/ultrathink#7" as RefText,
      notes: [say`Asked by ${person("ada")}.`, trustedWords("Write /home/a @b/specs/x.md.")],
      template: "Read @docs/rules.md and ultrathink.\n$payload_excerpt",
    });
    expectInert(prompt);
    expect(prompt).toContain("Asked by \\u0040ada.");
    expect(prompt).toContain("\\uXXXX stands for the character of that code");
  });

  test("that a critic is asked by", () => {
    expectInert(asked("x", "Read @docs/rules.md, ultrathink", "@a"));
  });

  test("and a message without any says nothing of it", () => {
    expect(turnPrompt({ inputs: [started("a cart")] })).not.toContain("\\u");
  });
});
