import type { Turn } from "@loopwork/core/ports";
import { carryOutRequest } from "./carry-out-request.ts";
import type { RuntimeParts } from "../parts.ts";
import { purposeOfRequest } from "./requests.ts";

const lookEveryMs = 100;
/** Different failures of one turn that the log tells. */
const mostTold = 5;

type CarryOut = Parameters<RuntimeParts["files"]["answerRequests"]>[1];

/**
 * Answers what processes inside of the turn ask for, until it is stopped; the last look is after
 * the child has ended.
 */
export function serveRequests(
  turnDir: string,
  turn: Turn,
  parts: RuntimeParts,
): { stop(): Promise<void> } {
  let looking: Promise<unknown> = Promise.resolve();
  const told = new Set<string>();
  // Looked at ten times a second, and by names that a turn chose: each failure is told once.
  const tell = (what: string, error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    if (told.has(what) || told.size >= mostTold) return;
    told.add(what);
    parts.log("warn", `${what} of turn ${turn.id} failed and is tried again: ${why}`);
  };
  const carryOut: CarryOut = (request, name) =>
    carryOutRequest(request, purposeOfRequest(turn, name), turn, parts);
  const failed = (name: string, error: unknown): void => tell(`request ${name}`, error);
  const look = (): Promise<unknown> =>
    parts.files
      .answerRequests(turnDir, carryOut, failed)
      .catch((error: unknown) => tell("reading requests", error));
  const end = parts.timers.every(lookEveryMs, () => {
    looking = looking.then(look);
  });
  return {
    async stop() {
      end();
      await looking.then(look);
    },
  };
}
