import type { OutboxHandlers } from "./handlers/index.ts";
import { drainOutbox } from "./outbox.ts";
import type { RuntimeParts } from "./parts.ts";

/**
 * Carries out effects beside deciding and taking lanes, one task at a time: a slow host and a turn
 * that is being ended delay other effects, nobody else.
 */
export type Effects = {
  /** Looks at the outbox, or has the look that is under way followed by another. */
  look(): void;
  busy(): boolean;
  /** Settles once nothing is being carried out. */
  idle(): Promise<void>;
};

export type EffectsOptions = {
  /** Asked before each effect; what is left waits for the next life. */
  readonly goOn: () => boolean;
  /**
   * Called when there may be more to do: effects were carried out, or were looked for meanwhile.
   */
  readonly onWork: (carriedOut: number) => void;
};

export function createEffects(
  parts: RuntimeParts,
  handlers: OutboxHandlers,
  { goOn, onWork }: EffectsOptions,
): Effects {
  let task: Promise<void> | null = null;
  let lookAgain = false;

  async function carryOut(): Promise<void> {
    let count = 0;
    try {
      count = await drainOutbox(parts, handlers, goOn);
    } catch (error) {
      lookAgain = false; // The next regular look is soon enough for a store that fails.
      parts.log(
        "error",
        `effects failed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    task = null;
    if (count > 0 || lookAgain) onWork(count);
  }

  return {
    look() {
      lookAgain = task !== null;
      task ??= carryOut();
    },
    busy: () => task !== null,
    idle: async () => void (await task),
  };
}

/** Runs what is handed to it one after the other. */
export function createOneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
