import { evolve } from "@loopwork/core";
import { formatRef, type HarnessId, type Ref, type RefText } from "@loopwork/core/ports";
import { repositoryOf } from "@loopwork/runtime/steering";
import { steeredLine } from "./steering-event-line.ts";
import type { SteeringPorts } from "./steering-ports.ts";

/** `closed` is false where no session was open. */
export type ClosedSession = { readonly closed: boolean; readonly endpoint: RefText };

/**
 * Ends the registration of a session; the checkout stays. What was learned there is consolidated
 * next.
 */
export async function closeSession(endpoint: Ref, ports: SteeringPorts): Promise<ClosedSession> {
  const store = await ports.store();
  const lane = formatRef(endpoint);
  const workItem = (await store.items.ownerOfEndpoint(lane)) ?? lane;
  const open = (await store.items.load(workItem)).sessions.filter(
    (session) => session.endpoint === lane && session.status !== "closed",
  );
  if (open.length === 0) return { closed: false, endpoint: lane };
  const lines = [await steeredLine(ports, "session.closed", workItem, { endpoint: lane })];
  await store.items.update(workItem, (item) => ({
    after: evolve(item, { kind: "session-closed", endpoint }),
    lines,
  }));
  for (const { harness, harnessSessionId } of open)
    await endUnlessAtWork(harness, harnessSessionId, ports);
  const policy = await ports.policy();
  await ports.askForConsolidation(repositoryOf(workItem, { settings: () => ({ policy }) }));
  return { closed: true, endpoint: lane };
}

/**
 * A turn that runs goes on to its end, as it does without a terminal; its driver then has nothing
 * more to do there.
 */
async function endUnlessAtWork(
  harness: HarnessId,
  sessionId: string,
  ports: SteeringPorts,
): Promise<void> {
  const lock = await (await ports.locks()).acquire(`session-${sessionId.toLowerCase()}`);
  if (lock === null) return;
  try {
    await ports.endConversation(harness, sessionId);
  } finally {
    await lock.release();
  }
}
