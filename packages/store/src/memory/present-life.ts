import { type Memory, open } from "./data.ts";

/**
 * Whether this handle may take lanes and settle effects: one whose instance has begun another life
 * since may not.
 */
export function isPresentLife(memory: Memory): boolean {
  return (
    memory.incarnation === null ||
    open(memory).lives.get(memory.instance)?.incarnation === memory.incarnation
  );
}
