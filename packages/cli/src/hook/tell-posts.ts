import { postsOf } from "@loopwork/core";
import type { HookCall } from "@loopwork/core/ports";
import { askDispatcher } from "../turn-folder/requests.ts";
import type { Ports } from "../ports/command-ports.ts";

/**
 * Tells the dispatcher what an agent posted with a tool of its own, also one that failed half-way.
 */
export async function tellPosts({ tool, input, response }: HookCall, ports: Ports): Promise<void> {
  const turnDir = ports.turn()?.turnDir ?? null;
  const posts = postsOf({ tool: tool ?? "", input, output: response });
  if (turnDir === null || posts.length === 0) return;
  // An answer that is late changes nothing: the request is kept and carried out, and the session
  // must go on.
  await askDispatcher(
    turnDir,
    `${ports.clock.now()}-${ports.ids.uuid()}`,
    { kind: "posted", posts },
    answerWithinMs,
  ).catch(() => {});
}

const answerWithinMs = 2_000;
