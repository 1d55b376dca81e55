import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * The harness writes in batches, some time after it has asked the model; a caller that trusts the
 * file too early must be caught.
 */
const flushDelayMs = 400;

export function findTranscript(configDir, sessionId) {
  const projects = path.join(configDir, "projects");
  const folders = existsSync(projects) ? readdirSync(projects) : [];
  return (
    folders
      .map((folder) => path.join(projects, folder, `${sessionId}.jsonl`))
      .find((file) => existsSync(file)) ?? null
  );
}

export function newTranscriptPath(configDir, cwd, sessionId) {
  return path.join(configDir, "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"), `${sessionId}.jsonl`);
}

/**
 * One conversation on disk: rows that name their parent. What this process appends hangs on the
 * last row it read at its start, so that a second writer forks the conversation, exactly as the
 * real one does.
 */
export function openTranscript(file, { sessionId, cwd, version, kept = true }) {
  const rows = existsSync(file)
    ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(parse).filter(Boolean)
    : [];
  let parent = rows.findLast((row) => "parentUuid" in row)?.uuid ?? null;
  let waiting = [];
  let timer = null;
  let held = false;
  const schedule = () => {
    if (!held && waiting.length > 0) timer ??= setTimeout(flush, flushDelayMs);
  };
  const flush = () => {
    clearTimeout(timer);
    timer = null;
    if (waiting.length === 0 || !kept) return;
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, waiting.map((row) => `${JSON.stringify(row)}\n`).join(""));
    waiting = [];
  };
  const write = (row) => {
    rows.push(row);
    waiting.push(row);
    schedule();
  };
  return {
    file,
    flush,
    /** While the model is being asked no delay runs, however long the machine takes to ask. */
    async holdDuring(work) {
      clearTimeout(timer);
      [timer, held] = [null, true];
      try {
        return await work;
      } finally {
        held = false;
        schedule();
      }
    },
    rows: () => rows,
    note: (row) => write({ ...row, timestamp: new Date().toISOString(), sessionId }),
    append(row) {
      const full = {
        parentUuid: parent,
        isSidechain: false,
        uuid: randomUUID(),
        timestamp: new Date().toISOString(),
        userType: "external",
        entrypoint: "sdk-cli",
        cwd,
        sessionId,
        version,
        ...row,
      };
      parent = full.uuid;
      write(full);
      return full;
    },
    /** Puts the next row beside the given one's children instead of at the end. */
    continueFrom(uuid) {
      parent = uuid;
    },
    /** A message counts as answered once any reply hangs on it, be it an error or half of one. */
    state(receipt) {
      const asked = rows.some((row) => row.type === "user" && row.uuid === receipt);
      return {
        asked,
        answered:
          asked && rows.some((row) => row.type === "assistant" && row.parentUuid === receipt),
      };
    },
  };
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
