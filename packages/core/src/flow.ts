import type { EventLevel, EventLine } from "./event-log/event-line.ts";
import { accountName, isListedAs } from "./accounts/account.ts";
import { authorityOf } from "./control/authority.ts";
import { decide } from "./decide/decide.ts";
import type { Verdict } from "./decide/decision.ts";
import { turnedAway } from "./decide/event-filter.ts";
import { decidedFact, evolve } from "./decide/evolve.ts";
import { endUntold } from "./decide/fold-grants.ts";
import type { Policy } from "./config/policy.ts";
import type { Reason } from "./control/reason.ts";
import type { State } from "./decide/state.ts";
import { withoutEndedGrants } from "./decide/untold-reopening.ts";
import { parsePayload } from "./event/parse-payload.ts";
import type { StoredDelivery } from "./event/delivery.ts";
import type { InboundEvent, Normalised, RejectedShape } from "./event/event.ts";
import { type Arrived, normalise } from "./event/normalise.ts";
import type { Decided } from "./decide/decision-row.ts";
import { formatRef } from "./ref/ref.ts";
import type { KnownAs } from "./event/repository-names.ts";

/**
 * The whole service on one screen. All of it is pure; the shell (runtime/src/ingest.ts) reads
 * what is asked for between the steps, and applies the result in one transaction.
 *
 *     delivery ──verify, store──▶ text
 *       text   ──understand─────▶ event                      or rejected: the payload does not fit its name
 *       event  ──turnedAway─────▶ nothing more to look up    or the reason why nobody needs to read on
 *       event  ──questionsOf────▶ (the shell reads answers) ──resolve──▶ target: work item and endpoint
 *       event, state, policy ──decide──▶ verdict + reason + effects ──evolve──▶ the state after it
 *
 * The effects become turns on lanes and entries of the outbox; small handlers carry those out and
 * report what happened, and the same `evolve` folds their reports. Replay and simulation run these
 * very functions.
 */
export function understand(
  delivery: Arrived,
  text: string,
  policy: Policy,
  knownAs: KnownAs | null = null,
): Normalised {
  const parsed = parsePayload(text);
  return parsed.ok
    ? normalise(delivery, parsed.payload, { defaultHost: policy.defaultHost, knownAs })
    : { ok: false, why: parsed.why };
}

export { turnedAway };

/**
 * What is written about an event that was understood. Call it inside of the transaction, with the
 * work item's state as it is there.
 */
export function settle(event: InboundEvent, given: State, policy: Policy): Decided {
  const state = withoutEndedGrants(event, given, (item) => endUntold(item, event, given.now));
  const decision = decide(event, state, policy);
  const after =
    state.target === null ? null : evolve(state.item, decidedFact(event, decision, state, policy));
  const key = state.seenAs === null ? (state.key ?? event.key) : null;
  return {
    event,
    state,
    decision,
    after,
    key,
    pin: pinOf(event, state, policy),
    lines: linesOf(event, { event, state, decision }, policy),
  };
}

/** What is written about a delivery that does not fit its event name: never routed. */
export function settleRejected(
  delivery: Pick<StoredDelivery, "id" | "source" | "event">,
  why: RejectedShape,
  policy: Policy,
  now: number,
): Decided {
  const fields = { verdict: "rejected", why, source: delivery.source, event: delivery.event };
  const line: EventLine = {
    time: now,
    kind: "delivery.decided",
    level: "warn",
    instance: policy.instance.name,
    workItem: null,
    delivery: delivery.id,
    reason: "payload-rejected",
    fields,
  };
  return {
    event: null,
    state: null,
    decision: { verdict: { kind: "rejected", why }, reason: "payload-rejected", effects: [] },
    after: null,
    key: null,
    lines: [line],
    pin: null,
  };
}

/**
 * What is written about a delivery that is older than bodies are kept: whoever joins late has
 * nothing to read, and nobody is to do anything.
 */
export function settleForgotten(
  delivery: Pick<StoredDelivery, "id" | "source" | "event">,
  policy: Policy,
  now: number,
): Decided {
  return quietly(delivery, "ignored", "body-forgotten", "debug", policy, now);
}

/**
 * What is written about a delivery of `loop canary`: it was decided like every other, and nothing
 * follows from it for any work item.
 */
export function settleCanary(
  delivery: Pick<StoredDelivery, "id" | "source" | "event">,
  policy: Policy,
  now: number,
): Decided {
  return quietly(delivery, "noted", "canary", "info", policy, now);
}

function quietly(
  { id, source, event }: Pick<StoredDelivery, "id" | "source" | "event">,
  kind: "ignored" | "noted",
  reason: Reason,
  level: EventLevel,
  policy: Policy,
  now: number,
): Decided {
  const line: EventLine = {
    time: now,
    kind: "delivery.decided",
    level,
    instance: policy.instance.name,
    workItem: null,
    delivery: id,
    reason,
    fields: { verdict: kind, source, event },
  };
  return {
    event: null,
    state: null,
    decision: { verdict: { kind }, reason, effects: [] },
    after: null,
    key: null,
    lines: [line],
    pin: null,
  };
}

/**
 * Somebody who may steer or speak is remembered by number when first seen, so that a re-used login
 * is noticed.
 */
function pinOf(event: InboundEvent, state: State, policy: Policy): Decided["pin"] {
  const actor = event.actor;
  if (
    actor === null ||
    actor.id === null ||
    state.pinnedActorId !== null ||
    event.kind === "control"
  )
    return null;
  if (
    turnedAway(event, policy) !== null ||
    isListedAs(actor, state.pinnedAs ?? [], policy.authorizedUsers)
  )
    return null;
  const { authority } = authorityOf(event, state, policy);
  return authority === "authorized" || authority === "collaborator"
    ? { login: accountName(actor), id: actor.id }
    : null;
}

/** One line for the decision, one for each turn that follows from it. */
function linesOf(
  event: InboundEvent,
  { state, decision }: Pick<Decided, "event" | "decision"> & { readonly state: State },
  policy: Policy,
): readonly EventLine[] {
  const common = {
    time: state.now,
    instance: policy.instance.name,
    delivery: event.deliveryId,
    reason: decision.reason,
  };
  const workItem = state.target === null ? null : formatRef(state.target.workItem);
  const fields = {
    verdict: decision.verdict.kind,
    source: event.source,
    event: event.event,
    action: event.action,
    actor: event.actor?.login ?? null,
  };
  const lines: EventLine[] = [
    {
      ...common,
      kind: "delivery.decided",
      level: levelOf(event, decision.verdict),
      workItem,
      fields,
    },
  ];
  for (const effect of decision.effects) {
    if (effect.kind !== "turn") continue;
    lines.push({
      ...common,
      kind: "turn.queued",
      level: "info",
      workItem,
      fields: {
        endpoint: formatRef(effect.endpoint),
        mode: effect.mode,
        authority: effect.authority,
      },
    });
  }
  return lines;
}

/**
 * What somebody said is never passed over below `info`, so that nobody has to ask why nothing
 * happened.
 */
function levelOf(event: InboundEvent, verdict: Verdict): EventLevel {
  if (verdict.kind === "refused") return "warn";
  const quiet = verdict.kind === "ignored" || verdict.kind === "noted";
  return quiet && event.kind !== "comment" && event.kind !== "control" ? "debug" : "info";
}
