/** What was found of one part, and what to do about it. `missing` stops the main job, `weak` only part of it. */
export type Finding = { readonly part: string; readonly state: "good" | "weak" | "missing"; readonly found: string; readonly todo: string | null };

export function good(part: string, found: string): Finding {
  return { part, state: "good", found, todo: null };
}

export function weak(part: string, found: string, todo: string | null): Finding {
  return { part, state: "weak", found, todo };
}

export function missing(part: string, found: string, todo: string | null): Finding {
  return { part, state: "missing", found, todo };
}
