import { randomUUID } from "node:crypto";
import type { RuntimeParts } from "@loopwork/runtime";

/** Guards that a run can go without, to show that the run would see it. */
export const guardNames = ["commit-before-answer", "dedupe", "live-child", "receipt"] as const;
export type GuardName = (typeof guardNames)[number];
type Decorate = (parts: RuntimeParts) => RuntimeParts;

/**
 * Each guard is taken away by putting something in front of a port; the service's own code stays as
 * it is.
 */
export const withoutGuard: Readonly<Record<GuardName, Decorate>> = {
  /** The answer goes out while the delivery is still only in memory. */
  "commit-before-answer": (parts) => ({
    ...parts,
    store: {
      ...parts.store,
      append(delivery) {
        setTimeout(() => void parts.store.append(delivery).catch(() => {}), 400);
        return Promise.resolve({ kind: "accepted", seq: 0 });
      },
    },
  }),
  /** A repeated delivery looks like a new one, and so does what it is about. */
  dedupe: (parts) => ({
    ...parts,
    store: {
      ...parts.store,
      append: (delivery) =>
        parts.store.append({
          ...delivery,
          id: `${delivery.id.slice(0, 80)}-${randomUUID()}`,
          digest: `${delivery.digest}${randomUUID()}`,
        }),
      log: {
        ...parts.store.log,
        seenAs: () => Promise.resolve(null),
        decide: (seq, workItem, decide, read) =>
          parts.store.log.decide(seq, workItem, (item) => ({ ...decide(item), key: null }), read),
      },
    },
  }),
  /**
   * A child that outlived a dead daemon is not waited for, nor seen in the harness's own register
   * of who holds a session.
   */
  "live-child": (parts) => {
    const { A } = parts.harnesses;
    return {
      ...parts,
      run: { ...parts.run, adopt: () => null },
      harnesses: {
        ...parts.harnesses,
        A: A === null ? null : { ...A, isHeldElsewhere: () => Promise.resolve(false) },
      },
    };
  },
  /** The harness does not learn the receipt, and nothing about it can be found afterwards. */
  receipt: (parts) => {
    const { A } = parts.harnesses;
    if (A === null) return parts;
    const turns: typeof A.turns = {
      ...A.turns,
      plan(request) {
        const plan = A.turns.plan(request);
        return { ...plan, stdin: plan.stdin.replaceAll(request.receipt, randomUUID()) };
      },
      evidence: () => Promise.resolve({ kind: "absent", sessionExists: true }),
    };
    return { ...parts, harnesses: { ...parts.harnesses, A: { ...A, turns } } };
  },
};

export function isGuard(name: string): name is GuardName {
  return guardNames.some((guard) => guard === name);
}
