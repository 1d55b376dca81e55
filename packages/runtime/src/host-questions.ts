import type { UnansweredQuestion } from "@loopwork/core";
import { type Account, CodeHostError } from "@loopwork/core/ports";
import { eventLine } from "./event-line.ts";
import type { RuntimeParts } from "./parts.ts";

/**
 * What deciding wants to know of the code host, each within a time limit; what was not answered is
 * a fact of the decision.
 */
export interface HostQuestions {
  /**
   * The answer, or null with the question added to `unanswered`. Rejects only with what is no
   * failure of the host.
   */
  ask<T>(
    question: UnansweredQuestion["question"],
    put: () => Promise<T>,
    unanswered: UnansweredQuestion[],
  ): Promise<T | null>;
  /** The token's account, which stays what it is: asked until it was answered once. */
  ownAccount(
    put: () => Promise<Account | null>,
    unanswered: UnansweredQuestion[],
  ): Promise<Account | null>;
}

/**
 * Deliveries are decided one after the other, so a host that answers slowly or not at all would
 * hold up all of them. After a few failures in a row nobody asks it for a while:
 *
 *     asking ──three failures in a row──▶ resting ──its time is over──▶ trying one
 *        ▲                                   ▲                             │ │
 *        └──────────────an answer────────────│─────────────────────────────┘ │
 *                                            └───────a failure: rests twice as long
 *
 * "There is no such thing" and "you may not" are answers. A question that is not put costs
 * precision, never the event: what the payload itself says still counts.
 */
export function createHostQuestions(
  parts: Pick<RuntimeParts, "clock" | "timers" | "log" | "store" | "settings" | "redact">,
): HostQuestions {
  let [failures, restMs, restUntil] = [0, firstRestMs, 0];
  let ownAccount: Account | null = null;

  const answered = (): void => {
    if (failures >= mostFailures)
      tell("host.answering", "info", "the code host answers questions again", null, {});
    [failures, restMs, restUntil] = [0, firstRestMs, 0];
  };
  const failed = ({ code, message, retryAfterMs }: CodeHostError): void => {
    failures += 1;
    if (failures < mostFailures)
      return parts.log(
        "warn",
        `the code host could not be asked for what an event belongs to: ${message}`,
      );
    const rest = Math.max(restMs, retryAfterMs ?? 0);
    if (failures === mostFailures)
      tell(
        "host.silent",
        "warn",
        `the code host did not answer ${mostFailures} questions in a row: it is not asked for a while, and events go by what they say themselves`,
        code,
        { message },
      );
    restUntil = parts.clock.now() + Math.min(rest, longestRestMs);
    restMs = Math.min(restMs * 2, longestRestMs);
  };
  const tell = (
    kind: "host.silent" | "host.answering",
    level: "info" | "warn",
    text: string,
    reason: string | null,
    fields: Readonly<Record<string, string>>,
  ): void => {
    parts.log(level, text);
    void parts.store.events
      .append([eventLine(parts, kind, { level, reason, fields })])
      .catch(() => {});
  };

  const questions: HostQuestions = {
    ownAccount: async (put, unanswered) =>
      (ownAccount ??= await questions.ask("own-login", put, unanswered)),
    async ask(question, put, unanswered) {
      if (parts.clock.now() < restUntil) {
        unanswered.push({ question, why: "not-asked" });
        return null;
      }
      try {
        const answer = await within(put(), parts);
        answered();
        return answer;
      } catch (error) {
        if (!(error instanceof CodeHostError)) throw error;
        if (isSilence(error)) failed(error);
        else answered();
        // Without a token nobody is asked, by the operator's own choice: that is said at the start,
        // not at each event.
        if (error.code !== "LOOP_E_HOST_NO_TOKEN") unanswered.push({ question, why: error.code });
        return null;
      }
    },
  };
  return questions;
}

/** Failures in a row after which nobody asks for a while. */
const mostFailures = 3;
/**
 * Longest that one question may hold up deciding, in milliseconds; the client's own patience is for
 * posts.
 */
const questionMs = 5_000;
const firstRestMs = 15_000;
const longestRestMs = 10 * 60_000;

function isSilence(error: CodeHostError): boolean {
  return error.passing || error.code === "LOOP_E_HOST_UNAUTHORIZED";
}

/** The answer in time; what comes later is not waited for. */
function within<T>(answer: Promise<T>, { timers }: Pick<RuntimeParts, "timers">): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = timers.after(questionMs, () =>
      reject(
        new CodeHostError("LOOP_E_HOST_UNREACHABLE", `no answer within ${questionMs / 1_000} s`),
      ),
    );
    answer.then(resolve, reject).finally(callOff);
  });
}
