import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Outcome } from "@loopwork/core/ports";
import { type ApiError, judgeApiError } from "./api-error.ts";
import { type Fields, numberOf, objectOf, parseObject, textOf, textsOf } from "./fields.ts";
import { plainLines } from "./plain-file.ts";
import { limitOf } from "./stream-line.ts";

/** What the transcripts of a session say about a receipt. */
export type TranscriptTrace = {
  readonly sessionExists: boolean;
  /** Our message is on record: it reached the conversation. */
  readonly asked: boolean;
  /** The model began to answer it, with words or a tool. */
  readonly replied: boolean;
  /**
   * The newest recorded API error in answer to it; null when none, or when a reply came after it.
   */
  readonly apiError: Outcome | null;
};

/**
 * Transcripts of the session. The folder is named after the working directory, but with collisions
 * and with changes between versions, so every project folder is looked into. A missing
 * configuration folder has none.
 */
export async function findTranscripts(
  configDir: string,
  sessionId: string,
): Promise<readonly string[]> {
  const projects = path.join(configDir, "projects");
  const folders = await readdir(projects).catch(emptyIfMissing);
  const files = folders.map((folder) => path.join(projects, folder, `${sessionId}.jsonl`));
  const found = await Promise.all(files.map(async (file) => ((await isFile(file)) ? file : null)));
  return found.filter((file) => file !== null);
}

/**
 * Reads what the transcripts say about the receipt. Rejects when one cannot be read: that is no
 * proof of absence.
 */
export async function traceReceipt(
  files: readonly string[],
  receipt: string,
): Promise<TranscriptTrace> {
  const { asked, replied, apiError } = await traceMessage(files, (row) =>
    carriesReceipt(row, receipt),
  );
  return {
    sessionExists: files.length > 0,
    asked,
    replied,
    apiError: apiError === null ? null : judgeApiError(apiError),
  };
}

/** What the rows behind one message say. */
export type MessageTrace = {
  readonly asked: boolean;
  /** The harness's own id of the message, which its hooks name too. */
  readonly promptId: string | null;
  /** Milliseconds since 1970 at which it was put on record. */
  readonly askedAt: number | null;
  readonly replied: boolean;
  /** Somebody stopped the turn by hand. */
  readonly interrupted: boolean;
  /** An interactive turn's own last row is there; others have none. */
  readonly ended: boolean;
  readonly apiError: ApiError | null;
};

/** Follows the branch of one message through the transcripts, in their order. */
async function traceMessage(
  files: readonly string[],
  isOurs: (row: Fields) => boolean,
): Promise<MessageTrace> {
  const branch = createBranch(isOurs);
  for (const file of files) {
    for await (const line of plainLines(file)) {
      const row = parseObject(line);
      if (row !== null) branch.read(row);
    }
  }
  return branch.trace();
}

/**
 * Follows the rows that descend from our message; rows of other branches and other messages do not
 * count.
 */
export function createBranch(isOurs: (row: Fields) => boolean): {
  read(row: Fields): void;
  trace(): MessageTrace;
} {
  const members = new Set<string>();
  let trace: MessageTrace = {
    asked: false,
    promptId: null,
    askedAt: null,
    replied: false,
    interrupted: false,
    ended: false,
    apiError: null,
  };
  return {
    read(row) {
      const uuid = textOf(row["uuid"]);
      if (isOurs(row)) {
        trace = { ...trace, asked: true, promptId: textOf(row["promptId"]), askedAt: timeOf(row) };
        if (uuid !== null) members.add(uuid);
        return;
      }
      const parent = textOf(row["parentUuid"]);
      if (parent === null || !members.has(parent) || isOtherMessage(row)) return;
      if (uuid !== null) members.add(uuid);
      if (row["type"] === "user" && wordsOf(row).startsWith("[Request interrupted by user"))
        trace = { ...trace, interrupted: true };
      if (row["type"] === "system" && row["subtype"] === "turn_duration")
        trace = { ...trace, ended: true };
      if (row["type"] !== "assistant") return;
      const apiError = row["isApiErrorMessage"] === true ? apiErrorOf(row) : null;
      trace = { ...trace, apiError, replied: trace.replied || apiError === null };
    },
    trace: () => trace,
  };
}

function timeOf(row: Fields): number | null {
  const at = Date.parse(textOf(row["timestamp"]) ?? "");
  return Number.isNaN(at) ? null : at;
}

/**
 * Our receipt is the row's own id, or the row merged several messages, or a running turn took the
 * message in.
 */
function carriesReceipt(row: Fields, receipt: string): boolean {
  return (
    row["uuid"] === receipt ||
    textsOf(row["mergedSendUuids"]).includes(receipt) ||
    objectOf(row["attachment"])?.["source_uuid"] === receipt
  );
}

/**
 * A later prompt continues the branch; what answers it is no answer to us. Tool results are rows of
 * type user, too.
 */
function isOtherMessage(row: Fields): boolean {
  return (
    row["type"] === "user" &&
    typeof objectOf(row["message"])?.["content"] === "string" &&
    row["isMeta"] !== true
  );
}

function apiErrorOf(row: Fields): ApiError {
  const parameters = objectOf(row["apiErrorParams"]);
  const limit = limitOf(objectOf(parameters?.["rate_limit_info"]) ?? {});
  return {
    status: numberOf(row["apiErrorStatus"]),
    name: textOf(row["apiError"]),
    terminalReason: null,
    text: wordsOf(row),
    until: limit.until,
    limit: limit.limit,
  };
}

function wordsOf(row: Fields): string {
  const content = objectOf(row["message"])?.["content"];
  return Array.isArray(content)
    ? content.map((block) => textOf(objectOf(block)?.["text"]) ?? "").join("")
    : (textOf(content) ?? "");
}

async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch((error: unknown) =>
    isMissing(error) ? null : Promise.reject(error),
  );
  return found?.isFile() ?? false;
}

function emptyIfMissing(error: unknown): readonly string[] {
  if (isMissing(error)) return [];
  throw error;
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}
