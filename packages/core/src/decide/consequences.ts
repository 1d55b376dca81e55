import type { Effect } from "./effect.ts";
import type { Move } from "../control/transitions.ts";

/**
 * What a legal move causes beside the new status; each of `drop-turns` and `end-session` once for
 * every endpoint of the item.
 */
export const consequences: Readonly<Record<Move, readonly Effect["kind"][]>> = {
  start: ["turn"],
  pause: [],
  resume: [],
  stop: ["drop-turns", "end-session"],
  cleanup: ["drop-turns", "end-session", "release"],
  close: ["drop-turns", "end-session", "release"],
  defer: [],
  reopen: [],
};
