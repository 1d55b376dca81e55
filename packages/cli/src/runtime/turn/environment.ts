import { delimiter } from "node:path";

export type ChildEnvironment = {
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** Names of variables that hold secrets of ours: webhook secrets, host token, store URL. */
  readonly secretNames: readonly string[];
  /** Names that stay in spite of being secrets (`harnesses.X.passEnv[]`). */
  readonly passEnv: readonly string[];
  /** `harnesses.X.env` of the configuration. */
  readonly extra: Readonly<Record<string, string>>;
  /** Folder that holds the `loop` which children call; it comes first in PATH. */
  readonly binDir: string;
};

export type TurnVariables = {
  readonly instance: string;
  readonly workItem: string;
  readonly session: string;
  readonly turn: number;
  readonly turnDir: string;
  readonly configFile: string | null;
  /** The driver asks after the turn whether the work is complete, so the harness's own stop hook must not (ADR 0074). */
  readonly driverAsks: boolean;
};

/**
 * The environment of a harness (decisions.md 4, Environment of the child): the parent's, less our secrets, plus what
 * the session must know. The harness adapter takes its own run-time variables out.
 */
export function childEnvironment(from: ChildEnvironment, turn: TurnVariables): Record<string, string> {
  const env = programEnvironment({ env: from.parent, secretNames: from.secretNames.filter((name) => !from.passEnv.includes(name)) });
  return {
    ...env,
    ...from.extra,
    PATH: [from.binDir, from.extra["PATH"] ?? env["PATH"] ?? ""].filter((part) => part !== "").join(delimiter),
    LOOP_INSTANCE: turn.instance,
    LOOP_WORK_ITEM: turn.workItem,
    LOOP_SESSION: turn.session,
    LOOP_TURN: String(turn.turn),
    LOOP_TURN_DIR: turn.turnDir,
    ...(turn.configFile === null ? {} : { LOOP_CONFIG: turn.configFile }),
    ...(turn.driverAsks ? { LOOP_GATE: "driver" } : {}),
  };
}

/**
 * What a program gets that judges an agent's work, be it a hook, a critic or a harness asked by the way: what it runs was perhaps written by
 * the agent, so that it carries a sign by which `loop` refuses it what it refuses a turn (steer/turn-here.ts).
 */
export function judgeEnvironment(from: Parameters<typeof programEnvironment>[0]): Record<string, string> {
  return { ...programEnvironment(from), LOOP_JUDGE: "1" };
}

/** What the service runs with, less our secrets and less a turn around us. */
export function programEnvironment({ env, secretNames }: { readonly env: ChildEnvironment["parent"]; readonly secretNames: readonly string[] }): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined || secretNames.includes(name) || isOfOuterTurn(name) ? [] : [[name, value]])));
}

/** A daemon that was started from inside of a turn must not hand that turn's identity on. */
function isOfOuterTurn(name: string): boolean {
  return name === "LOOP_WORK_ITEM" || name === "LOOP_SESSION" || name === "LOOP_TURN" || name === "LOOP_TURN_DIR" || name === "LOOP_GATE" || name === "LOOP_JUDGE";
}
