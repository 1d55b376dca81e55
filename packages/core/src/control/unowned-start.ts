import type { Reason } from "./reason.ts";
import type { RefText } from "../ref/ref.ts";
import type { InstanceStatus } from "./instance-life.ts";

/**
 * A start that this instance left to another one, of an item that nobody is at work on. `at`:
 * milliseconds since 1970. `addressee`: how the instance that it names stands; null where it names
 * none. `words`: whose it is, as the second half of a sentence; `type`: what to do.
 */
export type UnownedStart = {
  readonly workItem: RefText;
  readonly address: string | null;
  readonly addressee: InstanceStatus | "unknown" | null;
  readonly by: string;
  readonly at: number;
  readonly delivery: string;
  readonly reason: Reason;
  readonly words: string;
  readonly type: string;
};
