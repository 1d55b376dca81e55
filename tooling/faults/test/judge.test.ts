import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { judge } from "../src/judge.ts";
import { type Prompt, readPrompts } from "../src/transcripts.ts";

const prompt = (text: string, rest: Partial<Prompt> = {}): Prompt => ({
  session: "s",
  receipt: text,
  text,
  continues: false,
  ends: 1,
  records: 1,
  overlaps: false,
  ...rest,
});
const expected = new Map([[1, ["a-end", "b-end"]]]);

test("every word once, in order, worked on to the end: nothing to report", () => {
  expect(judge(expected, [prompt("a-end"), prompt("b-end")])).toEqual({
    turnsExpected: 2,
    delivered: 2,
    lost: 0,
    doubled: 0,
    overlapping: 0,
    outOfOrder: 0,
    violations: [],
  });
});

test("words that were merged into one message count for themselves", () => {
  expect(judge(expected, [prompt("a-end and b-end")])).toMatchObject({
    delivered: 2,
    violations: [],
  });
});

test.each([
  ["a word that nobody heard", [prompt("a-end")], { lost: 1 }],
  ["a word whose turn did not end", [prompt("a-end"), prompt("b-end", { ends: 0 })], { lost: 1 }],
  [
    "a word under two messages",
    [prompt("a-end"), prompt("a-end", { receipt: "again" }), prompt("b-end")],
    { doubled: 1 },
  ],
  ["a word twice in one message", [prompt("a-end a-end"), prompt("b-end")], { doubled: 1 }],
  [
    "a receipt with two records",
    [prompt("a-end", { records: 2 }), prompt("b-end")],
    { doubled: 1 },
  ],
  ["a receipt with two ends", [prompt("a-end", { ends: 2 }), prompt("b-end")], { doubled: 1 }],
  [
    "a turn that went on beside the next one",
    [prompt("a-end", { overlaps: true }), prompt("b-end")],
    { overlapping: 1 },
  ],
  ["words in another order", [prompt("b-end"), prompt("a-end")], { outOfOrder: 1 }],
])("%s is seen", (_name, prompts, found) => {
  const judgement = judge(expected, prompts);
  expect(judgement).toMatchObject(found);
  expect(judgement.violations).not.toEqual([]);
});

test("a session that was interrupted may hear a word again", () => {
  expect(
    judge(expected, [
      prompt("a-end", { ends: 0 }),
      prompt("a-end", { receipt: "later", continues: true }),
      prompt("b-end"),
    ]).violations,
  ).toEqual([]);
});

test("transcripts are read as the harness writes them", () => {
  const dir = mkdtempSync(join(tmpdir(), "loop-transcripts-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, "projects", "p"), { recursive: true });
  const rows = [
    { type: "queue-operation", operation: "enqueue" },
    {
      type: "user",
      uuid: "u1",
      parentUuid: null,
      message: { role: "user", content: "Work item: x\na-end" },
    },
    {
      type: "assistant",
      uuid: "a1",
      parentUuid: "u1",
      message: { content: [{ type: "tool_use", id: "t" }] },
    },
    {
      type: "user",
      uuid: "r1",
      parentUuid: "a1",
      message: { content: [{ type: "tool_result", content: "ok" }] },
    },
    {
      type: "assistant",
      uuid: "a2",
      parentUuid: "r1",
      message: { content: [{ type: "text", text: "done" }] },
    },
    {
      type: "user",
      uuid: "u2",
      parentUuid: "a2",
      message: { role: "user", content: "Work item: x\nYou were interrupted; b-end" },
    },
    {
      type: "assistant",
      uuid: "a3",
      parentUuid: "u2",
      isApiErrorMessage: true,
      message: { content: [{ type: "text", text: "529" }] },
    },
  ];
  writeFileSync(
    join(dir, "projects", "p", "s.jsonl"),
    `${rows.map((row) => JSON.stringify(row)).join("\n")}\n{"torn`,
  );
  expect(readPrompts(dir)).toEqual([
    {
      session: "s",
      receipt: "u1",
      text: "Work item: x\na-end",
      continues: false,
      ends: 1,
      records: 1,
      overlaps: false,
    },
    {
      session: "s",
      receipt: "u2",
      text: "Work item: x\nYou were interrupted; b-end",
      continues: true,
      ends: 0,
      records: 1,
      overlaps: false,
    },
  ]);
});

test("a reply to a message after the next one was asked is seen", () => {
  const dir = mkdtempSync(join(tmpdir(), "loop-transcripts-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, "projects", "p"), { recursive: true });
  const rows = [
    {
      type: "user",
      uuid: "u1",
      parentUuid: null,
      message: { role: "user", content: "Work item: x\na-end" },
    },
    {
      type: "user",
      uuid: "u2",
      parentUuid: "u1",
      message: { role: "user", content: "Work item: x\nYou were interrupted; a-end" },
    },
    {
      type: "assistant",
      uuid: "a2",
      parentUuid: "u2",
      message: { content: [{ type: "text", text: "done" }] },
    },
    {
      type: "assistant",
      uuid: "a1",
      parentUuid: "u1",
      message: { content: [{ type: "text", text: "done" }] },
    },
  ];
  writeFileSync(
    join(dir, "projects", "p", "s.jsonl"),
    rows.map((row) => JSON.stringify(row)).join("\n"),
  );
  expect(readPrompts(dir).map(({ receipt, overlaps, ends }) => [receipt, overlaps, ends])).toEqual([
    ["u1", true, 1],
    ["u2", false, 1],
  ]);
});
