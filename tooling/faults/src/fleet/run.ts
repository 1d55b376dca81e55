import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresStore } from "@loopwork/store-postgres";
import { startPostgres } from "@loopwork-tooling/postgres";
import { type Accepts, runAccepts } from "./accepts.ts";
import { type Claims, runClaims } from "./claims.ts";
import type { FleetOptions } from "./fleet.ts";
import { createDatabase, drawNumbers, requireSkipped, withoutAcceptLock } from "./numbering.ts";
import { runTurns, type Turns, type TurnsPlan } from "./turns.ts";
import type { FleetGuard } from "./without.ts";

/**
 * `deliveries` are accepted while others read, `items` are new work items for `instances` processes
 * to claim; the turns come after.
 */
export type FleetPlan = Omit<TurnsPlan, "seed"> & {
  readonly deliveries: number;
  readonly items: number;
};

/**
 * 8 processes, 2,000 items, 40 lanes with 3,000 turns at least, 200 kills of instances and 50 of
 * the server.
 */
export const fullFleet: FleetPlan = {
  deliveries: 300,
  instances: 8,
  items: 2_000,
  lanes: 40,
  wordsPerLane: 75,
  kills: 200,
  stops: 3,
  adoptions: 2,
  serverKills: 50,
};
export const smallFleet: FleetPlan = {
  deliveries: 60,
  instances: 4,
  items: 60,
  lanes: 8,
  wordsPerLane: 12,
  kills: 3,
  stops: 1,
  adoptions: 1,
  serverKills: 1,
};

/**
 * `passedOverWithLock` is of the control for a run without the accept lock: all as in that one, and
 * the lock. Null in other runs.
 */
export type FleetReport = Turns &
  Omit<Claims, "violations"> &
  Omit<Accepts, "violations"> & {
    readonly passedOverWithLock: number | null;
    readonly seed: number;
    readonly without: FleetGuard | null;
  };

const noAccepts: Accepts = { accepted: 0, passedOver: 0, violations: [] };
const noClaims: Claims = { items: 0, claims: 0, claimedTwice: 0, violations: [] };
const noTurns: Turns = {
  turnsExpected: 0,
  delivered: 0,
  lost: 0,
  doubled: 0,
  overlapping: 0,
  outOfOrder: 0,
  violations: [],
  kills: 0,
  serverKills: 0,
  acknowledged: 0,
  lateRefused: 0,
  lateTaken: 0,
  adopted: 0,
};

/** A run that takes longer is broken off: something hangs. */
const longestRunMs = 25 * 60_000;

/**
 * Runs a fleet on a PostgreSQL server of its own. A run without a guard runs what that guard is
 * for. Rejects when it took more than 25 minutes.
 */
export async function runFleet(
  plan: FleetPlan,
  seed: number,
  without: FleetGuard | null,
  say: (text: string) => void,
): Promise<FleetReport> {
  const scratch = mkdtempSync(join(tmpdir(), "loop-fleet-"));
  const server = await startPostgres();
  let broken: NodeJS.Timeout | undefined;
  try {
    const tooLong = new Promise<never>(
      (_resolve, reject) =>
        (broken = setTimeout(
          () => reject(new Error(`the run did not end within ${longestRunMs / 60_000} minutes`)),
          longestRunMs,
        )),
    );
    return await Promise.race([
      runPhases({ plan, seed, without, say, server, dir: join(scratch, "transcripts") }),
      tooLong,
    ]);
  } finally {
    clearTimeout(broken);
    await server.stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Phases = {
  readonly plan: FleetPlan;
  readonly seed: number;
  readonly without: FleetGuard | null;
  readonly say: (text: string) => void;
  readonly server: Awaited<ReturnType<typeof startPostgres>>;
  readonly dir: string;
};

/** Each phase has a database of its own, so that no instance reads what was said to others. */
async function runPhases({ plan, seed, without, say, server, dir }: Phases): Promise<FleetReport> {
  const optionsOf = async (name: string): Promise<FleetOptions> => {
    const url = await createDatabase(server.url(), name);
    await (await openPostgresStore(url, { instance: "setup", now: Date.now })).close();
    return { url, dir, leaseMs: 1_000, room: 6, without };
  };
  const control =
    without === "accept-lock"
      ? await acceptDrawn(await optionsOf("control"), plan.deliveries, true)
      : null;
  const accepts =
    without === null
      ? await runAccepts(await optionsOf("accepts"), plan.deliveries)
      : without === "accept-lock"
        ? await acceptDrawn(await optionsOf("unlocked"), plan.deliveries, false)
        : noAccepts;
  say(
    `${accepts.accepted} deliveries accepted, ${accepts.passedOver} of them passed over${control === null ? "" : `, ${control.passedOver} with the lock`}`,
  );
  const claims =
    without === null || without === "claim"
      ? await runClaims(await optionsOf("claims"), plan.instances, plan.items)
      : noClaims;
  say(
    `${claims.claims} of ${claims.items} new work items claimed, ${claims.claimedTwice} of them more than once`,
  );
  const turns =
    without === null || without === "fence"
      ? await runTurns(await optionsOf("turns"), { ...plan, seed }, server, say)
      : noTurns;
  const missing =
    without === null && plan.stops + plan.adoptions > 0 && turns.lateRefused === 0
      ? ["no late write was seen, so the run shows nothing about them"]
      : [];
  const inControl = (control?.violations ?? []).map((violation) => `with the lock: ${violation}`);
  return {
    ...turns,
    accepted: accepts.accepted,
    passedOver: accepts.passedOver,
    passedOverWithLock: control?.passedOver ?? null,
    items: claims.items,
    claims: claims.claims,
    claimedTwice: claims.claimedTwice,
    seed,
    without,
    violations: [
      ...inControl,
      ...accepts.violations,
      ...claims.violations,
      ...turns.violations,
      ...missing,
    ],
  };
}

/**
 * Accepting under numbers that are drawn from a sequence, where nothing but the lock makes their
 * order the one of the commits.
 */
async function acceptDrawn(
  options: FleetOptions,
  deliveries: number,
  locked: boolean,
): Promise<Accepts> {
  await drawNumbers(options.url);
  if (!locked) await withoutAcceptLock(options.url);
  const accepts = await runAccepts(options, deliveries);
  if (!locked) await requireSkipped(options.url);
  return accepts;
}
