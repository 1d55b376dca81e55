import {
  noAnswers,
  type Policy,
  questionsOf,
  resolve,
  settle,
  settleRejected,
  understand,
} from "@loopwork/core";
import { parseConfig, policyOf } from "@loopwork/core/config";
import { emptyItemState, formatRef, type Store, type StoredDelivery } from "@loopwork/core/ports";

export function fleetPolicy(instance: string): Policy {
  const parsed = parseConfig(
    `instance: { name: ${instance} }\nstore: { urlEnv: STORE_URL }\nrouting: { authorizedUsers: [ada] }\n`,
    { file: "fleet" },
  );
  if (!parsed.ok) throw new Error(parsed.errors.map(({ message }) => message).join("; "));
  return policyOf(parsed.config);
}

/**
 * Decides what the log holds next, as the service does for events of an issue: facts, one pure
 * call, one transaction. Resolves to the number.
 */
export async function decideNext(store: Store, policy: Policy): Promise<number> {
  const undecided = await store.log.undecided(50);
  for (const delivery of undecided) await decideOne(store, delivery, policy);
  return undecided.length;
}

async function decideOne(store: Store, delivery: StoredDelivery, policy: Policy): Promise<void> {
  const bytes = await store.log.body(delivery.seq);
  const understood = understand(
    delivery,
    bytes === null ? "" : new TextDecoder().decode(bytes),
    policy,
  );
  if (!understood.ok) {
    await store.log.decide(delivery.seq, null, () =>
      settleRejected(delivery, understood.why, policy, Date.now()),
    );
    return;
  }
  const { event } = understood;
  const target = resolve(event, noAnswers, policy, questionsOf(event, policy, "known"));
  const ref = target === null ? null : formatRef(target.workItem);
  const seenAs = event.key === null ? null : await store.log.seenAs(event.key);
  const pinnedActorId =
    event.actor === null ? null : await store.items.pinnedActor(event.actor.login);
  await store.log.decide(
    delivery.seq,
    ref,
    (item) => {
      const owner = item.workItem?.control.instance ?? null;
      return settle(
        event,
        {
          target,
          own: "no",
          seenAs,
          pinnedActorId,
          ownedBy: owner === policy.instance.name ? null : owner,
          item: ref === null ? emptyItemState : item,
          now: Date.now(),
        },
        policy,
      );
    },
    [],
  );
}
