import { expect, test } from "vitest";
import { LoopError } from "../src/ports/loop-error.ts";

test("an error that a person can meet has a code, one sentence and a hint, and a trace tells it from a bug", () => {
  const error = new LoopError("LOOP_E_CONFIG", "The file is empty.", "Write one with `loop init`.");
  expect({
    code: error.code,
    sentence: error.message,
    hint: error.hint,
    named: String(error),
  }).toEqual({
    code: "LOOP_E_CONFIG",
    sentence: "The file is empty.",
    hint: "Write one with `loop init`.",
    named: "LoopError: The file is empty.",
  });
});
