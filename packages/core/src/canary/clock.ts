import { formatInstant } from "../decide/instant.ts";
import type { LinkReport } from "./links.ts";

/**
 * Times in milliseconds since 1970. The first three are of this very canary, by the clocks of its
 * sender and of the service.
 */
export type ClockFacts = {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly answeredAt: number;
  /** Latest time by which the service took an earlier delivery; null when there was none. */
  readonly newestBefore: number | null;
  /**
   * How much earlier than it happened, by the code host's clock, the newest event was received;
   * null when nothing tells.
   */
  readonly behindHost: number | null;
};

/** Before this nobody can run this program: its own source is younger. */
const firstPossible = 1_735_689_600_000;
/**
 * Two processes of one machine agree; what lies beyond is no delay of scheduling, because a request
 * lies between sending and answer.
 */
const tolerance = 2_000;
const hostTolerance = 120_000;
const backTolerance = 60_000;

/**
 * What the times say of the clock. A wrong one lets the order of commands, holds and budgets go
 * wrong. What was on record before is a sign only: it stays there after the clock was set right.
 */
export function clockReport({
  sentAt,
  receivedAt,
  answeredAt,
  newestBefore,
  behindHost,
}: ClockFacts): LinkReport {
  const report = (state: "weak" | "broken", found: string): LinkReport => ({
    link: "clock",
    state,
    found,
    todo: "let this machine's clock be set (`timedatectl set-ntp true`), then `loop restart`",
  });
  const [broken, weak] = [report.bind(null, "broken"), report.bind(null, "weak")];
  if (sentAt < firstPossible || receivedAt < firstPossible)
    return broken(
      `it says ${dayOf(Math.min(sentAt, receivedAt))}, which is before this program was written`,
    );
  if (receivedAt < sentAt - tolerance)
    return broken(`the service's clock is ${span(sentAt - receivedAt)} behind the one here`);
  if (receivedAt > answeredAt + tolerance)
    return broken(`the service's clock is ${span(receivedAt - answeredAt)} ahead of the one here`);
  if (newestBefore !== null && newestBefore > answeredAt + backTolerance)
    return weak(
      `it was set back: a delivery on record came ${span(newestBefore - answeredAt)} from now`,
    );
  if (behindHost !== null && behindHost > hostTolerance)
    return weak(
      `it was ${span(behindHost)} behind the code host's: the newest event was received before it happened`,
    );
  return {
    link: "clock",
    state: "good",
    found: `${formatInstant(receivedAt).slice(0, 19).replace("T", " ")} UTC, the same here and in the service`,
    todo: null,
  };
}

function dayOf(time: number): string {
  return formatInstant(time).slice(0, 10);
}

function span(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)} h`
    : `${Math.round(seconds / 86_400)} days`;
}
