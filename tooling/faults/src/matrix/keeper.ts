import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readStore } from "../check/ask.ts";
import type { StoreRows } from "../check/rows.ts";
import {
  answers,
  endLife,
  isOver,
  isTwinRefused,
  readPassages,
  startLife,
  type Strikes,
} from "./life.ts";
import { instance, type Scene } from "./scene.ts";
import type { StorePlace } from "./store-place.ts";
import type { MatrixGuard } from "./without.ts";

/**
 * Keeps a service alive through a story: starts it again when it has died, wakes it when it was
 * stopped, sends again what it did not take.
 */
export type Keeper = {
  /** True once all is decided and done, false when nothing more has happened for a long time. */
  rest(): Promise<boolean>;
  /** What went wrong on the way, a sentence each. */
  readonly violations: readonly string[];
  end(): Promise<void>;
};

export type KeeperOptions = {
  readonly scene: Scene;
  readonly without: MatrixGuard | null;
  readonly strikes: Strikes;
  readonly prelude: string | null;
  readonly place: StorePlace;
};

const lookEveryMs = 100;
/**
 * A failure of the disk may come out a little later elsewhere; then the service is restarted, as
 * people do.
 */
const restartAfterMs = 700;
/** Longer than a lease, and than what is tried again waits for the first time. */
const nothingNewMs = 75_000;
/**
 * Without a guard, once the fault was met, the first sight of damage is enough; not after a stop,
 * from which everything recovers only when leases have run out.
 */
const nothingNewWithoutGuardMs = 10_000;
const mostLives = 8;

export function createKeeper({ scene, without, strikes, prelude, place }: KeeperOptions): Keeper {
  const violations: string[] = [];
  const patience = (): number =>
    without !== null && strikes.fault !== "stop" && readPassages(scene.passages).struck
      ? nothingNewWithoutGuardMs
      : nothingNewMs;
  const preluded = join(scene.folder, "prelude");
  let life: ChildProcess = startLife(
    scene,
    prelude === null
      ? { strikes, without }
      : { strikes: { point: prelude, fault: "kill", nth: 1 }, without, passages: preluded },
  );
  let heir: ChildProcess | null = null;
  let [lives, struckAt, handled] = [1, 0, false];

  const startAgain = (): void => {
    if (lives++ >= mostLives) throw new Error(`the service died ${mostLives} times`);
    // One that ended before it came so far, such as on a server that was too busy to let it in, was
    // not struck yet.
    life = startLife(scene, {
      strikes: readPassages(scene.passages).struck ? null : strikes,
      without,
    });
  };

  const tend = async (): Promise<void> => {
    if (isOver(life)) startAgain();
    if (!handled && readPassages(scene.passages).struck) {
      struckAt ||= performance.now();
      if (strikes.fault === "stop") {
        handled = true;
        await wake();
      } else if (strikes.fault !== "kill" && performance.now() - struckAt > restartAfterMs) {
        handled = true;
        await endLife(life);
        startAgain();
      }
    }
    await sendAgain(scene);
  };

  const wake = async (): Promise<void> => {
    if (!(await isTwinRefused(scene)))
      violations.push("a second service began beside one that was stopped");
    await takeOver();
    life.kill("SIGCONT");
  };

  /**
   * Another process of the instance begins a life of its own while the first is stopped, and makes
   * the post that was under way; what that one still writes comes too late.
   */
  const takeOver = async (): Promise<void> => {
    const before = await place.presentLife();
    if (before === null) return;
    await place.cutOff();
    heir = startLife(scene, { strikes: null, without, env: scene.heirEnv });
    if (!(await comes(async () => (await place.presentLife()) !== before)))
      violations.push("nobody took over from a process that had lost the store");
    if (!(await comes(async () => !(await isPosting(scene)))))
      violations.push("nobody made the post of a process that had lost the store");
  };

  return {
    violations,
    async rest() {
      let [looks, seen, changedAt] = [0, "", performance.now()];
      for (; looks < 2 && performance.now() - changedAt < patience(); await sleep(lookEveryMs)) {
        await tend();
        const rows = await readStore(scene.storeUrl).catch(() => null);
        looks = rows !== null && isTaken(scene) && isDone(rows) ? looks + 1 : 0;
        const now = JSON.stringify(rows);
        if (now !== seen) [seen, changedAt] = [now, performance.now()];
      }
      return looks === 2;
    },
    end: async () =>
      void (await Promise.all([life, ...(heir === null ? [] : [heir])].map(endLife))),
  };
}

/** Looks until it is so, for a minute. */
async function comes(isSo: () => Promise<boolean>): Promise<boolean> {
  for (
    const until = performance.now() + 60_000;
    performance.now() < until;
    await sleep(lookEveryMs)
  )
    if (await isSo()) return true;
  return false;
}

async function isPosting({ storeUrl }: Scene): Promise<boolean> {
  const rows = await readStore(storeUrl).catch(() => null);
  return (
    rows === null ||
    rows.effects.some(({ state, note }) => state === "pending" && note === "is being posted")
  );
}

/** As a host does when somebody asks: what was not taken, in the order in which it was sent. */
async function sendAgain({ host, healthUrl }: Scene): Promise<void> {
  const missed = host
    .deliveries()
    .filter(
      ({ attempts }) => attempts.length > 0 && attempts.every(({ status }) => status !== 202),
    );
  if (missed.length === 0 || !(await answers(healthUrl))) return;
  for (const { id } of missed) if ((await host.redeliver(id)) !== 202) return;
}

function isTaken({ host }: Scene): boolean {
  return host.deliveries().every(({ attempts }) => attempts.some(({ status }) => status === 202));
}

function isDone({ deliveries, decisions, turns, effects, lanes }: StoreRows): boolean {
  const decided = new Set(
    decisions.filter((each) => each.instance === instance).map(({ seq }) => seq),
  );
  if (deliveries.some(({ seq, ignored }) => ignored === null && !decided.has(seq))) return false;
  return (
    turns.every(({ state }) => state !== "ready" && state !== "injecting") &&
    effects.every(({ state }) => state !== "pending") &&
    lanes.every(({ holder }) => holder === null)
  );
}
