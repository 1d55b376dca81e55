/**
 * Milliseconds since 1970 of an ISO 8601 instant as code hosts send it, `2024-05-06T07:08:09Z`,
 * with a fraction or an offset such as `+02:00` where they like; null for anything else. Written
 * out because core has no clock and no `Date`.
 */
export function instantOf(text: string | null): number | null {
  if (text === null || text.length > 40) return null;
  const parts = shape.exec(text);
  if (parts === null) return null;
  const part = (n: number): number => Number(parts[n]);
  const [month, day, hour, minute, second] = [part(2), part(3), part(4), part(5), part(6)];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60)
    return null;
  const millis = Number((parts[7] ?? "").padEnd(3, "0").slice(0, 3));
  const offset =
    parts[8] === undefined ? 0 : (parts[8] === "-" ? -1 : 1) * (part(9) * 60 + part(10));
  return (
    (daysSince1970(part(1), month, day) * 1440 + hour * 60 + minute - offset) * 60_000 +
    second * 1000 +
    millis
  );
}

/** The same written, in UTC and whole seconds, for years of four digits. */
export function formatInstant(at: number): string {
  const seconds = Math.floor(at / 1000);
  const days = Math.floor(seconds / 86_400);
  const inDay = seconds - days * 86_400;
  const { year, month, day } = dateOf(days);
  return `${padded(year, 4)}-${padded(month)}-${padded(day)}T${padded(Math.floor(inDay / 3600))}:${padded(Math.floor(inDay / 60) % 60)}:${padded(inDay % 60)}Z`;
}

/**
 * True when the first instant lies before the second; false when it does not, or when nobody can
 * tell.
 */
export function isBefore(one: string | null, other: string | null): boolean {
  const [a, b] = [instantOf(one), instantOf(other)];
  return a !== null && b !== null && a < b;
}

const shape =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/**
 * Days between 1970-01-01 and a day of the Gregorian calendar, counted in years that begin in
 * March.
 */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const yearOfEra = y - era * 400;
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  );
}

/**
 * The day of the Gregorian calendar that lies so many days after 1970-01-01: the way back from
 * `daysSince1970`.
 */
function dateOf(days: number): {
  readonly year: number;
  readonly month: number;
  readonly day: number;
} {
  const era = Math.floor((days + 719_468) / 146_097);
  const dayOfEra = days + 719_468 - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const march = Math.floor((5 * dayOfYear + 2) / 153);
  const month = march < 10 ? march + 3 : march - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * march + 2) / 5) + 1,
  };
}

function padded(part: number, digits = 2): string {
  return String(part).padStart(digits, "0");
}
