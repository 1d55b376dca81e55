import { sameLabel } from "../accounts/fold-name.ts";

/** Host labels compare without case. */
export function hasLabel(labels: readonly string[], label: string): boolean {
  for (const each of labels) if (sameLabel(each, label)) return true;
  return false;
}
