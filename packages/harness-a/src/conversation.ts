import type { TranscriptEntry } from "@loopwork/core/ports";
import { type Fields, listOf, objectOf, parseObject, textOf } from "./fields.ts";
import { plainLines } from "./plain-file.ts";
import { findTranscripts } from "./transcript.ts";

/**
 * Newest entries that are kept, and UTF-16 units of each: a conversation may be as long as a disk.
 */
const most = { entries: 2_000, said: 20_000, tool: 2_000 } as const;

/**
 * A session's conversation as people read it, oldest first; null when the harness has none of this
 * id. Older entries of a very long one are left out.
 */
export async function readConversation(
  configDir: string,
  sessionId: string,
): Promise<readonly TranscriptEntry[] | null> {
  const files = await findTranscripts(configDir, sessionId);
  const entries: TranscriptEntry[] = [];
  for (const file of files) {
    for await (const line of plainLines(file)) {
      const row = parseObject(line);
      if (row !== null) entries.push(...entriesOf(row));
      if (entries.length > 2 * most.entries) entries.splice(0, entries.length - most.entries);
    }
  }
  return files.length === 0 ? null : entries.slice(-most.entries);
}

/** What people see of one row: prompts, words of the agent, calls of tools and their results. */
function entriesOf(row: Fields): readonly TranscriptEntry[] {
  const type = row["type"];
  if ((type !== "user" && type !== "assistant") || row["isMeta"] === true) return [];
  const time = Date.parse(textOf(row["timestamp"]) ?? "");
  const at = Number.isNaN(time) ? null : time;
  const who = type === "user" ? "prompt" : "agent";
  const content = objectOf(row["message"])?.["content"];
  if (typeof content === "string") return said(at, who, content);
  return listOf(content).flatMap((block) => blockOf(objectOf(block) ?? {}, at, who));
}

function blockOf(
  block: Fields,
  at: number | null,
  who: "prompt" | "agent",
): readonly TranscriptEntry[] {
  switch (block["type"]) {
    case "text":
      return said(at, who, textOf(block["text"]) ?? "");
    case "tool_use":
      return said(
        at,
        "tool",
        `${textOf(block["name"]) ?? "tool"} ${JSON.stringify(block["input"] ?? {})}`,
      );
    case "tool_result":
      return said(at, "tool", resultOf(block["content"]));
    default:
      return [];
  }
}

function resultOf(content: unknown): string {
  return (
    textOf(content) ??
    listOf(content)
      .map((part) => textOf(objectOf(part)?.["text"]) ?? "")
      .join("\n")
  );
}

function said(
  at: number | null,
  who: TranscriptEntry["who"],
  text: string,
): readonly TranscriptEntry[] {
  const longest = who === "tool" ? most.tool : most.said;
  if (text.trim() === "") return [];
  return [
    {
      at,
      who,
      text:
        text.length > longest
          ? `${text.slice(0, longest)}… (${text.length - longest} more characters)`
          : text,
    },
  ];
}
