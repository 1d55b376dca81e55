import type { Store } from "@loopwork/core/ports";
import {
  ancestorsOf,
  isSameProcess,
  type Environment,
  environmentsAbove,
} from "../processes/process-identity.ts";
import type { InsideTurn, Ports } from "../ports/command-ports.ts";

/**
 * Whether this process belongs to an agent's turn, and to which. Any one sign is enough, so that an
 * agent's shell that lost a variable is not taken for the operator's:
 *
 *     variables here, or in a process above     the folder names the turn; without it, it is a turn that nobody can name
 *     `LOOP_JUDGE` here, or in a process above  a hook or critic of the process graph, which runs
 *     what an agent wrote
 *     the child of a running turn above us      a turn that nobody can name; an emptied environment does not hide it
 */
export async function turnHere(ports: Pick<Ports, "turn" | "store">): Promise<InsideTurn | null> {
  return ports.turn() ?? ((await isBelowTurn(await ports.store())) ? unnamed : null);
}

/**
 * The turn as variables tell it; null where there is none of them. A conversation in a terminal
 * outlives turns: `inTerminal` looks up the folder of the one that it works for.
 */
export function turnByVariables(
  env: Environment,
  inTerminal: (env: Environment) => { readonly turnDir: string } | null,
): InsideTurn | null {
  const turnOf = (of: Environment): InsideTurn => ({
    turnDir: of[folder] || inTerminal(of)?.turnDir || null,
    workItem: of["LOOP_WORK_ITEM"] || null,
  });
  if (env[folder] || env[terminal]) return turnOf(env);
  const around = [env, ...environmentsAbove(process.pid)];
  const named = around.find((one) => one[folder] || one[terminal]);
  if (named !== undefined) return turnOf(named);
  return around.some(hasTurnSigns) ? unnamed : null;
}

/** Whether an environment has anything that only a turn has. */
export function hasTurnSigns(env: Environment): boolean {
  return signs.some((name) => env[name]);
}

/** Whether the child of a running turn is among the processes above this one. */
export async function isBelowTurn(store: Store, pid: number = process.pid): Promise<boolean> {
  const running = await store.lanes.turns({ states: ["injecting"], limit: 1_000 });
  if (running.length === 0) return false;
  const above = ancestorsOf(pid);
  const children = running.flatMap(({ attempt }) => attempt?.child ?? []);
  return children.some((child) => above.some((one) => isSameProcess(one, child)));
}

const folder = "LOOP_TURN_DIR";
const terminal = "LOOP_TERMINAL";
/**
 * What only a turn has, and programs that judge its work: `LOOP_WORK_ITEM` and `LOOP_INSTANCE`
 * people set for themselves.
 */
const signs = [folder, terminal, "LOOP_TURN", "LOOP_SESSION", "LOOP_JUDGE"];
const unnamed: InsideTurn = { turnDir: null, workItem: null };
