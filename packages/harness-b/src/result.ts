/** The harness's own end of a turn. */
export type TurnResult = {
  readonly failed: boolean;
  readonly text: string;
  readonly sessionId: string | null;
  readonly durationMs: number;
};

/**
 * Reads a line of stream-json; the result when it is one, a success by both of its words. On a
 * failure there is none at all, whatever the exit code.
 */
export function parseResult(line: string): TurnResult | null {
  const fields = parseLine(line);
  if (fields?.["type"] !== "result") return null;
  const {
    subtype,
    is_error: failed,
    result: text,
    session_id: sessionId,
    duration_ms: durationMs,
  } = fields;
  return {
    failed: failed !== false || subtype !== "success",
    text: typeof text === "string" ? text : "",
    sessionId: typeof sessionId === "string" ? sessionId : null,
    durationMs:
      typeof durationMs === "number" && Number.isFinite(durationMs) && durationMs > 0
        ? durationMs
        : 0,
  };
}

/**
 * The last result among an attempt's lines, and the chat that it is of when that is not the one
 * that was asked.
 */
export function lastResult(
  stdout: readonly string[],
  sessionId: string,
): { readonly result: TurnResult | null; readonly elsewhere: string | null } {
  const result = stdout.map(parseResult).findLast((line) => line !== null) ?? null;
  const answered = result?.sessionId ?? null;
  return { result, elsewhere: answered === null || answered === sessionId ? null : answered };
}

/** What a person is told of it. */
export function elsewhereWords(answered: string, sessionId: string): string {
  return `Harness B answered in the chat ${answered.slice(0, 100)}, and ${sessionId} was asked.`;
}

/**
 * The words of a message that the harness has read, as it prints them before it works on them; null
 * for every other line.
 */
export function parseMessage(line: string): string | null {
  const fields = parseLine(line);
  const content =
    fields?.["type"] === "user" && isRecord(fields["message"])
      ? fields["message"]["content"]
      : null;
  if (typeof content === "string") return content;
  return Array.isArray(content)
    ? content
        .map((part) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : ""))
        .join("")
    : null;
}

/**
 * A line as an object; null for plain words and for everything else. A leading byte order mark is
 * skipped.
 */
export function parseLine(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line.startsWith("\uFEFF") ? line.slice(1) : line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
