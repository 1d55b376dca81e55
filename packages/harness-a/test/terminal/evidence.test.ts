import { describe, expect, test } from "vitest";
import { hear } from "../../src/receipt-in-stream.ts";
import { judgeTerminal, type TerminalTraces } from "../../src/terminal/evidence.ts";
import { lines } from "../../src/terminal/lines.ts";
import type { MessageTrace } from "../../src/transcript.ts";

const receipt = "11111111-2222-4333-8444-555555555555";
const unsaid: MessageTrace = {
  asked: false,
  promptId: null,
  askedAt: null,
  replied: false,
  interrupted: false,
  ended: false,
  apiError: null,
};
const said: MessageTrace = { ...unsaid, asked: true, promptId: "p", askedAt: 1 };
const overloaded = {
  status: 529,
  name: null,
  terminalReason: null,
  text: "API Error: 529",
  until: null,
  limit: null,
};

function judged(over: Partial<TerminalTraces>): string {
  return judgeTerminal({
    heard: hear([], receipt),
    message: unsaid,
    sessionExists: true,
    stopped: false,
    pressed: false,
    alive: true,
    ...over,
  }).kind;
}

describe("an attempt in a terminal whose driver is gone", () => {
  test.each([
    ["the driver said its end", { heard: hear([lines.done(receipt, 1, [])], receipt) }, "done"],
    [
      "the driver said that it failed",
      { heard: hear([lines.failed(receipt, 1, overloaded)], receipt), message: said },
      "api-error",
    ],
    ["its hook recorded the end", { message: said, stopped: true, alive: false }, "done"],
    [
      "an error stands last",
      { message: { ...said, apiError: overloaded }, stopped: true },
      "api-error",
    ],
    ["on record, and the harness works on", { message: said, pressed: true }, "asked-only"],
    [
      "on record with replies, and the harness works on",
      { message: { ...said, replied: true }, pressed: true },
      "asked-only",
    ],
    ["on record, and the harness is gone", { message: said, alive: false }, "interrupted"],
    [
      "on record, and somebody stopped it",
      { message: { ...said, interrupted: true } },
      "interrupted",
    ],
    ["no record, and the key was never pressed", {}, "absent"],
    ["no record, the key was never pressed, and the harness is gone", { alive: false }, "absent"],
    ["no record, and the key may have been pressed", { pressed: true }, "unknown"],
    ["an end without a message is nobody's", { stopped: true }, "absent"],
  ] as const)("%s", (_what, over, kind) => {
    expect(judged(over)).toBe(kind);
  });
});
