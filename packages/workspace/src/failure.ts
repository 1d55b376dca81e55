import { LoopError } from "@loopwork/core/ports";

/** Why a checkout cannot be made, found or removed. Each has one sentence and what to do next. */
export class WorkspaceError extends LoopError {
  override readonly name: string = "WorkspaceError";
}

/**
 * The first line of git's own complaint, without anything that could be a password in an address.
 */
export function complaintOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.split("\n").map((line) => line.trim());
  const line =
    lines.find((each) => each.startsWith("fatal:") || each.startsWith("error:")) ??
    lines.find((each) => each !== "") ??
    "git said nothing";
  return withoutUserinfo(line.slice(0, 300));
}

/**
 * `https://name:secret@host` becomes `https://host`. Done by hand: it runs over text from outside.
 */
export function withoutUserinfo(text: string): string {
  const start = text.indexOf("://");
  if (start < 0) return text;
  const rest = text.slice(start + 3);
  const ends = ["/", " ", "'", '"']
    .map((character) => rest.indexOf(character))
    .filter((at) => at >= 0);
  const end = ends.length === 0 ? -1 : Math.min(...ends);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const at = authority.lastIndexOf("@");
  return (
    text.slice(0, start + 3) +
    authority.slice(at + 1) +
    (end < 0 ? "" : withoutUserinfo(rest.slice(end)))
  );
}
