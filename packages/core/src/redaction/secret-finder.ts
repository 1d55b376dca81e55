import type { Chars, Secret, Span } from "./redact.ts";

/** A state of the search: how the text so far may begin a value. */
type State = { readonly next: Map<number, State>; fallback: State | null; found: Secret | null };

/**
 * Finds all values in one pass over a text, however many there are (Aho and Corasick 1975): each
 * character is looked at once, and falling back never costs more than was matched before.
 */
export function secretFinder(secrets: readonly Secret[]): (text: Chars) => readonly Span[] {
  const root = build(secrets);
  return (text) => {
    const spans: Span[] = [];
    let state = root;
    for (let i = 0; i < text.length; i++) {
      state = step(root, state, text.charCodeAt(i));
      if (state.found !== null)
        spans.push({ start: i + 1 - state.found.value.length, end: i + 1, name: state.found.name });
    }
    return spans;
  };
}

function build(secrets: readonly Secret[]): State {
  const root: State = { next: new Map(), fallback: null, found: null };
  for (const secret of secrets) {
    let state = root;
    for (let i = 0; i < secret.value.length; i++) {
      const code = secret.value.charCodeAt(i);
      const known = state.next.get(code) ?? {
        next: new Map<number, State>(),
        fallback: null,
        found: null,
      };
      state.next.set(code, known);
      state = known;
    }
    state.found ??= secret;
  }
  linkFallbacks(root);
  return root;
}

/** Level by level: a state falls back to the longest other beginning that its text ends with. */
function linkFallbacks(root: State): void {
  const queue: State[] = [...root.next.values()];
  for (const state of queue) state.fallback = root;
  // The queue grows while it is gone through.
  for (const state of queue) {
    for (const [code, child] of state.next) {
      child.fallback = step(root, state.fallback ?? root, code);
      child.found ??= child.fallback.found;
      queue.push(child);
    }
  }
}

function step(root: State, from: State, code: number): State {
  let state = from;
  for (;;) {
    const next = state.next.get(code);
    if (next !== undefined) return next;
    if (state.fallback === null) return root;
    state = state.fallback;
  }
}
