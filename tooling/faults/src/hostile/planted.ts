import type { RuntimeParts } from "@loopwork/runtime";

/**
 * Bugs that are put in front of a port, or into what the service is started with, to show that a
 * run would see them.
 */
export const plantedNames = [
  "linear",
  "memory",
  "answers",
  "store",
  "signature",
  "authority",
  "redact",
  "catch",
] as const;
export type PlantedName = (typeof plantedNames)[number];

type Planted = {
  readonly decorate: (parts: RuntimeParts) => RuntimeParts;
  /** What the environment is without. */
  readonly unset?: string;
  /** Logins that may steer besides the one who may. */
  readonly authorized?: string;
};

const asItIs = (parts: RuntimeParts): RuntimeParts => parts;
const kept: Buffer[] = [];

export const planted: Readonly<Record<PlantedName, Planted>> = {
  /**
   * Bodies are searched by a pattern that goes back and forth: quadratic in a run of blanks or
   * brackets.
   */
  linear: {
    decorate: (parts) =>
      withAppend(parts, (append) => (delivery) => {
        const text = Buffer.from(delivery.body ?? [])
          .toString("latin1")
          .slice(0, 16_384);
        void /[\s#[<!`]+\$/.test(text);
        return append(delivery);
      }),
  },
  /** Whatever was accepted is kept for ever. */
  memory: {
    decorate: (parts) =>
      withAppend(parts, (append) => (delivery) => {
        kept.push(Buffer.alloc(1_048_576, kept.length));
        return append(delivery);
      }),
  },
  /** One question in a row makes the store throw something without a code. */
  answers: {
    decorate: (parts) => ({
      ...parts,
      store: {
        ...parts.store,
        log: { ...parts.store.log, list: () => Promise.reject(new TypeError("planted")) },
      },
    }),
  },
  /** Every eighth delivery is answered as accepted and never stored. */
  store: {
    decorate: (parts) => {
      let count = 0;
      return withAppend(
        parts,
        (append) => (delivery) =>
          ++count % 8 === 0 ? Promise.resolve({ kind: "accepted", seq: count }) : append(delivery),
      );
    },
  },
  /** No secret is set, so that nothing is verified. */
  signature: { decorate: asItIs, unset: "LOOP_HOST_WEBHOOK_SECRET" },
  /** The stranger is taken for somebody who may steer. */
  authority: { decorate: asItIs, authorized: "mallory" },
  /** The log says what it must not. */
  redact: {
    decorate: (parts) =>
      withAppend(parts, (append) => (delivery) => {
        process.stderr.write(`accepted under ${process.env["LOOP_HOST_WEBHOOK_SECRET"] ?? ""}\n`);
        return append(delivery);
      }),
  },
  /** What nobody awaits fails, once it has been going on for a while. */
  catch: {
    decorate: (parts) => {
      let count = 0;
      return withAppend(parts, (append) => (delivery) => {
        if (++count === 100) void Promise.reject(new Error("planted"));
        return append(delivery);
      });
    },
  },
};

export function isPlanted(name: string): name is PlantedName {
  return plantedNames.some((each) => each === name);
}

type Append = RuntimeParts["store"]["append"];

function withAppend(parts: RuntimeParts, around: (append: Append) => Append): RuntimeParts {
  return {
    ...parts,
    store: { ...parts.store, append: around((delivery) => parts.store.append(delivery)) },
  };
}
