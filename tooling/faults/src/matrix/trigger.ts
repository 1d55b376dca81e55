import { appendFileSync } from "node:fs";
import { type Fault, signalSelf } from "./faults.ts";

/** When a failpoint strikes: the `nth` time that it is passed, once in the life of the process. */
export type Trigger = {
  readonly fault: Fault;
  /** Counts one passage; true when this is the one. */
  pass(): boolean;
  /** Notes that it strikes now; kills or stops the process where that is the fault. */
  strike(): void;
};

/**
 * Every passage goes to `file` as a line before anything happens, so that whoever runs the process
 * knows of it afterwards.
 */
export function createTrigger(fault: Fault, nth: number, file: string): Trigger {
  let passed = 0;
  return {
    fault,
    pass() {
      passed += 1;
      appendFileSync(file, "passed\n");
      return passed === nth;
    },
    strike() {
      appendFileSync(file, "struck\n");
      if (fault === "kill" || fault === "stop") signalSelf(fault);
    },
  };
}
