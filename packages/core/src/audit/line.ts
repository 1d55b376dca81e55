import { type EventKind, eventKinds, type EventLevel, type EventLine } from "./event-kinds.ts";
import { escapeHidden } from "./hidden.ts";

/**
 * A line of the event log as JSON on one line, keys always in the same order. Hidden and control
 * characters stand escaped, so that nothing in it can forge a line or steer a terminal; reading
 * gives them back.
 */
export function formatLine(line: EventLine): string {
  const { time, kind, level, instance, workItem, delivery, reason, fields } = line;
  return escapeHidden(
    JSON.stringify({ time, kind, level, instance, workItem, delivery, reason, fields }),
  );
}

/** A line of the event log out of its JSON; what does not fit is named. */
export function parseLine(
  text: string,
): { readonly ok: true; readonly line: EventLine } | { readonly ok: false; readonly why: string } {
  const value = parseJson(text);
  if (!isRecord(value)) return { ok: false, why: "no JSON object" };
  const { time, kind, level, instance, workItem, delivery, reason, fields } = value;
  if (typeof time !== "number" || !Number.isFinite(time))
    return { ok: false, why: "time is no number" };
  if (!isKind(kind)) return { ok: false, why: "unknown kind" };
  if (!isLevel(level)) return { ok: false, why: "unknown level" };
  if (typeof instance !== "string") return { ok: false, why: "instance is no text" };
  if (!isTextOrNull(workItem) || !isTextOrNull(delivery) || !isTextOrNull(reason))
    return { ok: false, why: "workItem, delivery or reason is neither text nor null" };
  if (!isFields(fields)) return { ok: false, why: "fields hold more than plain values" };
  return { ok: true, line: { time, kind, level, instance, workItem, delivery, reason, fields } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const levels: readonly EventLevel[] = ["debug", "info", "warn", "error"];
const isKind = (value: unknown): value is EventKind => eventKinds.some((kind) => kind === value);
const isLevel = (value: unknown): value is EventLevel => levels.some((level) => level === value);
const isTextOrNull = (value: unknown): value is string | null =>
  value === null || typeof value === "string";
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isFields(value: unknown): value is EventLine["fields"] {
  return (
    isRecord(value) &&
    Object.values(value).every(
      (one) =>
        one === null ||
        typeof one === "string" ||
        typeof one === "number" ||
        typeof one === "boolean",
    )
  );
}
