import type { Outcome } from "@loopwork/core/ports";

/**
 * An error of the model's interface as the harness reports it, in its result line or in its
 * transcript.
 */
export type ApiError = {
  readonly status: number | null;
  /** The harness's own name for it, for example `usage_limit_reached`. */
  readonly name: string | null;
  readonly terminalReason: string | null;
  readonly text: string;
  /** Milliseconds since 1970 at which the limit resets; null when the harness does not say. */
  readonly until: number | null;
  readonly limit: string | null;
};

/**
 * Sorts an API error by what helps against it: waiting, a login, money, a new session, or nothing.
 */
export function judgeApiError(error: ApiError): Outcome {
  const detail = error.text.slice(0, 500);
  if (error.name === "usage_limit_reached")
    return { kind: "usage-limit", until: error.until, limit: error.limit };
  if (
    error.terminalReason === "prompt_too_long" ||
    error.status === 413 ||
    error.text.startsWith("Prompt is too long")
  )
    return { kind: "prompt-too-long" };
  if (error.status === 402 || error.text.includes("Credit balance is too low"))
    return { kind: "billing", detail };
  if (error.status === 401 || error.status === 403 || saysLogin(error.text))
    return { kind: "login", detail };
  if (error.status === null || transientStatuses.has(error.status) || error.status >= 500)
    return { kind: "transient", status: error.status, detail };
  return { kind: "bad-invocation", detail };
}

/** Whether the harness's own words ask for a login. */
export function saysLogin(text: string): boolean {
  return ["Please run /login", "Not logged in", "Invalid API key", "Failed to authenticate"].some(
    (words) => text.includes(words),
  );
}

/**
 * Without a subscription a 429 never says until when, so it counts as transient like an overload.
 */
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 429]);
