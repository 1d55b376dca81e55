import { setTimeout as sleep } from "node:timers/promises";
import { afterLeaving, attachedOver, coveredBy, evolve } from "@loopwork/core";
import {
  type HeldLock,
  type Hold,
  type ItemState,
  LoopError,
  parseRef,
  type Session,
} from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";

/** A lane that waits for a person. */
export type KeptLane = { leave(): Promise<void> };

export type KeepLanePorts = Pick<Ports, "store" | "locks" | "clock" | "wake">;

/**
 * How often the hold is renewed, well before it ends by itself, and how often a lane is looked at
 * that is waited for, in milliseconds.
 */
const renewMs = 20_000;
const lookEveryMs = 200;

/**
 * Keeps a session's lane waiting while a person may type. The lock is what makes it true (no turn
 * begins without it); the hold `attached` says so to everybody else, and lets no turn overtake
 * somebody who waits for a running one to end.
 */
export async function keepLane(
  session: Session,
  ports: KeepLanePorts,
  onWait: () => void,
): Promise<KeptLane> {
  const saying = sayAttached(session, ports);
  const leave = async (lock: HeldLock | null): Promise<void> => {
    await lock?.release();
    await saying.end();
    await ports.wake();
  };
  try {
    await saying.now();
    const lock = await untilFree(session, ports, onWait);
    await saying.now(); // The turn that was waited for may have left a hold of its own, which is over soon.
    return { leave: () => leave(lock) };
  } catch (error) {
    await leave(null);
    throw error;
  }
}

/** A turn that outlives its dispatcher holds no lock, so the record is asked as well. */
async function untilFree(
  session: Session,
  ports: KeepLanePorts,
  onWait: () => void,
): Promise<HeldLock> {
  const [locks, { lanes }] = [await ports.locks(), await ports.store()];
  for (let told = false; ; told = true) {
    const lock = await locks.acquire(`session-${session.harnessSessionId.toLowerCase()}`);
    const running =
      (await lanes.turns({ lane: session.endpoint, states: ["injecting"], limit: 1 })).length > 0;
    if (lock !== null && !running) return lock;
    await lock?.release();
    if (!told) onWait();
    await sleep(lookEveryMs);
  }
}

/**
 * Keeps the hold on the lane until the end; then the lane waits for what it waited for before, as
 * far as that is not over.
 */
function sayAttached(
  session: Session,
  ports: KeepLanePorts,
): { now(): Promise<void>; end(): Promise<void> } {
  let covered: Hold | null = null;
  let over = false;
  const now = (): Promise<void> =>
    setHold(session, ports, (present, at) => {
      if (over) return present;
      covered = coveredBy(present, covered, at);
      return attachedOver(present, at) ?? present;
    });
  const renewal = setInterval(() => void now().catch(() => {}), renewMs);
  const end = async (): Promise<void> => {
    over = true;
    clearInterval(renewal);
    await setHold(session, ports, (present, at) => afterLeaving(present, covered, at));
  };
  return { now, end };
}

async function setHold(
  session: Session,
  ports: KeepLanePorts,
  next: (present: Hold | null, now: number) => Hold | null,
): Promise<void> {
  const { items } = await ports.store();
  await items.update(session.workItem, (item) => {
    const present = item.lanes.find(({ endpoint }) => endpoint === session.endpoint)?.hold ?? null;
    const hold = next(present, ports.clock.now());
    return { after: hold === present ? item : replaced(item, session, hold), lines: [] };
  });
}

/** What was paused meanwhile stays paused. */
function replaced(item: ItemState, session: Session, hold: Hold | null): ItemState {
  const endpoint = parseRef(session.endpoint);
  if (endpoint === null)
    throw new LoopError(
      "LOOP_E_REF",
      `Invalid reference ${session.endpoint}`,
      "This is a bug in loop. Please report it.",
    );
  const opened = evolve(item, { kind: "lane-opened", endpoint });
  return hold === null ? opened : evolve(opened, { kind: "lane-held", endpoint, hold });
}
