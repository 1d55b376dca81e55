/**
 * Turns what came over the wire into a value of its type; throws `Misfit` for anything else. `at`
 * says where in the answer it stands.
 */
export type Decoder<T> = (value: unknown, at: string) => T;

/** An answer that this page does not know: the service is of another version than the page. */
export class Misfit extends Error {}

export const text: Decoder<string> = (value, at) =>
  typeof value === "string" ? value : misfit(at, "a text");
export const number: Decoder<number> = (value, at) =>
  typeof value === "number" ? value : misfit(at, "a number");
export const flag: Decoder<boolean> = (value, at) =>
  typeof value === "boolean" ? value : misfit(at, "true or false");

export function nullable<T>(decode: Decoder<T>): Decoder<T | null> {
  return (value, at) => (value === null ? null : decode(value, at));
}

export function list<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return (value, at) =>
    Array.isArray(value)
      ? value.map((each, index) => decode(each, `${at}[${index}]`))
      : misfit(at, "a list");
}

export function oneOf<const T extends string>(...values: readonly T[]): Decoder<T> {
  return (value, at) => values.find((each) => each === value) ?? misfit(at, values.join(" or "));
}

/** Fields beyond those that are named are left out. */
export function object<T extends object>(fields: {
  readonly [Name in keyof T]: Decoder<T[Name]>;
}): Decoder<T> {
  const names = Object.keys(fields).filter(
    (name): name is Extract<keyof T, string> => name in fields,
  );
  return (value, at) => {
    if (typeof value !== "object" || value === null) return misfit(at, "an object");
    const given = new Map(Object.entries(value));
    const decoded: Partial<T> = {};
    for (const name of names) decoded[name] = fields[name](given.get(name), `${at}.${name}`);
    return isWhole(decoded, names) ? decoded : misfit(at, "an object");
  };
}

function isWhole<T extends object>(decoded: Partial<T>, names: readonly string[]): decoded is T {
  return names.every((name) => name in decoded);
}

/** An object of which any field may be any of the plain values. */
export const fieldsOfAnyName: Decoder<
  Readonly<Record<string, string | number | boolean | null>>
> = (value, at) => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return misfit(at, "an object");
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, plain(each, `${at}.${name}`)]),
  );
};

function plain(value: unknown, at: string): string | number | boolean | null {
  return typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean" ||
    value === null
    ? value
    : misfit(at, "a plain value");
}

function misfit(at: string, expected: string): never {
  throw new Misfit(`${at} should be ${expected}`);
}
