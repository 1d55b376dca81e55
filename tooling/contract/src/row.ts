import { deepStrictEqual } from "node:assert/strict";
import type { Scene } from "./scene.ts";

/** A promise of ours about the harness; `run` rejects with what differs. The same rows run against every subject. */
export type Row = { readonly id: string; readonly title: string; run(scene: Scene): Promise<void> };

export function row(id: string, title: string, run: Row["run"]): Row {
  return { id, title, run };
}

/** Rejects unless both are the same, deeply. */
export function same(what: string, actual: unknown, expected: unknown): void {
  try {
    deepStrictEqual(actual, expected);
  } catch {
    throw new Error(`${what}: ${show(actual)} instead of ${show(expected)}`);
  }
}

/** Rejects unless `actual` has every key of `expected`, with the same value. */
export function has(what: string, actual: object, expected: Readonly<Record<string, unknown>>): void {
  const picked = Object.fromEntries(Object.entries(actual).filter(([key]) => key in expected));
  try {
    deepStrictEqual(picked, { ...expected });
  } catch {
    throw new Error(`${what}: ${show(actual)} instead of ${show(expected)}`);
  }
}

export function holds(what: string, condition: boolean, seen: unknown = ""): void {
  if (!condition) throw new Error(`${what}${seen === "" ? "" : `: ${show(seen)}`}`);
}

function show(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? String(value))).slice(0, 1500);
}
