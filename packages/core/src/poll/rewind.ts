import { isBefore } from "../decide/instant.ts";
import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import { sameName } from "../work-item/ref.ts";

/**
 * An issue or pull request as it was when something happened. A listing shows items as they are now; a webhook shows them
 * as they were. The changes that came later are taken back, newest first, so that both say the same: a comment that was
 * written before the label came shows no label, and a label before a closing shows an open item.
 */
export function rewind(item: JsonObject, changes: readonly Change[], moment: Moment): JsonObject {
  const later = changes.filter((change) => isBefore(moment.at, change.at) || (change.at === moment.at && moment.id !== null && change.id > moment.id));
  let { state, closed_at: closedAt, labels } = item;
  const ended = later.some(({ action }) => action === "closed");
  for (const { action, label } of later.toSorted((a, b) => b.id - a.id)) {
    if (action === "closed") [state, closedAt] = ["open", null];
    else if (action === "reopened") state = "closed";
    else if (label !== null && action === "labeled") labels = listOf(labels).filter((each) => !isLabel(each, label));
    else if (label !== null && action === "unlabeled") labels = [...listOf(labels), { name: label }];
  }
  return { ...item, ...(ended ? unmerged(item) : {}), state, closed_at: closedAt, labels, updated_at: moment.at };
}

/** A change of an item out of the host's list of events. Ids grow with time. */
export type Change = { readonly id: number; readonly at: string; readonly action: string; readonly label: string | null };

/** `id` is the event's own where it is one, so that it is not taken back itself; null takes back only what came in a later second. */
export type Moment = { readonly at: string; readonly id: number | null };

/** Before it was closed it was not merged either. */
function unmerged(item: JsonObject): JsonObject {
  const pull = item["pull_request"];
  if (isJsonObject(pull)) return { pull_request: { ...pull, merged_at: null } };
  return item["head"] === undefined ? {} : { merged: false, merged_at: null };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isLabel(value: unknown, name: string): boolean {
  const found = isJsonObject(value) ? value["name"] : value;
  return typeof found === "string" && sameName(found, name);
}
