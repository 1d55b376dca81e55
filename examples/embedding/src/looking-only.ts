import type { ControlPlanePorts } from "@loopwork/control-plane";
import { explain, type Policy, waitingOf } from "@loopwork/core";
import { type Clock, LoopError, parseRef, type Ref, type Store } from "@loopwork/core/ports";

/**
 * Ports over the store of a service that runs elsewhere on this machine: everything that can be
 * read, and nothing that acts. `policy` is that of the service's configuration.
 */
export function lookingOnly(
  store: Store,
  policy: Policy,
  clock: Clock,
  stateRoot: string,
): ControlPlanePorts {
  const nobodySteers = async (): Promise<never> => {
    throw new LoopError(
      "LOOP_E_FORBIDDEN",
      "the portal is for looking",
      "steer on the code host, or with `loop` on the service's machine",
    );
  };
  return {
    clock,
    records: store,
    policy: () => policy,
    health: async () => ({
      status: "ok",
      version: "portal",
      configFile: null,
      stateRoot,
      services: [],
    }),
    async waiting() {
      const [items, open, pending] = await Promise.all([
        store.items.page({ after: null, limit: 2_000, only: "waiting" }),
        store.lanes.turns({ states: ["ready", "injecting", "uncertain", "failed"], limit: 200 }),
        store.outbox.pending({ limit: 1_000 }),
      ]);
      return waitingOf({ items, open, pending }, policy, "work-item", clock.now());
    },
    // `loop status` of the service shows those.
    unownedStarts: async () => [],
    steering: {
      ref: refOf,
      pullRequest: refOf,
      control: nobodySteers,
      register: nobodySteers,
      linkPullRequest: nobodySteers,
      closeSession: nobodySteers,
      resolveTurn: nobodySteers,
    },
    restart: nobodySteers,
    async why(id) {
      const row = await store.log.decision(id);
      if (row === null) return null;
      const { delivery, workItem, decision, decidedAt } = row;
      return {
        delivery: id,
        event: delivery.event,
        receivedAt: delivery.receivedAt,
        state: "decided",
        workItem,
        verdict: decision.verdict.kind,
        reason: decision.reason,
        decidedAt,
        check: null,
        sentences: explain(row, policy),
      };
    },
    replay: nobodySteers,
    transcript: async () => null,
    learnings: async () => null,
  };
}

async function refOf(text: string): Promise<Ref> {
  const ref = parseRef(text);
  if (ref === null)
    throw new LoopError(
      "LOOP_E_REF",
      `${JSON.stringify(text)} is no reference`,
      "write it as host:<owner>/<repo>#<number>",
    );
  return ref;
}
