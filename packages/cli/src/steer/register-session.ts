import { evolve } from "@loopwork/core";
import { formatRef, type HarnessId, type Ref, type RefText } from "@loopwork/core/ports";
import { steeredLine } from "./steering-event-line.ts";
import type { SteeringPorts } from "./steering-ports.ts";

export type Registration = {
  readonly endpoint: Ref;
  readonly harness: HarnessId;
  readonly harnessSessionId: string;
  /** Absolute. */ readonly workdir: string;
};
export type RegisteredSession = {
  readonly workItem: RefText;
  readonly endpoint: RefText;
  readonly harness: HarnessId;
  readonly harnessSessionId: string;
};

/**
 * What each harness takes as the id of a conversation; another would be refused only when an event
 * comes.
 */
const shapes = {
  A: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  B: /^[A-Za-z0-9_-]{8,128}$/,
} as const;

export function isSessionId(harness: HarnessId, id: string): boolean {
  return shapes[harness].test(id);
}

/** Binds a conversation that a person began to a work item or pull request. */
export async function registerSession(
  { endpoint, harness, harnessSessionId, workdir }: Registration,
  ports: SteeringPorts,
): Promise<RegisteredSession> {
  const store = await ports.store();
  const lane = formatRef(endpoint);
  const workItem =
    (await store.items.ownerOfEndpoint(lane)) ?? (await store.items.linkedTo(lane))[0] ?? lane;
  const recorded = {
    kind: "session-opened",
    endpoint,
    harness,
    harnessSessionId,
    workdir,
    runner: "headless",
    at: ports.clock.now(),
  } as const;
  const lines = [
    await steeredLine(ports, "session.registered", workItem, {
      endpoint: lane,
      session: harnessSessionId,
    }),
  ];
  await store.items.update(workItem, (item) => ({
    after: evolve(evolve(item, recorded), { kind: "session-begun", endpoint }),
    lines,
  }));
  return { workItem, endpoint: lane, harness, harnessSessionId };
}
