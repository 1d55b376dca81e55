import { expect, test } from "vitest";
import { readLine } from "../src/signal.ts";
import { lines, receipt, sessionId } from "./support.ts";

test.each([
  ["started", lines.lifecycle("started"), { kind: "accepted", receipt }],
  ["queued", lines.lifecycle("queued"), null],
  ["init", lines.init(), { kind: "session", sessionId, version: "2.1.332", sandboxed: false }],
  ["echo", lines.echo(), { kind: "reached-model", receipt }],
  [
    "echo of a receipt that was answered before",
    lines.duplicate(),
    { kind: "result", receipts: [receipt] },
  ],
  ["reply", lines.reply(), { kind: "reached-model", receipt: null }],
  ["result", lines.result(), { kind: "result", receipts: [receipt] }],
  ["cancelled", lines.lifecycle("cancelled"), { kind: "result", receipts: [receipt] }],
  ["refused", lines.lifecycle("refused"), { kind: "result", receipts: [receipt] }],
  ["limit", lines.limit(1), null],
  ["half a line", '{"type":"resu', null],
  ["no object", "[1]", null],
  ["a tool's result", JSON.stringify({ type: "user", message: { content: [] } }), null],
])("readLine: %s", (_name, line, expected) => {
  expect(readLine(line)).toEqual(expected);
});
