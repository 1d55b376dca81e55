import type { RuntimeParts } from "@loopwork/runtime";
import { withoutGuard } from "../guards.ts";
import type { Fault } from "./faults.ts";
import type { StoreKind } from "./scene.ts";

/** Guards that the matrix can go without, to show that it would see it. */
export const matrixGuards = [
  "commit-before-answer",
  "refusal",
  "dedupe",
  "receipt",
  "outbox-marker",
  "still-ours",
] as const;
export type MatrixGuard = (typeof matrixGuards)[number];

/** What takes a guard away, in front of a port, and the cell in which that must be seen. */
export type Without = {
  readonly decorate: (parts: RuntimeParts) => RuntimeParts;
  readonly point: string;
  readonly fault: Fault;
  readonly store: StoreKind;
};

export const matrixWithout: Readonly<Record<MatrixGuard, Without>> = {
  "commit-before-answer": {
    decorate: withoutGuard["commit-before-answer"],
    point: "accept.after-answer",
    fault: "kill",
    store: "sqlite",
  },
  /** A delivery that could not be stored is acknowledged all the same. */
  refusal: {
    decorate: (parts) => ({
      ...parts,
      store: {
        ...parts.store,
        append: (delivery) =>
          parts.store.append(delivery).catch(() => ({ kind: "accepted", seq: 0 })),
      },
    }),
    point: "accept.before-commit",
    fault: "enospc",
    store: "sqlite",
  },
  dedupe: {
    decorate: withoutGuard.dedupe,
    point: "decide.after-commit",
    fault: "kill",
    store: "sqlite",
  },
  receipt: {
    decorate: withoutGuard.receipt,
    point: "turn.after-prompt",
    fault: "kill",
    store: "sqlite",
  },
  /** A post that may stand on the host already is not looked for. */
  "outbox-marker": {
    decorate: (parts) => ({
      ...parts,
      host: { ...parts.host, findComment: () => Promise.resolve(null) },
    }),
    point: "outbox.after-post",
    fault: "kill",
    store: "sqlite",
  },
  /** A post leaves without a last look at who has the work item. */
  "still-ours": {
    decorate: (parts) => ({
      ...parts,
      host: { ...parts.host, comment: (thread, text) => parts.host.comment(thread, text) },
    }),
    point: "outbox.before-post",
    fault: "stop",
    store: "postgres",
  },
};

export function isMatrixGuard(name: string): name is MatrixGuard {
  return matrixGuards.some((guard) => guard === name);
}
