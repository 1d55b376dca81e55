import { say, trustedWords } from "../message/message.ts";
import type { Outcome, ReceiptEvidence } from "./outcome.ts";
import type { Hold } from "../work-item/records.ts";
import {
  again,
  done,
  end,
  giveUp,
  harnessHeld,
  held,
  laneHeld,
  newSession,
  retry,
  type Situation,
  triesOf,
  uncertain,
  unsent,
} from "./move-on.ts";
import type { LaneFacts, NextStep } from "./next.ts";
import type { DispatchSettings } from "../config/turn-settings.ts";
import type { AttemptKind, Turn } from "./turn.ts";

/**
 * How a turn goes on (docs/specification.md#outcomes). A receipt is used again only while no reply
 * to it can exist: the harness would swallow it. Everything after a reply, a tool or a recorded
 * error goes under a new receipt, as `continue`.
 *
 *     done                       → done
 *     never reached the model    → ready, same receipt (a continue stays a continue)
 *     reached, may have acted    → ready, new receipt, continue
 *     recorded error             → ready, new receipt, continue; after a delay, a reset time, or somebody's act
 *     conversation lost or full  → ready, new receipt, first, in a new conversation
 *     no more tries              → failed, lane held
 *     cannot tell                → uncertain, lane held
 */
export function afterOutcome(
  outcome: Outcome,
  turn: Turn,
  settings: DispatchSettings,
  now: number,
  facts: LaneFacts,
): NextStep {
  const at: Situation = { turn, settings, now, facts };
  if (outcome.kind === "done") return done(at, outcome.usd, outcome.minutes, outcome.denials);
  if (facts.closing) return end(at, "dropped", `the session was ending (${outcome.kind})`);
  switch (outcome.kind) {
    case "swallowed":
      return afterSwallowed(at);
    case "killed":
    case "unclear":
      return facts.evidence === null
        ? uncertain(
            at,
            outcome.kind === "unclear"
              ? outcome.detail
              : "the harness was killed and nobody looked at its record",
          )
        : byEvidence(at, facts.evidence, outcome.kind === "killed" && outcome.asked);
    case "timeout":
    case "output-limit":
      return afterLimit(at, outcome.kind);
    case "transient":
      return again(at, "continue", `the harness's service failed for a moment: ${outcome.detail}`);
    case "usage-limit":
      return afterUsageLimit(at, outcome.until, outcome.limit);
    case "prompt-too-long":
      return facts.sessionBegun
        ? newSession(at, "the conversation was full")
        : giveUp(at, "the prompt is too long for a fresh conversation");
    case "session-not-found":
      return newSession(at, "the harness does not know the conversation any more");
    case "session-busy":
      return held(
        at,
        unsent(turn),
        {
          reason: "session-busy",
          until: now + settings.retry.sessionBusyMs,
          detail: outcome.detail ?? busy,
        },
        outcome.detail ?? busy,
      );
    case "session-id-taken":
      return { ...afterIdTaken(at), sessionBegun: true };
    case "login":
      return harnessHeld(
        at,
        "login",
        "continue",
        outcome.detail,
        `log in to harness ${facts.harness}, then run \`loop doctor\``,
      );
    case "billing":
      return harnessHeld(
        at,
        "billing",
        "continue",
        outcome.detail,
        `settle the bill of harness ${facts.harness}`,
      );
    case "not-installed":
      return harnessHeld(
        at,
        "not-installed",
        unsent(turn),
        outcome.detail,
        `install harness ${facts.harness}, or set harnesses.${facts.harness}.command; \`loop doctor\` checks it`,
      );
    case "untrusted":
      return laneHeld(
        at,
        "workspace",
        unsent(turn),
        "the harness does not trust the working directory",
        null,
        "set routing.harnessTrust.enabled or accept the directory in the harness, then resume",
      );
    case "unsandboxed":
      return afterUnsandboxed(at, outcome.detail);
    case "bad-invocation":
      return laneHeld(
        at,
        "failed",
        unsent(turn),
        "the harness refused its arguments",
        outcome.detail,
        `check harnesses.${facts.harness}.args, then resume`,
      );
    case "prompt-blocked":
      return {
        ...end(at, "failed", `a hook of the harness refused the message: ${outcome.detail}`),
        notice: say`A hook of the harness refused a message; the session did not see it. \`loop turns retry ${turn.id}\` sends it again.`,
      };
  }
}

/**
 * How a turn goes on whose child is dead and whose end nobody saw (docs/specification.md#receipts).
 * Crashes of ours do not count as tries.
 */
export function afterCrash(
  evidence: ReceiptEvidence,
  turn: Turn,
  settings: DispatchSettings,
  now: number,
  facts: LaneFacts,
): NextStep {
  const at: Situation = { turn, settings, now, facts };
  if (evidence.kind === "done") return done(at, evidence.usd, evidence.minutes, []);
  if (facts.closing) return end(at, "dropped", "the session was ending when the daemon stopped");
  return byEvidence(at, evidence, true);
}

/**
 * Whether transcript and ledger must be read before an outcome can be judged; reading costs a file.
 */
export function needsEvidence(outcome: Outcome): boolean {
  return (
    outcome.kind === "swallowed" ||
    outcome.kind === "killed" ||
    outcome.kind === "unclear" ||
    outcome.kind === "unsandboxed" ||
    outcome.kind === "timeout" ||
    outcome.kind === "output-limit" ||
    outcome.kind === "session-id-taken"
  );
}

/** What the record proves. `free`: the end was not the turn's fault and does not count as a try. */
function byEvidence(at: Situation, evidence: ReceiptEvidence, free: boolean): NextStep {
  const go = (kind: AttemptKind, note: string): NextStep =>
    free ? retry(at, kind, 0, note, false) : again(at, kind, note);
  switch (evidence.kind) {
    case "done":
      return done(at, evidence.usd, evidence.minutes, []);
    case "absent":
      if (at.facts.sessionBegun && !evidence.sessionExists)
        return newSession(at, "the conversation is gone");
      return {
        ...go(unsent(at.turn), "the message never reached the model"),
        sessionBegun: evidence.sessionExists,
      };
    case "asked-only":
      return {
        ...go(unsent(at.turn), "the model was asked and nothing happened yet"),
        sessionBegun: true,
      };
    case "interrupted":
      return {
        ...go("continue", "the session was interrupted after it had begun to act"),
        sessionBegun: true,
      };
    case "api-error":
      return recorded(at, evidence.outcome);
    case "unknown":
      return uncertain(at, evidence.why);
  }
}

/** An error that the harness recorded counts like one that we saw; only errors can be recorded. */
function recorded(at: Situation, outcome: Outcome): NextStep {
  if (outcome.kind === "usage-limit" && outcome.until !== null && outcome.until <= at.now)
    return {
      ...retry(at, "continue", 0, "the usage limit has been reset since", false),
      sessionBegun: true,
    };
  switch (outcome.kind) {
    case "transient":
    case "usage-limit":
    case "login":
    case "billing":
    case "prompt-too-long":
      return {
        ...afterOutcome(outcome, at.turn, at.settings, at.now, { ...at.facts, evidence: null }),
        sessionBegun: true,
      };
    default:
      return {
        ...again(at, "continue", `the harness recorded an error (${outcome.kind})`),
        sessionBegun: true,
      };
  }
}

/**
 * An earlier attempt began the conversation, and this one was refused before anything was sent: it
 * resumes. Where it was to continue, somebody or the record has judged that attempt already.
 */
function afterIdTaken(at: Situation): NextStep {
  const note = "the conversation existed already";
  if (unsent(at.turn) === "continue") return retry(at, "continue", 0, note, false);
  return at.facts.evidence === null
    ? again(at, unsent(at.turn), note)
    : byEvidence(at, at.facts.evidence, true);
}

/**
 * It was stopped before it could act. Its message may be on record all the same, and the harness
 * would swallow it a second time.
 */
function afterUnsandboxed(at: Situation, detail: string): NextStep {
  const { evidence } = at.facts;
  const next = laneHeld(
    at,
    "sandbox",
    evidence?.kind === "absent" ? unsent(at.turn) : "continue",
    "its agent did not run in the sandbox",
    detail,
    "run `loop doctor`, fix what it says about the sandbox, then resume",
  );
  return {
    ...next,
    sessionBegun:
      evidence === null || evidence.kind === "unknown"
        ? null
        : evidence.kind !== "absent" || evidence.sessionExists,
  };
}

/**
 * The harness knew the receipt and did nothing: only its record says whether the turn was done, and
 * the receipt is used up.
 */
function afterSwallowed(at: Situation): NextStep {
  const { evidence } = at.facts;
  if (evidence === null || evidence.kind === "unknown" || evidence.kind === "absent")
    return uncertain(
      at,
      "the harness says that it had answered this message before, and its record does not show it",
    );
  if (evidence.kind === "done") return done(at, evidence.usd, evidence.minutes, []);
  if (evidence.kind === "api-error") return recorded(at, evidence.outcome);
  return {
    ...again(at, "continue", "the harness had begun to answer this message before"),
    sessionBegun: true,
  };
}

/**
 * Our own deadline or output bound ended the turn. The lane goes on; only a message that was never
 * read is sent again.
 */
function afterLimit(at: Situation, kind: "timeout" | "output-limit"): NextStep {
  const { evidence } = at.facts;
  if (evidence?.kind === "done") return done(at, evidence.usd, evidence.minutes, []);
  const why =
    kind === "timeout"
      ? `it ran longer than ${Math.round(at.settings.turnTimeoutMs / 1000)} seconds`
      : "it printed more than is kept";
  if (evidence?.kind === "absent" && triesOf(at) < 2)
    return {
      ...again(at, unsent(at.turn), `${why} without reading the message`),
      sessionBegun: evidence.sessionExists,
    };
  return {
    ...end(at, "failed", why),
    sessionBegun:
      evidence === null || evidence.kind === "unknown" || evidence.kind === "absent" ? null : true,
    notice: say`A turn was stopped: ${trustedWords(why)}. \`loop turns retry ${at.turn.id}\` goes on with it.`,
  };
}

/**
 * The lane sleeps until the reset that the harness reports, else a quarter of an hour; its own next
 * attempt is the probe.
 */
function afterUsageLimit(at: Situation, until: number | null, limit: string | null): NextStep {
  const { now, settings } = at;
  const reset =
    until === null || until <= now || until > now + longestReset
      ? now + settings.retry.usageLimitMs
      : until;
  const detail = `usage limit${limit === null ? "" : ` (${limit})`} reached`;
  const hold: Hold = { reason: "usage-limit", until: reset, detail };
  return { ...held(at, "continue", hold, detail), harnessHold: hold, sessionBegun: true };
}

const busy = "somebody else works in this conversation";

/** Eight days: the longest limit is a weekly one. */
const longestReset = 8 * 86_400_000;
