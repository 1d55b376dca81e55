/**
 * What was found of one part, and what to do about it. `missing` stops the main job, `weak` only
 * part of it. `details` are lines below that.
 */
export type Finding = {
  readonly part: string;
  readonly state: "good" | "weak" | "missing";
  readonly found: string;
  readonly details: readonly string[];
  readonly todo: string | null;
};

export function finding(
  state: Finding["state"],
  part: string,
  found: string,
  todo: string | null,
  details: readonly string[] = [],
): Finding {
  return { part, state, found, details, todo };
}

export function good(part: string, found: string): Finding {
  return finding("good", part, found, null);
}

export function weak(part: string, found: string, todo: string | null): Finding {
  return finding("weak", part, found, todo);
}

export function missing(part: string, found: string, todo: string | null): Finding {
  return finding("missing", part, found, todo);
}
