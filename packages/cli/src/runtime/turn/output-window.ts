import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Lines that may matter for judging an attempt: every signal, and the newest of the rest. Memory stays flat (X02). */
export type OutputWindow = { add(line: string, isSignal: boolean): void; lines(): readonly string[] };

const newestKept = 200;
const signalsKept = 2_000;
const longestKept = 256 * 1024;

export function createOutputWindow(): OutputWindow {
  const signals: { readonly at: number; readonly line: string }[] = [];
  const newest: { readonly at: number; readonly line: string }[] = [];
  let count = 0;
  return {
    add(line, isSignal) {
      const kept = { at: count++, line: line.slice(0, longestKept) };
      const list = isSignal ? signals : newest;
      list.push(kept);
      if (list.length > (isSignal ? signalsKept : newestKept)) list.shift();
    },
    lines: () => [...signals, ...newest].toSorted((a, b) => a.at - b.at).map(({ line }) => line),
  };
}

/** The last `bytes` bytes of a file as text; empty when it does not exist. */
export function tailOf(file: string, bytes: number = 64 * 1024): string {
  let handle: number;
  try {
    handle = openSync(file, "r");
  } catch {
    return "";
  }
  try {
    const size = fstatSync(handle).size;
    const buffer = Buffer.alloc(Math.min(bytes, size));
    readSync(handle, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString("utf8");
  } finally {
    closeSync(handle);
  }
}
