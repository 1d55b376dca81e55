import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { OwnPost } from "@loopwork/core";
import { LoopError } from "@loopwork/core/ports";
import type { Said } from "@loopwork/core/learnings";
import type { Checked, TurnAnswer, TurnRequestBody } from "@loopwork/runtime";
import { createPlainFile, readPlainFile } from "../files/plain-file.ts";

const requestSuffix = ".request.json";
const answerSuffix = ".answer.json";
/** A request holds text of a person's length; larger ones are refused, not read. */
const maxRequestBytes = 1024 * 1024;
const maxAnswerBytes = 64 * 1024 * 1024;
/** Names that can be part of a marker's purpose. */
const requestName = /^[a-z0-9][a-z0-9-]{0,79}$/;

export function requestsDir(turnDir: string): string {
  return join(turnDir, "requests");
}

/**
 * The asking side: resolves to the dispatcher's answer, or rejects after `timeoutMs` milliseconds.
 */
export async function askDispatcher(
  turnDir: string,
  name: string,
  request: TurnRequestBody,
  timeoutMs = 60_000,
): Promise<TurnAnswer> {
  const dir = requestsDir(turnDir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeWhole(dir, `${name}${requestSuffix}`, async () => JSON.stringify(request));
  const until = performance.now() + timeoutMs;
  while (performance.now() < until) {
    const answer = await readPlainFile(join(dir, `${name}${answerSuffix}`), maxAnswerBytes);
    if (answer !== null) return parseAnswer(answer.toString("utf8"));
    await sleep(50);
  }
  throw new LoopError(
    "LOOP_E_TURN_NO_ANSWER",
    "the loop daemon did not answer this request",
    "it is kept and carried out when the daemon runs again; `loop status` shows whether it does",
  );
}

/** What nobody has answered yet, oldest name first. */
export async function waitingRequests(turnDir: string): Promise<readonly string[]> {
  const dir = requestsDir(turnDir);
  // A link in place of the folder would lead anywhere.
  if (
    !(await lstat(dir).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  )
    return [];
  const names = await readdir(dir).catch(() => []);
  const answered = new Set(
    names
      .filter((name) => name.endsWith(answerSuffix))
      .map((name) => name.slice(0, -answerSuffix.length)),
  );
  return names
    .filter((name) => name.endsWith(requestSuffix))
    .map((name) => name.slice(0, -requestSuffix.length))
    .filter((name) => !answered.has(name))
    .toSorted();
}

/**
 * The answering side: carries out what waits, oldest name first, each once. One that fails stops no
 * other; `failed` is told, and it waits for the next look. Resolves to how many were answered.
 */
export async function answerRequests(
  turnDir: string,
  carryOut: (request: TurnRequestBody, name: string) => Promise<TurnAnswer>,
  failed: (name: string, error: unknown) => void = () => {},
): Promise<number> {
  const dir = requestsDir(turnDir);
  let answered = 0;
  for (const name of await waitingRequests(turnDir)) {
    try {
      await writeWhole(dir, `${name}${answerSuffix}`, async () => {
        const isName = requestName.test(name);
        const request = isName ? await readRequest(join(dir, `${name}${requestSuffix}`)) : null;
        return JSON.stringify(request === null ? refused() : await carryOut(request, name));
      });
      answered += 1;
    } catch (error) {
      failed(name, error);
    }
  }
  return answered;
}

function refused(): TurnAnswer {
  return {
    ok: false,
    code: "LOOP_E_TURN_REQUEST",
    message: "the request is not one that a turn may make",
    hint: "use `loop comment`, `loop ask`, `loop learnings capture` or `loop sessions link-pr`",
  };
}

/**
 * Whoever works in the turn may put anything there: a pipe would never end, and a link may lead
 * anywhere.
 */
async function readRequest(file: string): Promise<TurnRequestBody | null> {
  const bytes = await readPlainFile(file, maxRequestBytes);
  return bytes === null ? null : parseRequest(bytes.toString("utf8"));
}

function parseRequest(json: string): TurnRequestBody | null {
  const value = parseJson(json);
  if (!isRecord(value)) return null;
  const { kind, text, on, pullRequest, posts, said } = value;
  if (kind === "comment" && typeof text === "string")
    return { kind, text, on: typeof on === "string" ? on : null };
  if (kind === "ask" && typeof text === "string") return { kind, text };
  if (kind === "kept" || kind === "check") return { kind };
  if (kind === "posted" && Array.isArray(posts))
    return { kind, posts: posts.slice(0, 20).flatMap((post) => parsePost(post) ?? []) };
  if (kind === "learn" && isRecord(said)) return { kind, said: parseSaid(said) };
  if (kind === "link-pr" && typeof pullRequest === "string") return { kind, pullRequest };
  return null;
}

/** Reads it out of an answer; what is none is nothing that anybody could go by. */
export function parseChecked(data: unknown): Checked {
  const { answer, missing } = isRecord(data) ? data : {};
  const told = Array.isArray(missing) ? missing.filter((each) => typeof each === "string") : [];
  return answer === "complete" || answer === "incomplete"
    ? { answer, missing: told }
    : { answer: "unknown", missing: told };
}

/** What is missing becomes an empty text, which no field of a learning may be. */
function parseSaid(value: Record<string, unknown>): Said {
  const field = (name: keyof Said): string => (typeof value[name] === "string" ? value[name] : "");
  return {
    text: field("text"),
    signal: field("signal"),
    category: field("category"),
    severity: field("severity"),
    severityReason: field("severityReason"),
    ref: field("ref"),
  };
}

function parsePost(value: unknown): OwnPost | null {
  if (!isRecord(value)) return null;
  const { surface, commentId } = value;
  if (surface !== "conversation" && surface !== "review" && surface !== "diff") return null;
  return typeof commentId === "string" && /^\d{1,19}$/.test(commentId)
    ? { surface, commentId }
    : null;
}

function parseAnswer(text: string): TurnAnswer {
  const value = parseJson(text);
  if (isRecord(value) && value["ok"] === true && typeof value["message"] === "string")
    return { ok: true, message: value["message"], data: value["data"] };
  if (
    isRecord(value) &&
    value["ok"] === false &&
    typeof value["message"] === "string" &&
    typeof value["hint"] === "string"
  ) {
    const code =
      typeof value["code"] === "string" && value["code"].startsWith("LOOP_E_")
        ? value["code"].slice("LOOP_E_".length)
        : "TURN_REQUEST";
    return { ok: false, code: `LOOP_E_${code}`, message: value["message"], hint: value["hint"] };
  }
  return refused();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Under a name that nobody knows beforehand, and only where nothing is: a turn may put links here.
 * It is short whatever the file is called: names that a turn chose may be as long as one can be.
 * Where nothing can be written, `make` isn't asked: it may do what must not be done at each look.
 */
async function writeWhole(dir: string, name: string, make: () => Promise<string>): Promise<void> {
  const next = join(dir, `${crypto.randomUUID()}.tmp`);
  const handle = await createPlainFile(next);
  try {
    await handle.writeFile(await make());
    await rename(next, join(dir, name));
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
