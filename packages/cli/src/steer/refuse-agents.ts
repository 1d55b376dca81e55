import { LoopError, type Store } from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";
import {
  environmentsAt,
  type ProcessAbove,
  processesAbove,
} from "../processes/process-identity.ts";
import { hasTurnSigns, isBelowTurn, turnHere } from "./turn-here.ts";

/**
 * What steers is for people (a process inside an agent's turn may not grant, steer, close). A turn
 * is known by its variables, here or in a process above us, by its child among those, which a
 * cleared environment does not hide, and by a harness's session that is on record here. It guards
 * against accidents: a process that lets go of its parents is not found.
 */
export async function refuseAgents(ports: Ports, what: string): Promise<void> {
  await refuseTurns(ports, what);
  if (await isSessionOnRecord(ports.io.env, await ports.store())) throw agentMayNot(what);
}

/**
 * The same for what a person's own conversation may do and a turn may not, such as to register
 * itself.
 */
export async function refuseTurns(ports: Ports, what: string): Promise<void> {
  if ((await turnHere(ports)) !== null) throw agentMayNot(what);
}

/**
 * The same for commands that have to work before there is a configuration, and while the store is
 * broken: it is read where that is possible, and nothing is made.
 */
export async function refuseAgentsAtSetup(ports: Ports, what: string): Promise<void> {
  if (ports.turn() !== null || (await isKnownToRecords(ports))) throw agentMayNot(what);
}

/**
 * The same for every agent, also for one that a person began: what it reads may ask it to vouch for
 * the repository that it reads.
 */
export async function refuseAnyAgentAtSetup(ports: Ports, what: string): Promise<void> {
  if (isAgents(ports.io)) throw agentMayNot(what);
  await refuseAgentsAtSetup(ports, what);
}

/** The same for what needs neither configuration nor store: only the signs of a turn count. */
export function refuseInsideTurn(ports: Pick<Ports, "turn">, what: string): void {
  if (ports.turn() !== null) throw agentMayNot(what);
}

/**
 * Grants are refused to every agent, also to one that a person began and that loop knows nothing
 * of; so is what vouches for others, such as taking in learnings.
 */
export async function refuseAnyAgent(ports: Ports, what: string): Promise<void> {
  if (isAgents(ports.io)) throw agentMayNot(what);
  await refuseAgents(ports, what);
}

/** The same for what is asked of a service elsewhere, which cannot look at the processes here. */
export async function refuseRemoteAgents(
  ports: Ports,
  what: { readonly text: string; readonly grants: boolean },
): Promise<void> {
  if (what.grants && isAgents(ports.io)) throw agentMayNot(what.text);
  await refuseAgentsAtSetup(ports, what.text);
}

/**
 * The same for a process that asks over HTTP: what it was begun with, and the processes above it,
 * tell what it belongs to. One that cannot be found, as it runs on another machine or behind a
 * proxy, is taken for a person's.
 */
export async function refuseAgentPeer(
  pid: number,
  store: Store,
  what: { readonly text: string; readonly grants: boolean },
): Promise<void> {
  const [own = {}, ...above] = environmentsAt(pid);
  const asking = { env: own, above: () => processesAbove(pid) };
  if (what.grants && isAgents(asking)) throw agentMayNot(what.text);
  if (
    [own, ...above].some(hasTurnSigns) ||
    (await isBelowTurn(store, pid)) ||
    (await isSessionOnRecord(own, store))
  )
    throw agentMayNot(what.text);
}

/**
 * Whether this is an agent's process, by its own variables, those of a process above it, or a
 * harness there: an agent's shell that drops its variables still has the shell's parent above it.
 */
export function isAgents({
  env,
  above = () => processesAbove(process.pid),
}: Pick<Ports["io"], "env" | "above">): boolean {
  return hasAgentSigns(env) || above().some(isHarness);
}

function isHarness({ env, name }: ProcessAbove): boolean {
  return hasAgentSigns(env) || harnessNames.includes(name);
}

/** What the system calls the harnesses' own processes. */
const harnessNames = ["claude", "cursor-agent"];

/**
 * Whether an environment is that of an agent, also of one that a person began and that loop knows
 * nothing of.
 */
export function hasAgentSigns(env: Ports["io"]["env"]): boolean {
  return agentVariables.some((name) => env[name]);
}

/** Set by the harnesses for what runs inside of them. */
const agentVariables = [
  "CLAUDECODE",
  "CLAUDE_CODE_SESSION_ID",
  "CURSOR_AGENT",
  "CURSOR_CONVERSATION_ID",
  "AI_AGENT",
];
const sessionVariables = ["CLAUDE_CODE_SESSION_ID", "CURSOR_CONVERSATION_ID"];

async function isKnownToRecords(ports: Ports): Promise<boolean> {
  try {
    const { store } = await ports.records();
    return (await isBelowTurn(store)) || (await isSessionOnRecord(ports.io.env, store));
  } catch {
    return false; // Nothing is on record yet, or it cannot be read: the command itself says so where that matters.
  }
}

async function isSessionOnRecord(env: Ports["io"]["env"], store: Store): Promise<boolean> {
  const ids = new Set(sessionVariables.flatMap((name) => env[name]?.toLowerCase() ?? []));
  if (ids.size === 0) return false;
  const items = await store.items.list();
  return items.some(({ sessions }) =>
    sessions.some(({ harnessSessionId }) => ids.has(harnessSessionId.toLowerCase())),
  );
}

function agentMayNot(what: string): LoopError {
  return new LoopError(
    "LOOP_E_INSIDE_TURN",
    `Agents can't ${what}`,
    "Ask a person to do it with `loop ask`",
  );
}
