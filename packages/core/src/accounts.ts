// Whose account it is that a host shows, for who reads answers of a host.
export { type Account, accountName, isListed, loginSet, sameAccount } from "./accounts/account.ts";
export { accountId, readActor } from "./event/actor.ts";
