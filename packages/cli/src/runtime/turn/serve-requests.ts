import type { Turn } from "@loopwork/core";
import { carryOutRequest } from "./carry-out-request.ts";
import type { RuntimeParts } from "../parts.ts";
import { purposeOfRequest } from "./requests.ts";

const lookEveryMs = 100;

/** Answers what processes inside of the turn ask for, until it is stopped; the last look is after the child has ended. */
export function serveRequests(turnDir: string, turn: Turn, parts: RuntimeParts): { stop(): Promise<void> } {
  let looking: Promise<unknown> = Promise.resolve();
  const look = (): Promise<unknown> =>
    parts.files.answerRequests(turnDir, (request, name) => carryOutRequest(request, purposeOfRequest(turn, name), turn, parts)).catch((error: unknown) =>
      parts.log("warn", `requests of turn ${turn.id} could not be read: ${error instanceof Error ? error.message : String(error)}`),
    );
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
