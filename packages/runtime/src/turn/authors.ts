import type { Authors } from "@loopwork/core";
import { accountName, type ItemState, namesTyped, personCalled } from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";

/** What judging an author needs. */
export type AuthorParts = {
  readonly store: { readonly items: Pick<RuntimeParts["store"]["items"], "pinnedActor"> };
  readonly settings: () => {
    readonly policy: Pick<ReturnType<RuntimeParts["settings"]>["policy"], "authorizedUsers">;
  };
};

/**
 * By what the authors of texts and heads that may reach a session of the item are judged, with the
 * ids that their names are pinned to.
 */
export async function authorsOf(
  { collaborators }: Pick<ItemState, "collaborators">,
  { store, settings }: AuthorParts,
): Promise<Authors> {
  const { authorizedUsers } = settings().policy;
  const names = new Set([
    ...[...authorizedUsers].flatMap(namesTyped),
    ...collaborators.map(({ login }) => accountName(personCalled(login))),
  ]);
  const pins = new Map<string, string>();
  for (const name of names) {
    const id = await store.items.pinnedActor(name);
    if (id !== null) pins.set(name, id);
  }
  return { authorizedUsers, collaborators, pins };
}
