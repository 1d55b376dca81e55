import { joinMessages, type Message, say, trustedWords } from "../message/message.ts";
import { outside, type OutsideText } from "../message/outside-text.ts";
import type { Denial } from "./outcome.ts";
import type { HarnessId } from "../config/harness.ts";
import type { Hold, HoldReason } from "../work-item/records.ts";
import { strongerHold } from "../work-item/hold.ts";
import type { LaneFacts, LineDraft, NextStep } from "./next.ts";
import type { DispatchSettings } from "../config/turn-settings.ts";
import type { AttemptKind, Turn } from "./turn.ts";

/**
 * What is known when an attempt is judged. The functions below are the ways in which its turn moves
 * on; retry.ts chooses among them.
 */
export type Situation = {
  readonly turn: Turn;
  readonly settings: DispatchSettings;
  readonly now: number;
  readonly facts: LaneFacts;
};

/**
 * The kind under which a message that the model never answered goes again: a continue stays one,
 * under a fresh receipt.
 */
export function unsent(turn: Turn): AttemptKind {
  return kindOf(turn) === "continue" ? "continue" : "again";
}

/**
 * Kind of the attempt that is judged. A turn as it was taken, before its attempt was written, still
 * names it as the next.
 */
const kindOf = (turn: Turn): AttemptKind =>
  turn.state === "injecting" && turn.attempt !== null ? turn.attempt.kind : turn.next;

/** Attempts begun, the judged one included. */
const attemptsOf = (turn: Turn): number =>
  turn.state === "injecting" ? turn.attempts : turn.attempts + 1;

/** Tries that count toward giving up. */
export function triesOf(at: Situation): number {
  return at.facts.tries ?? attemptsOf(at.turn);
}

/** Another try after the backoff, or none left. */
export function again(at: Situation, kind: AttemptKind, note: string): NextStep {
  const { maxTries, firstDelayMs, longestDelayMs } = at.settings.retry;
  const tries = triesOf(at);
  if (tries >= maxTries) return giveUp(at, `${note}; no more tries after ${tries}`);
  return retry(
    at,
    kind,
    Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(20, Math.max(0, tries - 1))),
    note,
    true,
  );
}

/**
 * Delays are holds, not times of the turn, so that `resume` ends them. `counted`: the try that
 * failed counts toward giving up.
 */
export function retry(
  at: Situation,
  kind: AttemptKind,
  delayMs: number,
  note: string,
  counted: boolean,
): NextStep {
  const hold: Hold | null =
    delayMs === 0 ? null : { reason: "backoff", until: at.now + delayMs, detail: note };
  return base(at, { state: "ready", next: kind, notBefore: 0, note }, hold, [
    line("turn.retried", "warn", note, {
      attempts: attemptsOf(at.turn),
      next: kind,
      delayMs,
      counted,
    }),
  ]);
}

/** The conversation cannot be used any more; a new one begins with the whole message. */
export function newSession(at: Situation, note: string): NextStep {
  if (triesOf(at) >= at.settings.retry.maxTries) return giveUp(at, `${note}; no more tries`);
  const next = base(
    at,
    {
      state: "ready",
      next: "first",
      notBefore: 0,
      note: `${note}; a new one is seeded from the work item`,
    },
    null,
    [
      line("session.lost", "warn", note, {}),
      line("turn.retried", "info", note, {
        attempts: attemptsOf(at.turn),
        next: "first",
        delayMs: 0,
        counted: true,
      }),
    ],
  );
  return { ...next, newSession: true, sessionBegun: false };
}

/**
 * The lane waits for somebody, who is told what helps; `why` begins what it waits for, and
 * `detail`, where there is one, is the harness's complaint.
 */
export function laneHeld(
  at: Situation,
  reason: HoldReason,
  kind: AttemptKind,
  why: string,
  detail: string | null,
  remedy: string,
): NextStep {
  const whole = detail === null ? why : `${why}: ${detail}`;
  const said = detail === null ? trustedWords(why) : say`${trustedWords(why)}: ${shown(detail)}`;
  return {
    ...held(at, kind, { reason, until: null, detail: whole }, whole),
    notice: say`This work item waits: ${said}. What helps: ${trustedWords(remedy)}.`,
  };
}

/** Every lane of the harness waits for somebody. */
export function harnessHeld(
  at: Situation,
  reason: HoldReason,
  kind: AttemptKind,
  detail: string,
  remedy: string,
): NextStep {
  const hold: Hold = { reason, until: null, detail };
  return {
    ...held(at, kind, hold, detail),
    harnessHold: hold,
    notice: say`Harness ${trustedWords(at.facts.harness)} cannot work: ${shown(detail)}. What helps: ${trustedWords(remedy)}.`,
  };
}

/** The turn stays at the head of a lane that waits. */
export function held(at: Situation, kind: AttemptKind, hold: Hold, note: string): NextStep {
  return base(at, { state: "ready", next: kind, notBefore: 0, note }, hold, [
    line("lane.held", "warn", hold.reason, { until: hold.until, detail: hold.detail }),
  ]);
}

/** No more tries: nothing overtakes the failed message unless somebody says so. */
export function giveUp(at: Situation, note: string): NextStep {
  const hold: Hold = { reason: "failed", until: null, detail: note };
  const next = base(at, { state: "failed", next: "continue", notBefore: 0, note }, hold, [
    line("turn.failed", "error", note, { attempts: attemptsOf(at.turn) }),
    line("lane.held", "warn", "failed", { until: null, detail: note }),
  ]);
  return {
    ...next,
    notice: say`A message could not be delivered: ${shown(note)}. \`loop turns retry ${at.turn.id}\` tries again.`,
  };
}

/** Acting again could do things twice, so a person decides. */
export function uncertain(at: Situation, why: string): NextStep {
  const note = `cannot tell whether the session acted: ${why}`;
  const hold: Hold = { reason: "uncertain", until: null, detail: note };
  const next = base(at, { state: "uncertain", next: "continue", notBefore: 0, note }, hold, [
    line("turn.uncertain", "error", why, { attempts: attemptsOf(at.turn) }),
    line("lane.held", "warn", "uncertain", { until: null, detail: note }),
  ]);
  return {
    ...next,
    notice: say`It is not certain whether the last message was worked on. \`loop turns retry ${at.turn.id}\` goes on, \`loop turns drop ${at.turn.id}\` leaves it.`,
  };
}

/** The turn ends without being done; the lane goes on. */
export function end(at: Situation, state: "failed" | "dropped", note: string): NextStep {
  return base(at, { state, next: "continue", notBefore: 0, note }, null, [
    state === "failed"
      ? line("turn.failed", "error", note, { attempts: attemptsOf(at.turn) })
      : line("turn.dropped", "info", note, {}),
  ]);
}

/** The harness's own end of turn is there. */
export function done(
  at: Situation,
  usd: number,
  minutes: number,
  denials: readonly Denial[],
): NextStep {
  const next = base(at, { state: "done", next: "first", notBefore: 0, note: null }, null, [
    line("turn.done", "info", null, { usd, minutes, attempts: attemptsOf(at.turn) }),
    ...denials.map((denial) =>
      line("turn.denied-tools", "warn", denial.tool, { input: denial.input.slice(0, 500) }),
    ),
  ]);
  return {
    ...next,
    sessionBegun: true,
    spend: { usd, minutes },
    notice: denials.length === 0 ? null : denied(denials, at.facts.harness),
  };
}

/** Each denial with the key that would allow it. */
function denied(denials: readonly Denial[], harness: HarnessId): Message {
  const shown = denials
    .slice(0, 5)
    .map(({ tool, input }) => say`- ${outside(input === "" ? tool : `${tool}: ${input}`)}`);
  const more =
    denials.length > shown.length ? [say`- and ${denials.length - shown.length} more`] : [];
  const id = trustedWords(harness);
  return joinMessages(
    [
      say`The session was not allowed to use:`,
      ...shown,
      ...more,
      say`\`harnesses.${id}.allowedTools\` allows a program, \`harnesses.${id}.permissions: bypass\` everything.`,
    ],
    say`\n`,
  );
}

const line = (
  kind: LineDraft["kind"],
  level: LineDraft["level"],
  reason: string | null,
  fields: LineDraft["fields"],
): LineDraft => ({ kind, level, reason, fields });

function base(
  at: Situation,
  turn: NextStep["turn"],
  hold: Hold | null,
  lines: readonly LineDraft[],
): NextStep {
  return {
    turn,
    hold: hold === null ? null : strongerHold(at.facts.hold, hold, at.now),
    harnessHold: null,
    newSession: false,
    sessionBegun: null,
    spend: { usd: 0, minutes: 0 },
    notice: null,
    lines,
  };
}

/**
 * What a thread is told of a program's complaint: its first line. The rest, with paths and traces,
 * stays in the event log.
 */
function shown(detail: string): OutsideText {
  const end = detail.indexOf("\n");
  return outside((end === -1 ? detail : detail.slice(0, end)).replace(/\.$/, ""));
}
