import type { ItemState, Turn } from "@loopwork/core";
import { isUntouched } from "@loopwork/core/learnings";
import type { RuntimeParts } from "../parts.ts";
import { authorsOf } from "./authors.ts";

/** As much of the runtime as looking back needs. */
export type LookingBack = { readonly store: { readonly lanes: Pick<RuntimeParts["store"]["lanes"], "turns"> }; readonly settings: () => { readonly policy: Pick<ReturnType<RuntimeParts["settings"]>["policy"], "authorizedUsers"> }; readonly host: Pick<RuntimeParts["host"], "login"> };

const atOnce = 200;

/**
 * Whether nobody was heard in any turn of a work item up to now but people who may steer: what a session once heard it may act on
 * in every turn after (decisions.md 11). Its other conversations count, too: they work on the same branches.
 */
export async function isConversationUntouched(turn: Pick<Turn, "id" | "workItem" | "inputs">, item: Pick<ItemState, "collaborators">, { store, settings, host }: LookingBack): Promise<boolean> {
  const authors = authorsOf(item, settings().policy);
  const ownLogin = (await host.login().catch(() => null))?.toLowerCase() ?? null;
  if (!isUntouched({ turn, authors, ownLogin })) return false;
  for (let beforeId = Number.MAX_SAFE_INTEGER; ; ) {
    const turns = await store.lanes.turns({ workItem: turn.workItem, beforeId, limit: atOnce });
    if (turns.some((each) => each.attempt !== null && !isUntouched({ turn: each, authors, ownLogin }))) return false;
    if (turns.length < atOnce) return true;
    beforeId = Math.min(...turns.map(({ id }) => id));
  }
}
