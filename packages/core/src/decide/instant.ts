/**
 * Milliseconds since 1970 of an ISO 8601 instant as code hosts send it, `2024-05-06T07:08:09Z`, with a fraction or an offset such
 * as `+02:00` where they like; null for anything else. Written out because core has no clock and no `Date`.
 */
export function instantOf(text: string | null): number | null {
  if (text === null || text.length > 40) return null;
  const parts = shape.exec(text);
  if (parts === null) return null;
  const part = (n: number): number => Number(parts[n]);
  const [month, day, hour, minute, second] = [part(2), part(3), part(4), part(5), part(6)];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  const millis = Number((parts[7] ?? "").padEnd(3, "0").slice(0, 3));
  const offset = parts[8] === undefined ? 0 : (parts[8] === "-" ? -1 : 1) * (part(9) * 60 + part(10));
  return (daysSince1970(part(1), month, day) * 1440 + hour * 60 + minute - offset) * 60_000 + second * 1000 + millis;
}

/** True when the first instant lies before the second; false when it does not, or when nobody can tell. */
export function isBefore(one: string | null, other: string | null): boolean {
  const [a, b] = [instantOf(one), instantOf(other)];
  return a !== null && b !== null && a < b;
}

const shape = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Days between 1970-01-01 and a day of the Gregorian calendar, counted in years that begin in March. */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const yearOfEra = y - era * 400;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}
