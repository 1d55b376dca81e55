import type { HarnessId, Hold, Session, TurnState } from "@loopwork/core/ports";

/** The states as people read them; what is stored and what `--json` shows keeps its names. */
export const turnWords: Readonly<Record<TurnState, string>> = {
  ready: "queued",
  injecting: "running",
  uncertain: "waiting for you",
  done: "done",
  failed: "failed",
  dropped: "dropped",
};

export const sessionWords: Readonly<Record<Session["status"], string>> = {
  active: "open",
  closing: "closing",
  closed: "closed",
  lost: "lost",
};

/** What a queue on hold waits for. */
export const holdWords: Readonly<Record<Hold["reason"], string>> = {
  paused: "paused",
  failed: "failed",
  attached: "attached",
  backoff: "retrying",
  "usage-limit": "retrying",
  "session-busy": "retrying",
  ending: "closing",
  releasing: "closing",
  uncertain: "waiting for you",
  "loop-breaker": "waiting for you",
  budget: "waiting for you",
  login: "waiting for you",
  billing: "waiting for you",
  "not-installed": "waiting for you",
  workspace: "waiting for you",
  "spawn-refused": "waiting for you",
  sandbox: "waiting for you",
};

export const harnessWords: Readonly<Record<HarnessId, string>> = {
  A: "Claude Code",
  B: "Cursor",
};
