import type { Pinned } from "@loopwork/core";
import { type Account, accountName } from "@loopwork/core/ports";
import type { RuntimeParts } from "./parts.ts";

/**
 * What is pinned of an account: the id of its name, and the names of its id where somebody was
 * renamed.
 */
export async function pinnedOf(
  account: Account,
  items: Pick<RuntimeParts["store"]["items"], "pinnedActor" | "pinnedTo">,
): Promise<Pinned> {
  const id = await items.pinnedActor(accountName(account));
  return {
    id,
    as: account.id === null || account.id === id ? [] : await items.pinnedTo(account.id),
  };
}
