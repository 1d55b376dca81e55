import type { Block } from "./result.ts";

/** An error as a person and as `--json` see it. */
export type ShownError = {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly details: readonly string[];
};

/**
 * Errors with a code of ours are for people; anything else is a bug, shown in one line that asks to
 * be reported.
 */
export function shownError(error: unknown): ShownError {
  const message = error instanceof Error ? error.message : String(error);
  const code = property(error, "code");
  const hint = property(error, "hint");
  const details =
    error instanceof Error && "details" in error && Array.isArray(error.details)
      ? error.details.filter((detail) => typeof detail === "string")
      : [];
  if (code?.startsWith("LOOP_E_")) return { code, message, hint: hint ?? null, details };
  return {
    code: "LOOP_E_BUG",
    message: `Bug in loop: ${message}`,
    hint: "Run it again with LOOP_DEBUG=1 and report what it prints",
    details: [],
  };
}

export function errorBlocks(error: ShownError): readonly Block[] {
  return [
    { kind: "line", text: `${error.message.replace(/\.$/, "")} (${error.code})`, tone: "bad" },
    ...error.details.map((text): Block => ({ kind: "line", text: `  ${text}` })),
    ...(error.hint === null ? [] : [{ kind: "line", text: `→ ${error.hint}` } as const]),
  ];
}

function property(error: unknown, name: "code" | "hint"): string | undefined {
  if (!(error instanceof Error) || !(name in error)) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : undefined;
}
