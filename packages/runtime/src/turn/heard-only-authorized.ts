import type { ItemState, Turn } from "@loopwork/core/ports";
import { isUntouched } from "@loopwork/core/learnings";
import type { RuntimeParts } from "../parts.ts";
import { type AuthorParts, authorsOf } from "./authors.ts";

/** As much of the runtime as looking back needs. */
export type LookingBack = AuthorParts & {
  readonly store: { readonly lanes: Pick<RuntimeParts["store"]["lanes"], "turns"> };
  readonly host: Pick<RuntimeParts["host"], "ownAccount">;
};

const atOnce = 200;

/**
 * Whether nobody was heard in any turn of a work item up to now but people who may steer: what a
 * session once heard it may act on in every turn after. Its other conversations count, too: they
 * work on the same branches.
 */
export async function isConversationUntouched(
  turn: Pick<Turn, "id" | "workItem" | "inputs">,
  item: Pick<ItemState, "collaborators">,
  parts: LookingBack,
): Promise<boolean> {
  const { store, host } = parts;
  const authors = await authorsOf(item, parts);
  const own = await host.ownAccount().catch(() => null);
  if (!isUntouched({ turn, authors, own })) return false;
  for (let beforeId = Number.MAX_SAFE_INTEGER; ;) {
    const turns = await store.lanes.turns({ workItem: turn.workItem, beforeId, limit: atOnce });
    if (turns.some((each) => each.attempt !== null && !isUntouched({ turn: each, authors, own })))
      return false;
    if (turns.length < atOnce) return true;
    beforeId = Math.min(...turns.map(({ id }) => id));
  }
}
