import type { Timers } from "@loopwork/core/ports";

/** Waiting that somebody may cut short. */
export type Rest = {
  /** Waits so many milliseconds, or until `end`. */
  take(ms: number): Promise<void>;
  /** Ends the rest that is being taken; nothing where none is. */
  end(): void;
};

export function createRest(timers: Timers): Rest {
  let end = (): void => {};
  return {
    take: (ms) =>
      new Promise((resolve) => {
        const callOff = timers.after(ms, resolve);
        end = () => {
          callOff();
          resolve();
        };
      }),
    end: () => end(),
  };
}
