import { setTimeout as sleep } from "node:timers/promises";
import { evolve, type Hold, LoopError, parseRef, type Session } from "@loopwork/core";
import type { HeldLock } from "@loopwork/core/ports";
import type { Ports } from "../start/ports.ts";

/** A lane that waits for a person. */
export type KeptLane = { leave(): Promise<void> };

/** The hold ends by itself this many milliseconds after a person's program was killed; it is renewed while it lives. */
const holdMs = 60_000;
const renewMs = 20_000;
const lookEveryMs = 200;

/**
 * Keeps a session's lane waiting while a person may type. The lock is what makes it true (no turn begins without it); the
 * hold `attached` says so to everybody else, and lets no turn overtake somebody who waits for a running one to end.
 */
export async function keepLane(session: Session, ports: Ports, onWait: () => void): Promise<KeptLane> {
  await setHold(session, ports, attached(ports));
  const renewal = setInterval(() => void setHold(session, ports, attached(ports)).catch(() => {}), renewMs);
  const leave = async (lock: HeldLock | null): Promise<void> => {
    clearInterval(renewal);
    await lock?.release();
    await setHold(session, ports, null);
    await ports.wake();
  };
  try {
    const lock = await untilFree(session, ports, onWait);
    return { leave: () => leave(lock) };
  } catch (error) {
    await leave(null);
    throw error;
  }
}

/** A turn that outlives its dispatcher holds no lock, so the record is asked as well. */
async function untilFree(session: Session, ports: Ports, onWait: () => void): Promise<HeldLock> {
  const [locks, { lanes }] = [await ports.locks(), await ports.store()];
  for (let told = false; ; told = true) {
    const lock = await locks.acquire(`session-${session.harnessSessionId.toLowerCase()}`);
    const running = (await lanes.turns({ lane: session.endpoint, states: ["injecting"], limit: 1 })).length > 0;
    if (lock !== null && !running) return lock;
    await lock?.release();
    if (!told) onWait();
    await sleep(lookEveryMs);
  }
}

function attached(ports: Ports): Hold {
  return { reason: "attached", until: ports.clock.now() + holdMs, detail: "it goes on when they leave" };
}

async function setHold(session: Session, ports: Ports, hold: Hold | null): Promise<void> {
  const endpoint = parseRef(session.endpoint);
  if (endpoint === null) throw new LoopError("LOOP_E_REF", `${session.endpoint} is no reference`, "this is a bug of loop; please report it");
  const { items } = await ports.store();
  await items.update(session.workItem, (item) => {
    if (hold !== null) return { after: evolve(item, { kind: "lane-held", endpoint, hold }), lines: [] };
    const ours = item.lanes.some((lane) => lane.endpoint === session.endpoint && lane.hold?.reason === "attached");
    return { after: ours ? evolve(item, { kind: "lane-opened", endpoint }) : item, lines: [] };
  });
}
