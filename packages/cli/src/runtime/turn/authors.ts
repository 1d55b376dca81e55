import type { Authors, ItemState, Policy } from "@loopwork/core";

/** Authority of people whose words may reach a session of the item, by login in lower case. */
export function authorsOf({ collaborators }: Pick<ItemState, "collaborators">, { authorizedUsers }: Pick<Policy, "authorizedUsers">): Authors {
  return new Map([...collaborators.map(({ login }) => [login.toLowerCase(), "collaborator"] as const), ...[...authorizedUsers].map((login) => [login, "authorized"] as const)]);
}
