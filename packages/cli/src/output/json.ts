import { escapeHidden } from "@loopwork/core/ports";

/**
 * Renders a command's data as one JSON document, or as one line for an item of a stream. What
 * doesn't print is escaped.
 */
export function renderJson(data: unknown, oneLine: boolean): string {
  return `${escapeHidden(JSON.stringify(data, jsonValue, oneLine ? undefined : 2))}\n`;
}

function jsonValue(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return value;
}
