import type { CommentEvent, ControlVerb, InboundEvent } from "../normalise/event.ts";
import type { ClockTime, ControlRecord, ItemState, Revocation } from "../work-item/records.ts";
import { revokedAt } from "../work-item/revocations.ts";
import { instantOf } from "./instant.ts";

/**
 * When something was asked for or happened: by the code host's clock where it tells, else by this
 * machine's. Whole seconds, as the host's are, so that within one second the order of arrival
 * counts.
 */
export function timeOf(event: InboundEvent, decidedAt: number): ClockTime {
  const told = instantOf(event.kind === "comment" ? saidAt(event) : event.at);
  if (told !== null) return { at: told, clock: "host" };
  const at = (event.kind === "control" ? event.receivedAt : undefined) ?? decidedAt;
  return { at: at - (at % 1000), clock: "machine" };
}

/**
 * When a comment could be read first: one on a diff may have waited in a draft review since it was
 * created.
 */
export function saidAt({ surface, comment, at }: CommentEvent): string | null {
  return surface === "diff" ? (at ?? comment.createdAt) : (comment.createdAt ?? at);
}

/**
 * The newer request that a verb in a comment would undo, although it was written before: such a
 * start, resume or grant changes nothing, however late the host told of it. What ends, holds or
 * revokes is never overtaken, and a request of the command line has no delay to make up for. Null
 * where nothing newer is known, or nobody can tell.
 */
export function overtakenBy(
  {
    verb,
    login,
    at,
  }: { readonly verb: ControlVerb; readonly login: string | null; readonly at: string | null },
  item: ItemState,
  granteeId: string | null = null,
): ClockTime | Revocation | null {
  const written = instantOf(at);
  if (written === null) return null;
  const begins = verb === "start" || verb === "resume";
  const newest = begins
    ? measureOf(item.workItem?.control)
    : verb === "add-collaborator" && login !== null
      ? revokedAt(login, item.workItem?.revoked, granteeId)
      : null;
  return newest !== null && written < newest.at ? newest : null;
}

/**
 * The measure after one more request: the newest one that was taken, also where an older pause or
 * stop was carried out since. What begins or goes on by the command line is none, because a clock
 * of this machine that is ahead would hold off what people write.
 */
export function measureAfter(
  known: ControlRecord,
  taken: ClockTime,
  begins: boolean,
): ClockTime | null {
  const before = measureOf(known);
  if (taken.clock === "machine" && begins) return before;
  return before === null || taken.at >= before.at ? taken : before;
}

/** Records of earlier versions have the time of the newest request alone, and its source. */
function measureOf(control: ControlRecord | undefined): ClockTime | null {
  if (control === undefined) return null;
  if (control.since !== undefined) return control.since;
  if (control.at === null) return null;
  return {
    at: control.at,
    clock: control.source === "cli" || control.source === "api" ? "machine" : "host",
  };
}
