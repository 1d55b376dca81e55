/**
 * Control keywords and closing keywords in the text of a comment. Only the author's own plain words
 * count: quotes, code and quoted mail are skipped.
 *
 * @example
 * ```ts
 * import { readControl } from "@loopwork/core/keywords";
 *
 * const reading = readControl("/loop start instance:blue", {
 *   start: "/loop start",
 *   stop: "/loop stop",
 *   pause: "/loop pause",
 *   resume: "/loop resume",
 *   cleanup: "/loop cleanup",
 *   "add-collaborator": "/loop add",
 *   "remove-collaborator": "/loop remove",
 * });
 * if (reading.kind === "command") console.log(reading.verb, reading.address); // start blue
 * ```
 */

export { controlVerbs } from "./event/control.ts";
export type { ControlVerb } from "./event/event.ts";
export { type ControlReading, readControl } from "./control/keyword.ts";
export { closingReferences } from "./linking/closing-keywords.ts";
