import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Outcome } from "@loopwork/core/ports";
import { judgeApiError } from "./api-error.ts";
import { type Fields, numberOf, objectOf, parseObject, textOf, textsOf } from "./fields.ts";
import { limitOf } from "./stream-line.ts";

/** What the transcripts of a session say about a receipt. */
export type TranscriptTrace = {
  readonly sessionExists: boolean;
  /** Our message is on record: it reached the conversation. */
  readonly asked: boolean;
  /** The model began to answer it, with words or a tool. */
  readonly replied: boolean;
  /** The newest recorded API error in answer to it; null when none, or when a reply came after it. */
  readonly apiError: Outcome | null;
};

/**
 * Transcripts of the session. The folder is named after the working directory, but with collisions and with changes
 * between versions, so every project folder is looked into. A missing configuration folder has none.
 */
export async function findTranscripts(configDir: string, sessionId: string): Promise<readonly string[]> {
  const projects = path.join(configDir, "projects");
  const folders = await readdir(projects).catch(emptyIfMissing);
  const files = folders.map((folder) => path.join(projects, folder, `${sessionId}.jsonl`));
  const found = await Promise.all(files.map(async (file) => ((await isFile(file)) ? file : null)));
  return found.filter((file) => file !== null);
}

/** Reads what the transcripts say about the receipt. Rejects when one cannot be read: that is no proof of absence. */
export async function traceReceipt(files: readonly string[], receipt: string): Promise<TranscriptTrace> {
  const branch = createBranch(receipt);
  for (const file of files) {
    const lines = createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Number.POSITIVE_INFINITY });
    for await (const line of lines) {
      const row = parseObject(line);
      if (row !== null) branch.read(row);
    }
  }
  return { sessionExists: files.length > 0, ...branch.trace() };
}

/** Follows the rows that descend from our message; rows of other branches and other messages do not count. */
function createBranch(receipt: string): { read(row: Fields): void; trace(): Omit<TranscriptTrace, "sessionExists"> } {
  const members = new Set<string>();
  let asked = false;
  let replied = false;
  let apiError: Outcome | null = null;
  return {
    read(row) {
      const uuid = textOf(row["uuid"]);
      if (isOurMessage(row, receipt)) {
        asked = true;
        if (uuid !== null) members.add(uuid);
        return;
      }
      const parent = textOf(row["parentUuid"]);
      if (parent === null || !members.has(parent) || isOtherMessage(row)) return;
      if (uuid !== null) members.add(uuid);
      if (row["type"] !== "assistant") return;
      apiError = row["isApiErrorMessage"] === true ? judgeApiError(apiErrorOf(row)) : null;
      replied ||= apiError === null;
    },
    trace: () => ({ asked, replied, apiError }),
  };
}

/** Our receipt is the row's own id, or the row merged several messages, or a running turn took the message in. */
function isOurMessage(row: Fields, receipt: string): boolean {
  return row["uuid"] === receipt || textsOf(row["mergedSendUuids"]).includes(receipt) || objectOf(row["attachment"])?.["source_uuid"] === receipt;
}

/** A later prompt continues the branch; what answers it is no answer to us. Tool results are rows of type user, too. */
function isOtherMessage(row: Fields): boolean {
  return row["type"] === "user" && typeof objectOf(row["message"])?.["content"] === "string" && row["isMeta"] !== true;
}

function apiErrorOf(row: Fields): Parameters<typeof judgeApiError>[0] {
  const parameters = objectOf(row["apiErrorParams"]);
  const limit = limitOf(objectOf(parameters?.["rate_limit_info"]) ?? {});
  const content = objectOf(row["message"])?.["content"];
  const text = Array.isArray(content) ? content.map((block) => textOf(objectOf(block)?.["text"]) ?? "").join("") : (textOf(content) ?? "");
  return { status: numberOf(row["apiErrorStatus"]), name: textOf(row["apiError"]), terminalReason: null, text, until: limit.until, limit: limit.limit };
}

async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch((error: unknown) => (isMissing(error) ? null : Promise.reject(error)));
  return found?.isFile() ?? false;
}

function emptyIfMissing(error: unknown): readonly string[] {
  if (isMissing(error)) return [];
  throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
