/** Path of every route but the few at the root. */
export const apiPrefix = "/api/v1";

/** Names in the braces of a path. */
export function pathFields(path: string): readonly string[] {
  return [...path.matchAll(/\{([a-z]{1,20})\}/g)].map(([, name]) => name ?? "");
}
