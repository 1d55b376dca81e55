import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConversation } from "../src/index.ts";
import { sessionId } from "./support.ts";

function transcript(rows: readonly unknown[]): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-conversation-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, "projects", "-w"), { recursive: true });
  writeFileSync(
    join(dir, "projects", "-w", `${sessionId}.jsonl`),
    rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n"),
  );
  return dir;
}

test("prompts, words, calls of tools and their results, in order and with their times", async () => {
  const dir = transcript([
    {
      type: "user",
      message: { role: "user", content: "Water the garden" },
      timestamp: "2026-11-21T07:22:42.000Z",
    },
    { type: "user", isMeta: true, message: { role: "user", content: "a reminder of the harness" } },
    {
      type: "assistant",
      message: {
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "I look." },
          { type: "tool_use", name: "Bash", input: { command: "ls" } },
        ],
      },
      timestamp: "2026-11-21T07:22:43.000Z",
    },
    {
      type: "user",
      message: {
        content: [
          { type: "tool_result", content: [{ type: "text", text: "roses" }] },
          { type: "tool_result", content: "thorns" },
        ],
      },
    },
    { type: "summary", summary: "x" },
    "{ torn",
  ]);
  expect(await readConversation(dir, sessionId)).toEqual([
    { at: Date.UTC(2026, 10, 21, 7, 22, 42), who: "prompt", text: "Water the garden" },
    { at: Date.UTC(2026, 10, 21, 7, 22, 43), who: "agent", text: "I look." },
    { at: Date.UTC(2026, 10, 21, 7, 22, 43), who: "tool", text: 'Bash {"command":"ls"}' },
    { at: null, who: "tool", text: "roses" },
    { at: null, who: "tool", text: "thorns" },
  ]);
});

test("a very long one keeps its end, and long words their beginning", async () => {
  const dir = transcript([
    ...Array.from({ length: 4_500 }, (_, n) => ({
      type: "user",
      message: { content: `say ${n}` },
    })),
    { type: "assistant", message: { content: "x".repeat(30_000) } },
  ]);
  const entries = (await readConversation(dir, sessionId)) ?? [];
  expect(entries).toHaveLength(2_000);
  expect(entries.at(-2)?.text).toBe("say 4499");
  expect(entries.at(-1)?.text).toMatch(/^x{20000}… \(10000 more characters\)$/);
});

test("none of that id is null", async () => {
  expect(await readConversation(transcript([]), "bbbbbbbb-aaaa-4aaa-8aaa-aaaaaaaaaaaa")).toBeNull();
});
