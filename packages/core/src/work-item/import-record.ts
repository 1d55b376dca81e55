import { formatPortableRecord } from "./portable-record.ts";
import type { ControlRecord, ItemState } from "./records.ts";

/**
 * `take`: the item becomes this instance's, if anybody's; `replace`: also where another record of
 * it stands here; `unendedTurn`: a turn of it waits, runs or is uncertain here.
 */
export type ImportTerms = {
  readonly instance: string;
  readonly take: boolean;
  readonly replace: boolean;
  readonly unendedTurn: boolean;
};

/**
 * What becomes of a portable record that is brought here: `at-work`: a conversation about it lives
 * here, or was asked for; `differs`: another record stands here.
 */
export type ImportResult =
  | { readonly kind: "imported"; readonly after: ItemState }
  | { readonly kind: "same" }
  | { readonly kind: "refused"; readonly why: "at-work" | "differs" };

/**
 * Brings the portable record of a work item together with what is on record of it here. What is of
 * this machine stays: sessions that are over, lanes, and which delivery steered it last. Pure.
 */
export function importRecord(
  brought: ItemState,
  present: ItemState,
  terms: ImportTerms,
): ImportResult {
  const record = brought.workItem;
  if (record === null) return { kind: "same" };
  const steered =
    present.workItem?.steered === undefined ? {} : { steered: present.workItem.steered };
  const after: ItemState = {
    ...present,
    workItem: { ...record, ...steered, control: controlHere(record.control, terms) },
    pullRequests: brought.pullRequests,
    collaborators: brought.collaborators,
  };
  if (textOf(after) === textOf(present)) return { kind: "same" };
  if (terms.unendedTurn || isAtWork(present)) return { kind: "refused", why: "at-work" };
  return present.workItem === null || terms.replace
    ? { kind: "imported", after }
    : { kind: "refused", why: "differs" };
}

/**
 * What is this instance's now goes on as after an adoption: of what was done elsewhere only what
 * was pushed is here (adopted-item.ts).
 */
function controlHere(control: ControlRecord, { instance, take }: ImportTerms): ControlRecord {
  const isOurs = control.instance !== null && (take || control.instance === instance);
  return isOurs ? { ...control, instance, adoptedFrom: control.instance } : control;
}

function textOf(item: ItemState): string {
  return JSON.stringify(formatPortableRecord(item));
}

function isAtWork({ workItem, sessions, lanes }: ItemState): boolean {
  const isAskedFor =
    workItem?.control.status === "started" || workItem?.control.status === "paused";
  return (
    sessions.some(({ status }) => status === "active" || status === "closing") ||
    (isAskedFor && lanes.length > 0)
  );
}
