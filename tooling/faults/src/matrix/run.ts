import { startPostgres } from "@loopwork-tooling/postgres";
import { type Cell, type CellPlan, runCell } from "./cell.ts";
import type { Fault } from "./faults.ts";
import { points } from "./points.ts";
import type { StoreKind } from "./scene.ts";
import type { MatrixGuard } from "./without.ts";

/** Null for all. `beside`: how many cells run at once. */
export type MatrixPlan = {
  readonly stores: readonly StoreKind[];
  readonly only: readonly string[] | null;
  readonly faults: readonly Fault[] | null;
  readonly seed: number;
  readonly beside: number;
  readonly without: MatrixGuard | null;
};

export type MatrixReport = {
  readonly cells: readonly Cell[];
  readonly cellsRun: number;
  readonly notReached: number;
  readonly violations: readonly string[];
  readonly seed: number;
  readonly without: MatrixGuard | null;
};

/** Runs a cell for each point, fault and store that are asked for and mean something together. */
export async function runMatrix(
  plan: MatrixPlan,
  say: (text: string) => void,
): Promise<MatrixReport> {
  const waiting = cellsOf(plan);
  const cells: Cell[] = [];
  const server = plan.stores.includes("postgres") ? await startPostgres() : null;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const cell = await runCell(
        next,
        next.store === "postgres" ? (server?.url() ?? null) : null,
        say,
      );
      cells.push(cell);
      say(
        `${cell.ok ? "ok" : cell.struck ? "VIOLATED" : "NOT REACHED"} ${cell.point} ${cell.fault} ${cell.store} ${cell.ms} ms`,
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: plan.beside }, work));
  } finally {
    await server?.stop();
  }
  return {
    cells,
    cellsRun: cells.length,
    notReached: cells.filter(({ struck }) => !struck).length,
    violations: cells.flatMap(({ point, fault, store, violations }) =>
      violations.map((violation) => `${point} ${fault} ${store}: ${violation}`),
    ),
    seed: plan.seed,
    without: plan.without,
  };
}

function cellsOf({ stores, only, faults: wanted, seed, without }: MatrixPlan): CellPlan[] {
  const asked = Object.entries(points).filter(([name]) => only === null || only.includes(name));
  return stores.flatMap((store) =>
    asked.flatMap(([point, { faults: possible }]) =>
      possible
        .filter((fault) => wanted === null || wanted.includes(fault))
        .map((fault) => ({
          point,
          fault,
          store,
          seed: seedOf(`${seed} ${point} ${fault} ${store}`),
          without,
        })),
    ),
  );
}

/** The same whatever else runs, so that one cell can be run again by itself. */
function seedOf(name: string): number {
  return Buffer.from(name).reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7);
}
