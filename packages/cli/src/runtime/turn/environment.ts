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
  const secret = new Set(from.secretNames.filter((name) => !from.passEnv.includes(name)));
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(from.parent)) {
    if (value !== undefined && !secret.has(name) && !isOfOuterTurn(name)) env[name] = value;
  }
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

/** A daemon that was started from inside of a turn must not hand that turn's identity on. */
function isOfOuterTurn(name: string): boolean {
  return name === "LOOP_WORK_ITEM" || name === "LOOP_SESSION" || name === "LOOP_TURN" || name === "LOOP_TURN_DIR" || name === "LOOP_GATE";
}

