import { isBrokerLost, LoopError, type Outcome, type Session } from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";

type Asked = Pick<NonNullable<RuntimeParts["harnesses"]["A"]>, "isHeldElsewhere">;

/**
 * What keeps a turn out of its conversation: somebody else works there, or nobody can tell, because
 * the terminals cannot be looked at. Null when the way is free. A trouble that people can put right
 * holds the lane and says so; it is no fault of ours. Rejects where the broker was lost that asked:
 * the turn is taken up again.
 */
export async function heldElsewhere(
  { harnessSessionId }: Pick<Session, "harnessSessionId">,
  harness: Asked | null,
): Promise<Outcome | null> {
  try {
    return (await harness?.isHeldElsewhere(harnessSessionId)) === true
      ? { kind: "session-busy" }
      : null;
  } catch (error) {
    if (!(error instanceof LoopError) || isBrokerLost(error)) throw error;
    return {
      kind: error.code === "LOOP_E_TMUX_MISSING" ? "not-installed" : "session-busy",
      detail: `${error.message}; ${error.hint}`,
    };
  }
}
