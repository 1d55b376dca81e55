import {
  decidedFact,
  type Decision,
  type Effect,
  type InboundEvent,
  type LookupAnswers,
  noAnswers,
  type Policy,
  questionsOf,
  resolve,
  type State,
  type Target,
} from "@loopwork/core";
import { formatRef, type ItemState } from "@loopwork/core/ports";
import { stateOf } from "@loopwork/core/testing";
import type { Heard, Rules } from "./letter.ts";
import { listen } from "./oracle.ts";
import { type Ending, type Place, textAt, type World } from "./world.ts";

/**
 * Handlers are at most this many effects behind: an event waits while there are more, so that there
 * is an end to what can wait.
 */
const mostEffects = 3;

/** What hearing an event came to. */
export type Hearing = {
  readonly decision: Decision;
  readonly target: Target | null;
  readonly before: World;
  readonly world: World;
};

/**
 * The real pipeline of one event: resolve, decide, evolve, and what the shell does with the
 * effects. Null while it cannot happen.
 */
export function hear(letter: Heard, before: World, policy: Policy, rules: Rules): Hearing | null {
  if (!letter.possible(before) || before.outbox.length > mostEffects) return null;
  const shown: World = { ...before, host: letter.host(before.host) };
  const event = letter.event(shown);
  const target = targetOf(event, before.item, policy);
  const state: State = stateOf({
    item: before.item,
    target,
    ownedBy: before.elsewhere ? "other" : null,
    ...letter.facts,
  });
  const decision = rules.decide(event, state, policy);
  const item =
    target === null
      ? before.item
      : rules.evolve(before.item, decidedFact(event, decision, state, policy));
  const world: World = {
    ...shown,
    item,
    lanes: queue(decision.effects, before.lanes),
    outbox: post(decision.effects, before.outbox),
    oracle: untilShownClosed(listen(letter, shown, policy), shown, item),
  };
  return { decision, target, before: shown, world };
}

/**
 * A closing that left no trace ends grants with the first event that shows it; which one does is
 * the product's to say.
 */
function untilShownClosed(
  oracle: World["oracle"],
  { host }: World,
  { collaborators }: ItemState,
): World["oracle"] {
  return oracle.granted !== null && !host.open && collaborators.length === 0
    ? { ...oracle, granted: null, revoked: true }
    : oracle;
}

/** The work item as the shell finds it out from records; the host answers no questions here. */
function targetOf(event: InboundEvent, item: ItemState, policy: Policy): Target | null {
  const known = item.workItem !== null || item.sessions.length > 0;
  const linked = item.pullRequests.length > 0 ? [textAt.issue] : [];
  const owners = item.sessions
    .filter(({ endpoint, status }) => endpoint === textAt.pull && status !== "closed")
    .map(({ endpoint }) => ({ endpoint, workItem: textAt.issue }));
  const answers: LookupAnswers = {
    ...noAnswers,
    linked,
    heads: linked,
    owners,
    items: known ? [item] : [],
  };
  return resolve(event, answers, policy, questionsOf(event, policy));
}

/** Turns go onto their lanes and off them with the decision. */
function queue(effects: readonly Effect[], lanes: World["lanes"]): World["lanes"] {
  let next = lanes;
  for (const effect of effects) {
    if (effect.kind !== "turn" && effect.kind !== "drop-turns") continue;
    const place = placeOf(effect.endpoint.number);
    next = { ...next, [place]: { ...next[place], waiting: effect.kind === "turn" } };
  }
  return next;
}

export const placeOf = (number: number): Place => (number === 12 ? "pull" : "issue");

/** An effect right behind its like adds nothing: both would be carried out as one. */
function post(effects: readonly Effect[], outbox: readonly Ending[]): readonly Ending[] {
  const added = effects.filter(
    (effect) => effect.kind === "end-session" || effect.kind === "release",
  );
  const isTail = added.every((effect, n) =>
    sameEnding(outbox[outbox.length - added.length + n], effect),
  );
  if (isTail) return outbox;
  const last = outbox.at(-1);
  return [...outbox, ...(added.length === 1 && sameEnding(last, added[0]) ? [] : added)];
}

function sameEnding(one: Ending | undefined, other: Ending | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.kind === "release") return other.kind === "release";
  return other.kind === "end-session" && formatRef(one.endpoint) === formatRef(other.endpoint);
}
