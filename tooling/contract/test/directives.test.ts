import { describe, expect, test } from "vitest";
import { type Act, actOf, directivesOf } from "../src/directives.ts";

type Reply = {
  tool?: string;
  input?: unknown;
  text?: string;
  hang?: number;
  error?: { status: number; type: string; message: string };
  limit?: { window: string; resetsAt: number };
};
type Fixture = {
  directivesOf(prompt: string): unknown;
  reply(asked: { prompt: string; step: number; lastResult: string | null }): Reply;
};
const file = new URL("../../fixture-harness/claude/model.mjs", import.meta.url).href;
const fixture: Fixture = await import(/* @vite-ignore */ file);

describe("the fixture and the stand-in of the model read the same prompts alike", () => {
  test.each([
    "hello",
    "{{stub:text fine}}",
    "before {{stub:bash echo {a,b} && echo hi}} after",
    'twice {{stub:tool Read {"file_path":"x"}}} {{stub:text then this}}',
    "{{stub:hang 30}}",
    "{{stub:bash cat \\u002ftmp/a\\u0040b \\u0075ltrasound \\u00e4}}",
    "{{stub:error 529}}",
    "{{stub:error 400 invalid_request_error prompt is too long: 1 > 0}}",
    "{{stub:limit five_hour 1900000000}}",
    "open {{stub:bash never closed",
  ])("%s", (prompt) => {
    expect(fixture.directivesOf(prompt)).toEqual(directivesOf(prompt));
    for (const [step, lastResult] of [
      [0, null],
      [1, "it said"],
      [2, "and that"],
    ] as const) {
      expect(shapeOf(fixture.reply({ prompt, step, lastResult }))).toEqual(
        actOf({ prompt, step, lastResult }),
      );
    }
  });
});

/** The fixture's act in the words of the stand-in. */
function shapeOf({ tool, input, text = "", hang = 0, error, limit }: Reply): Act {
  if (tool !== undefined) return { kind: "tool", tool, input };
  if (error !== undefined) return { kind: "error", ...error };
  return limit === undefined ? { kind: "text", text, afterMs: hang } : { kind: "limit", ...limit };
}
