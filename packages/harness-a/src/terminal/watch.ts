import { open } from "node:fs/promises";
import { type Fields, objectOf, parseObject, textOf } from "../fields.ts";
import { createBranch, findTranscripts, type MessageTrace } from "../transcript.ts";
import { leadStart } from "./message.ts";

/** What the transcripts say of one message that was typed, look by look. */
export type MessageWatch = { look(): Promise<{ readonly message: MessageTrace; readonly sessionExists: boolean }> };

/**
 * Follows a message by its receipt. Each look reads only what was added since the last one: a transcript of a long
 * conversation has many megabytes, and a turn is looked at for an hour. Rejects when a transcript cannot be read.
 */
export function watchMessage(configDir: string, sessionId: string, receipt: string): MessageWatch {
  const start = leadStart(receipt);
  const isOurs = (row: Fields): boolean => row["type"] === "user" && row["isMeta"] !== true && (textOf(objectOf(row["message"])?.["content"]) ?? "").trimStart().startsWith(start);
  const branch = createBranch(isOurs);
  const tails = new Map<string, Tail>();
  return {
    async look() {
      // A conversation gets its transcript with its first message, and keeps it.
      if (tails.size === 0) for (const file of await findTranscripts(configDir, sessionId)) tails.set(file, { offset: 0, rest: Buffer.alloc(0) });
      for (const [file, tail] of tails) {
        for (const line of await newLines(file, tail)) {
          const row = parseObject(line);
          if (row !== null) branch.read(row);
        }
      }
      return { message: branch.trace(), sessionExists: tails.size > 0 };
    },
  };
}

/** How far a file was read, and the line that had no end yet. */
type Tail = { offset: number; rest: Buffer };

async function newLines(file: string, tail: Tail): Promise<readonly string[]> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const added = Buffer.alloc(Math.max(0, size - tail.offset));
    const { bytesRead } = await handle.read(added, 0, added.length, tail.offset);
    tail.offset += bytesRead;
    const text = Buffer.concat([tail.rest, added.subarray(0, bytesRead)]);
    const end = text.lastIndexOf(10);
    tail.rest = Buffer.from(text.subarray(end + 1));
    return end < 0 ? [] : text.toString("utf8", 0, end).split("\n");
  } finally {
    await handle.close();
  }
}
