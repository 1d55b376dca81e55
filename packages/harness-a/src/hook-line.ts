import path from "node:path";
import { type Fields, parseObject, textOf } from "./fields.ts";

/** One JSON line, and the file to which the caller appends it in one write. */
export type HookLine = { readonly file: string; readonly line: string };

/**
 * What a hook puts on record of its call, in the folder that a variable names to it; null where the
 * variable names none, as outside of a turn or a terminal of ours, and for what is no call of the
 * harness. Imports next to nothing: hooks start fast.
 */
export function hookLine(
  stdin: string,
  folder: string | undefined,
  file: string,
  record: (call: Fields, sessionId: string) => object,
): HookLine | null {
  if (folder === undefined || !path.isAbsolute(folder)) return null;
  const call = parseObject(stdin);
  const sessionId = textOf(call?.["session_id"]);
  return call === null || sessionId === null
    ? null
    : { file: path.join(folder, file), line: `${JSON.stringify(record(call, sessionId))}\n` };
}
