import { spawnSync } from "node:child_process";
import type { MatrixGuard } from "../matrix/without.ts";
import { planPositions } from "./positions.ts";
import { runPosition, type Struck } from "./position.ts";
import { createReceivingScene } from "./scene.ts";

export type SyscallsRun = {
  readonly positions: number;
  readonly beside: number;
  readonly without: MatrixGuard | null;
  readonly say: (text: string) => void;
};

/**
 * `positions`: calls of the system that were made to fail, one a life; `notReached`: lives that
 * made fewer calls than that, which shows nothing; `notRun`: positions that could not be tried,
 * because strace is not installed. `refusals`: answers of 503, and connections that broke.
 */
export type SyscallsReport = {
  readonly positions: number;
  readonly notReached: number;
  readonly notRun: number;
  readonly acknowledged: number;
  readonly refusals: number;
  readonly without: MatrixGuard | null;
  readonly struck: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
};

/**
 * Lets single calls with which the store writes fail, spread over all that a life makes, and judges
 * what is stored afterwards.
 */
export async function runSyscalls({
  positions,
  beside,
  without,
  say,
}: SyscallsRun): Promise<SyscallsReport> {
  const nothing: SyscallsReport = {
    positions: 0,
    notReached: 0,
    notRun: positions,
    acknowledged: 0,
    refusals: 0,
    without,
    struck: {},
    violations: [],
  };
  if (spawnSync("strace", ["-V"]).error !== undefined) {
    say("strace is not installed, so no call of the system can be made to fail: nothing was run");
    return nothing;
  }
  const scene = await createReceivingScene();
  try {
    const waiting = planPositions(await scene.countCalls(), positions);
    const done: Struck[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        done.push(await runPosition(next, scene, without));
        if (done.length % 20 === 0)
          say(
            `${done.length} positions, ${done.flatMap(({ violations }) => violations).length} violations`,
          );
      }
    };
    await Promise.all(Array.from({ length: beside }, work));
    return { ...nothing, ...summed(done), notRun: 0 };
  } finally {
    await scene.end();
  }
}

function summed(
  done: readonly Struck[],
): Pick<
  SyscallsReport,
  "positions" | "notReached" | "acknowledged" | "refusals" | "struck" | "violations"
> {
  const struck: Record<string, number> = {};
  for (const { position, times } of done)
    if (times > 0)
      struck[`${position.call} ${position.error}`] =
        (struck[`${position.call} ${position.error}`] ?? 0) + 1;
  const sum = (of: (each: Struck) => number): number =>
    done.reduce((total, each) => total + of(each), 0);
  return {
    positions: done.length,
    notReached: done.filter(({ times }) => times === 0).length,
    acknowledged: sum((each) => each.acknowledged),
    refusals: sum((each) => each.refusals),
    struck,
    violations: done.flatMap(({ violations }) => violations),
  };
}
