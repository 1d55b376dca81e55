import { formatRef, type InboundEvent, type ItemState, type Policy, type State, type Target } from "@loopwork/core";
import type { RuntimeParts } from "./parts.ts";

/**
 * Whether the event is the service's or the session's own doing (decisions.md 5, own writing; 2, ownActivity). A fact
 * only: what follows from it is decided in core.
 */
export async function ownDoing(event: InboundEvent, target: Target | null, policy: Policy, parts: RuntimeParts): Promise<State["own"]> {
  if (event.kind === "comment") return (await isOurComment(event, parts)) ? "comment" : "no";
  if (event.kind !== "activity" && event.kind !== "label") return "no";
  if (target === null || policy.ownActivity !== "ignore") return "no";
  return (await isOfSession(event, await parts.store.items.load(formatRef(target.workItem)), policy, parts)) ? "activity" : "no";
}

/** Our login and our valid marker together. A forged marker suppresses nothing. */
async function isOurComment(event: Extract<InboundEvent, { kind: "comment" }>, parts: RuntimeParts): Promise<boolean> {
  if (!parts.marks.isOurs(event.comment.body)) return false;
  const login = await ownLogin(parts);
  return login === null || login === event.actor?.login.toLowerCase();
}

/**
 * A push whose head stands in the session's checkout is the session's, whoever's login it used. What the token's own login
 * does to an item at work is the session's too, unless a person steers under that login: then it cannot be told apart.
 */
async function isOfSession(event: Extract<InboundEvent, { kind: "activity" | "label" }>, item: ItemState, policy: Policy, parts: RuntimeParts): Promise<boolean> {
  const sessions = item.sessions.filter(({ status, workdir }) => status !== "closed" && workdir !== null);
  if (sessions.length === 0) return false;
  if (event.kind === "activity" && (await standsInCheckout(event, sessions.map(({ workdir }) => workdir ?? ""), parts))) return true;
  const login = await ownLogin(parts);
  return login !== null && login === event.actor?.login.toLowerCase() && !policy.authorizedUsers.has(login);
}

/** Only events that a head causes: an edit of the title says nothing about who pushed. */
async function standsInCheckout(event: Extract<InboundEvent, { kind: "activity" }>, workdirs: readonly string[], parts: RuntimeParts): Promise<boolean> {
  const sha = event.item.branches?.headSha;
  if (sha === undefined || (event.action !== "opened" && event.action !== "synchronize")) return false;
  const heads = await Promise.all(workdirs.map((workdir) => parts.workspace.headOf(workdir).catch(() => null)));
  return heads.includes(sha);
}

async function ownLogin(parts: RuntimeParts): Promise<string | null> {
  return (await parts.host.login().catch(() => null))?.toLowerCase() ?? null;
}
