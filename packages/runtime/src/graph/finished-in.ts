import type { FinishedCheck, ItemState, RefText } from "@loopwork/core/ports";
import type { GraphSettings } from "./load.ts";
import type { Looking } from "./observe.ts";
import { type Standing, standingOf, unclear } from "./standing.ts";

/**
 * Whether the session of a work item may end its turn; nothing to say where there is no graph, or
 * why nobody can tell.
 */
export type FinishedIn =
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly why: string }
  | { readonly kind: "told"; readonly finished: FinishedCheck; readonly standing: Standing };

/** Looks at the checkout as it is now; runs no hooks and no critics. */
export async function finishedIn(
  workItem: RefText,
  item: ItemState,
  workdir: string,
  settings: GraphSettings,
  looking: Looking,
): Promise<FinishedIn> {
  const found = await standingOf(workItem, item, workdir, settings, looking);
  if (found.kind === "none") return found;
  if (found.kind !== "standing") return { kind: "unknown", why: unclear(found, workdir) };
  const { itemFinished } = await import("@loopwork/core/ports");
  return {
    kind: "told",
    finished: itemFinished(found.standing.progress, workItem, item),
    standing: found.standing,
  };
}
