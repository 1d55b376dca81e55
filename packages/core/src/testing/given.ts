import { decide } from "../decide/decide.ts";
import type { Decision } from "../decide/decision.ts";
import type { Effect, Recorded } from "../decide/effect.ts";
import { decidedFact, evolve } from "../decide/evolve.ts";
import type { Policy } from "../config/policy.ts";
import type { State } from "../decide/state.ts";
import type { InboundEvent } from "../event/event.ts";
import type { ItemState } from "../work-item/records.ts";
import { policyOf, stateOf } from "./build-state.ts";

/** What a decision came to, in the few words that a table of rules is written in. */
export type Outcome = {
  readonly decision: Decision;
  /** Verdict and reason, such as `started: start-requested`. */
  readonly says: string;
  /** Effects in their order, such as `react eyes`, `turn spawn #7`, `end-session #7`. */
  readonly does: readonly string[];
  /** The state after it. */
  readonly after: ItemState;
};

/**
 * A state to begin from; `when` decides an event in it, and `then` folds what it came to, so that
 * stories read top-down.
 */
export type Given = {
  readonly state: State;
  when(event: InboundEvent): Outcome;
  /** The same with an event decided, or something recorded, in between. */
  after(...happened: readonly (InboundEvent | Recorded)[]): Given;
};

/** Given a state and a policy. */
export function given(state: Partial<State> = {}, policy: Partial<Policy> = {}): Given {
  const [full, rules] = [stateOf(state), policyOf(policy)];
  const when = (event: InboundEvent): Outcome => {
    const decision = decide(event, full, rules);
    const after = evolve(full.item, decidedFact(event, decision, full, rules));
    return {
      decision,
      says: `${decision.verdict.kind}: ${decision.reason}`,
      does: decision.effects.map(wordsOf),
      after,
    };
  };
  return {
    state: full,
    when,
    after: (...happened) => {
      const [first, ...rest] = happened;
      if (first === undefined) return given(full, rules);
      const item = "deliveryId" in first ? when(first).after : evolve(full.item, first);
      return given({ ...full, item }, rules).after(...rest);
    },
  };
}

function wordsOf(effect: Effect): string {
  switch (effect.kind) {
    case "turn":
      return `turn ${effect.mode} #${effect.endpoint.number}`;
    case "drop-turns":
      return `drop-turns #${effect.endpoint.number}`;
    case "react":
      return `react ${effect.reaction}`;
    case "reply":
      return `reply #${effect.thread.number}`;
    case "phase-label":
      return `phase-label ${effect.phase}`;
    case "end-session":
      return `end-session #${effect.endpoint.number}`;
    case "release":
      return `release #${effect.workItem.number}`;
  }
}
