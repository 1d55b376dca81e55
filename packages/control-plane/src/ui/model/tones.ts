/**
 * Colours of pills: `good` went on, `warn` waits for somebody or was not granted, `busy` is under
 * way, `calm` changes nothing.
 */
export type Tone = "good" | "warn" | "bad" | "calm" | "busy";

const verdicts: Readonly<Record<string, Tone>> = {
  rejected: "warn",
  refused: "warn",
  "close-deferred": "warn",
  ignored: "calm",
  noted: "calm",
  paused: "calm",
  stopped: "calm",
  closed: "calm",
  "cleaned-up": "calm",
  revoked: "calm",
};

/**
 * Of a delivery: its verdict, null while it waits to be decided; `ignored` says why it was left at
 * the door.
 */
export function toneOf(verdict: string | null, ignored: string | null): Tone {
  if (ignored !== null) return "calm";
  return verdict === null ? "busy" : (verdicts[verdict] ?? "good");
}
