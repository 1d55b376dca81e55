export { ago } from "@loopwork/core/ports";

/** Date and time of day in UTC, to the second. */
export function stamp(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time such as `90m`, `2h`, `7d` before now, or an ISO 8601 date; null when it is neither. */
export function parseSince(text: string, now: number): number | null {
  const short = /^(\d{1,6})([smhd])$/.exec(text);
  if (short) return now - Number(short[1]) * (units[short[2] ?? "s"] ?? 0);
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
