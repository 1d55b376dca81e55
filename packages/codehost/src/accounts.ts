import { type Account, isListed, loginSet } from "@loopwork/core/ports";
import { accountId, readActor } from "@loopwork/core";
import type { Client } from "./client.ts";
import { idAt, textAt } from "./fields.ts";
import { nullIfMissing } from "./pulls.ts";

/**
 * The account that has the login now; null when there is none, or the host answers with another
 * one.
 */
export async function readAccount(client: Client, login: string): Promise<Account | null> {
  const account = readActor(
    (await client.get("looking up an account", "/users/{login}", { login }).catch(nullIfMissing))
      ?.data,
  );
  return account !== null && isListed(account, loginSet([login])) ? account : null;
}

/**
 * The account that the query language names, which leaves out the suffix of bots; null for nobody,
 * and for who stands for somebody else.
 */
export function accountInQuery(value: unknown): Account | null {
  const [kind, login] = [textAt(value, "__typename"), textAt(value, "login")];
  return readActor({ login, type: kind, id: accountId(idAt(value, "databaseId")) });
}

/** Fields to ask of an actor for `accountInQuery`. */
export const accountFields =
  "__typename login ... on User { databaseId } ... on Bot { databaseId }";
