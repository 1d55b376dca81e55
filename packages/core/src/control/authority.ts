import type { Policy } from "../decide/policy.ts";
import type { Reason } from "../decide/reason.ts";
import type { State } from "../decide/state.ts";
import type { Actor, InboundEvent } from "../normalise/event.ts";
import { sameName } from "../work-item/ref.ts";
import type { Authority } from "./authority-type.ts";

/** What the actor may do, and why no more than that; `why` is null for those who may steer or speak, and for CI. */
export type Standing = { readonly authority: Authority; readonly why: Reason | null };

const authorized: Standing = { authority: "authorized", why: null };
const collaborator: Standing = { authority: "collaborator", why: null };
const nobody: Standing = { authority: "none", why: null };
const strangers = {
  "stranger-dropped": { authority: "stranger", why: "stranger-dropped" },
  "actor-not-author": { authority: "stranger", why: "actor-not-author" },
  "actor-id-mismatch": { authority: "stranger", why: "actor-id-mismatch" },
  "bot-not-listed": { authority: "stranger", why: "bot-not-listed" },
} as const satisfies Record<string, Standing>;

/**
 * Authority of an event's actor (decisions.md 5, Actor; service.md 5.5). It is judged by `sender` alone, and nothing that
 * a stranger wrote is read before or after it.
 *
 * - CI events have no actor. Control deliveries come from this machine and act as the operator.
 * - The sender of a comment or review must be its author (P04).
 * - Bots count only when listed by their exact name, and never as collaborators.
 * - A login that was pinned to another number, or that comes without one, is somebody else (P08).
 */
export function authorityOf(event: InboundEvent, state: Pick<State, "item" | "pinnedActorId">, policy: Policy): Standing {
  if (event.kind === "ci") return nobody;
  if (event.kind === "control") return event.source === "cli" || event.source === "api" ? authorized : strangers["stranger-dropped"];
  const actor = event.actor;
  if (actor === null) return strangers["stranger-dropped"];
  const listed = isListed(actor.login, policy.authorizedUsers);
  if (!listed && actor.bot) return strangers["bot-not-listed"];
  const grant = listed ? undefined : state.item.collaborators.find((each) => sameName(each.login, actor.login));
  if (!listed && grant === undefined) return strangers["stranger-dropped"];
  if (event.kind === "comment" && !isSame(actor, event.comment.author)) return strangers["actor-not-author"];
  if (state.pinnedActorId !== null && actor.id !== state.pinnedActorId) return strangers["actor-id-mismatch"];
  if (grant !== undefined && grant.id !== null && actor.id !== grant.id) return strangers["actor-id-mismatch"];
  return listed ? authorized : collaborator;
}

/**
 * Whether the logins, all in lower case, have this one in any case. The answer before is kept, because the same person acts
 * several times in a row, and a copy in lower case must be made and hashed anew each time.
 */
function isListed(login: string, logins: ReadonlySet<string>): boolean {
  if (login !== asked.login || logins !== asked.logins) asked = { login, logins, listed: logins.has(login.toLowerCase()) };
  return asked.listed;
}

let asked: { readonly login: string; readonly logins: ReadonlySet<string> | null; readonly listed: boolean } = { login: "", logins: null, listed: false };

/** The same person: by number where both have one, by login too in any case. */
function isSame(actor: Actor, author: Actor | null): boolean {
  if (author === null || !sameName(author.login, actor.login)) return false;
  const [one, other] = [actor.id, author.id];
  return one === null || other === null || one === other;
}
