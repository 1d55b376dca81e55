import fc from "fast-check";
import { expect, test } from "vitest";
import { ledgerHasToolUse, recordToolUse } from "../src/ledger.ts";
import { otherReceipt, receipt, sessionId } from "./support.ts";

const env = { LOOP_TURN_DIR: "/state/turns/7", LOOP_RECEIPT: receipt };
const stdin = JSON.stringify({
  session_id: sessionId,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "x\ny" },
  tool_use_id: "toolu_1",
});

test("one line for a tool call, without its input", () => {
  const use = recordToolUse(stdin, env, 1_795_245_762_201);
  expect(use?.file).toBe("/state/turns/7/tools.jsonl");
  expect(use?.line).toBe(
    `{"sessionId":"${sessionId}","tool":"Bash","toolUseId":"toolu_1","receipt":"${receipt}","at":1795245762201}\n`,
  );
});

test.each([
  ["outside of a turn", stdin, {}],
  ["with a turn folder that is no absolute path", stdin, { LOOP_TURN_DIR: "../turns" }],
  ["with no JSON", "", env],
  ["with an array", "[]", env],
  ["without a session", "{}", env],
])("nothing is recorded %s", (_name, input, variables) => {
  expect(recordToolUse(input, variables, 1)).toBe(null);
});

test("what is recorded is found again, for its attempt alone", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (tool, toolUseId) => {
      const line =
        recordToolUse(
          JSON.stringify({ session_id: sessionId, tool_name: tool, tool_use_id: toolUseId }),
          env,
          1,
        )?.line ?? "";
      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(ledgerHasToolUse(line, { sessionId, receipt })).toBe(true);
      expect(ledgerHasToolUse(line, { sessionId: sessionId.toUpperCase(), receipt })).toBe(true);
      expect(ledgerHasToolUse(line, { sessionId, receipt: otherReceipt })).toBe(false);
      expect(ledgerHasToolUse(line, { sessionId: otherReceipt, receipt })).toBe(false);
    }),
  );
});

test("any cut-off line counts: something was being written when everything died", () => {
  const line = recordToolUse(stdin, env, 1)?.line ?? "";
  for (let end = 1; end < line.length - 1; end += 1)
    expect(ledgerHasToolUse(line.slice(0, end), { sessionId, receipt })).toBe(true);
  expect(ledgerHasToolUse("", { sessionId, receipt })).toBe(false);
  expect(ledgerHasToolUse("\n \n", { sessionId, receipt })).toBe(false);
});
