import { type Fields, objectOf, parseObject, textOf } from "../fields.ts";
import { type LinesRead, newPlainLines, nothingRead } from "../plain-file.ts";
import { createBranch, findTranscripts, type MessageTrace } from "../transcript.ts";
import { leadStart } from "./message.ts";

/** What the transcripts say of one message that was typed, look by look. */
export type MessageWatch = {
  look(): Promise<{ readonly message: MessageTrace; readonly sessionExists: boolean }>;
};

/**
 * Follows a message by its receipt. Each look reads only what was added since the last one: a
 * transcript of a long conversation has many megabytes, and a turn is looked at for an hour.
 * Rejects when a transcript cannot be read.
 */
export function watchMessage(configDir: string, sessionId: string, receipt: string): MessageWatch {
  const start = leadStart(receipt);
  const isOurs = (row: Fields): boolean =>
    row["type"] === "user" &&
    row["isMeta"] !== true &&
    (textOf(objectOf(row["message"])?.["content"]) ?? "").trimStart().startsWith(start);
  const branch = createBranch(isOurs);
  const tails = new Map<string, LinesRead>();
  return {
    async look() {
      // A conversation gets its transcript with its first message, and keeps it.
      if (tails.size === 0)
        for (const file of await findTranscripts(configDir, sessionId))
          tails.set(file, nothingRead());
      for (const [file, tail] of tails) {
        for await (const line of newPlainLines(file, tail)) {
          const row = parseObject(line);
          if (row !== null) branch.read(row);
        }
      }
      return { message: branch.trace(), sessionExists: tails.size > 0 };
    },
  };
}
