/** A field of something that came from outside; undefined when there is none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Follows names downwards. */
export const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce(field, value);

export const textAt = (value: unknown, ...names: readonly string[]): string | null => {
  const found = at(value, ...names);
  return typeof found === "string" ? found : null;
};

export const numberAt = (value: unknown, ...names: readonly string[]): number | null => {
  const found = at(value, ...names);
  return typeof found === "number" && Number.isSafeInteger(found) ? found : null;
};

/** An id as decimal text, whether it came as a number or as text. */
export const idAt = (value: unknown, ...names: readonly string[]): string | null => {
  const found = at(value, ...names);
  return typeof found === "string" ? found : typeof found === "number" ? String(found) : null;
};

export const listAt = (value: unknown, ...names: readonly string[]): readonly unknown[] => {
  const found = at(value, ...names);
  return Array.isArray(found) ? found : [];
};
