import type { ChildEnd, Denial, Observed, Outcome } from "@loopwork/core/ports";
import { judgeApiError, saysLogin } from "./api-error.ts";
import { type Heard, hear } from "./receipt-in-stream.ts";
import { busyWords, pressedState, untrustedWords } from "./terminal/lines.ts";
import type { TurnResult } from "./stream-line.ts";

/**
 * Judges an attempt. Only a result line that names our receipt ends a turn; exit code 0 alone never
 * does, because the harness exits 0 for a receipt it swallowed, for a blocked prompt and for denied
 * tools.
 */
export function outcome(observed: Omit<Observed, "sessionId">): Outcome {
  const heard = hear(observed.stdout, observed.receipt);
  const unsandboxed = observed.sandboxed === true ? judgeSandbox(heard, observed) : null;
  if (unsandboxed !== null) return unsandboxed;
  if (heard.result !== null) return judgeResult(heard.result, heard);
  return judgeSwallowed(heard) ?? judgeEnd(observed.end) ?? judgeWords(heard, observed);
}

/** A sandbox was asked for: whatever the harness did without one counts for nothing. */
function judgeSandbox(
  { init, replied, refusal }: Heard,
  { stderr }: Pick<Observed, "stderr">,
): Outcome | null {
  if (init?.sandboxed === false)
    return {
      kind: "unsandboxed",
      detail: `Claude Code ${init.version ?? ""} ran the turn without its sandbox`.replace(
        "  ",
        " ",
      ),
    };
  if (init === null && replied)
    return { kind: "unsandboxed", detail: "Claude Code did not say whether its sandbox is on" };
  const words = [refusal?.text ?? "", stderr].join("\n");
  return words.toLowerCase().includes(refusesUnsandboxed)
    ? { kind: "unsandboxed", detail: words.trim().slice(0, 500) }
    : null;
}

/** How the harness says that it starts no turn because its sandbox can't be had. */
const refusesUnsandboxed = "sandbox required but unavailable";

/** What the harness's own end of turn means. */
export function judgeResult(result: TurnResult, heard: Heard): Outcome {
  if (result.failed) return judgeFailure(result, heard);
  if (result.turns < 1) return { kind: "prompt-blocked", detail: result.text.slice(0, 500) };
  return {
    kind: "done",
    denials: result.denials.map(denialOf),
    usd: result.usd,
    minutes: result.durationMs / 60_000,
  };
}

function judgeFailure(result: TurnResult, heard: Heard): Outcome {
  const isApiError =
    result.terminalReason === "api_error" ||
    result.terminalReason === "prompt_too_long" ||
    result.apiStatus !== null ||
    saysLogin(result.text);
  if (!isApiError)
    return {
      kind: "unclear",
      detail: `The harness ended the turn with an error: ${result.text.slice(0, 500)}`,
    };
  return judgeApiError({
    status: result.apiStatus,
    name: result.apiError,
    terminalReason: result.terminalReason,
    text: result.text,
    until: heard.limit?.until ?? null,
    limit: heard.limit?.limit ?? null,
  });
}

/**
 * A receipt that was answered before: said back without a time, or completed without having
 * started.
 */
function judgeSwallowed(heard: Heard): Outcome | null {
  return heard.duplicate || (heard.state === "completed" && !heard.started)
    ? { kind: "swallowed" }
    : null;
}

/** What the end of the process says by itself. */
function judgeEnd(end: ChildEnd): Outcome | null {
  if (end.stopped === "deadline") return { kind: "timeout" };
  if (end.stopped === "output-limit") return { kind: "output-limit" };
  const signal = end.signal ?? signalByCode.get(end.code ?? 0) ?? null;
  if (end.stopped !== null) return { kind: "killed", signal, asked: true };
  return signal === null ? null : { kind: "killed", signal, asked: false };
}

/** Exit codes with which a shell or the harness itself reports a signal. */
const signalByCode: ReadonlyMap<number, string> = new Map([
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

/** No end of turn and no signal: what remains are the harness's refusals, in its own words. */
function judgeWords(
  heard: Heard,
  { end, stderr, stdout }: Pick<Observed, "end" | "stderr" | "stdout">,
): Outcome {
  const words = [
    heard.refusal?.text ?? "",
    stderr,
    heard.lines === 0 ? stdout.join("\n") : "",
  ].join("\n");
  const detail = words.trim().slice(0, 500);
  if (words.includes("No conversation found with session ID")) return { kind: "session-not-found" };
  if (words.includes("is already in use")) return { kind: "session-id-taken" };
  if (words.includes("session is running in the background")) return { kind: "session-busy" };
  if (words.includes(busyWords))
    return { kind: "session-busy", detail: detail.replace(busyWords, "").trim() };
  if (words.includes(untrustedWords)) return { kind: "untrusted" };
  if (saysLogin(words)) return { kind: "login", detail };
  if (words.includes("API Error:")) return { kind: "transient", status: null, detail };
  if (end.code === 127 || words.includes("ENOENT")) return { kind: "not-installed", detail };
  if (words.includes("LOOP_E_TMUX_MISSING"))
    return {
      kind: "not-installed",
      detail: "tmux was not found: install it, or set routing.runner: headless",
    };
  if (end.code !== null && end.code !== 0 && !heard.started && heard.state !== pressedState)
    return { kind: "bad-invocation", detail };
  return {
    kind: "unclear",
    detail:
      detail === ""
        ? `The harness ended with code ${end.code ?? "unknown"} and no end of turn.`
        : detail,
  };
}

/**
 * Whether a tool's input is shown as a command line or as JSON; cut so that a denial stays one
 * readable line.
 */
function denialOf(denied: { readonly tool: string; readonly input: unknown }): Denial {
  const command =
    typeof denied.input === "object" && denied.input !== null && "command" in denied.input
      ? denied.input.command
      : null;
  const input = typeof command === "string" ? command : (JSON.stringify(denied.input) ?? "");
  return { tool: denied.tool, input: input.slice(0, 300) };
}
