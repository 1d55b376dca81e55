import {
  type Account,
  accountName,
  type CodeHost,
  CodeHostError,
  LoopError,
  type Store,
} from "@loopwork/core/ports";
import type { Made } from "./prepare-host.ts";

/**
 * Pins the login to the account that has it now, so that whoever registers it later is somebody
 * else (ADR 0014). Where the host does not answer, the first event of the login pins it.
 */
export async function pinUser(
  login: string,
  host: Pick<CodeHost, "account">,
  openStore: () => Promise<Store>,
): Promise<Made> {
  try {
    const account = await host.account(login);
    if (account === null)
      return { did: [], left: [`Check the login @${login}: the code host has no such account.`] };
    return await pin(account, openStore);
  } catch (error) {
    if (error instanceof CodeHostError) return { did: [], left: [] };
    if (error instanceof LoopError)
      return {
        did: [],
        left: [
          `Fix the store (${error.message}). Until then @${login} isn't pinned to an account; their first event does that.`,
        ],
      };
    throw error;
  }
}

async function pin(account: Account, openStore: () => Promise<Store>): Promise<Made> {
  const { login, id } = account;
  if (id === null) return { did: [], left: [] };
  const store = await openStore();
  const pinned = await store.items.pinActor({ login: accountName(account), id });
  if (pinned === id) return { did: [`Pinned @${login} to account ${id}`], left: [] };
  return {
    did: [],
    left: [
      `@${login} was account ${pinned} before and is account ${id} now. If that is the same person, run \`loop actors forget ${login}\`.`,
    ],
  };
}
