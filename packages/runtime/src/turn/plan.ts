import {
  type Attempt,
  LoopError,
  type Runner,
  type SandboxFiles,
  type Session,
  type TakenLane,
  type Turn,
  type TurnPlan,
  type TurnRequest,
  type Turns,
} from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import { attemptFiles } from "./attempt.ts";
import { turnEnvironment, type TurnParent } from "../child-environment.ts";
import { renderTurn, type SaidOfUs } from "./render.ts";

/**
 * What is to be started; the error when the harness could never take it. Asked before the attempt
 * is written.
 */
export async function planOf(
  taken: TakenLane,
  session: Session & { readonly workdir: string },
  attempt: Attempt,
  said: SaidOfUs,
  sandbox: SandboxFiles | null,
  turns: Turns,
  parts: RuntimeParts,
): Promise<TurnPlan | LoopError> {
  try {
    return turns.plan({
      ...(await requestOf(taken, session, attempt, said, turns, parts)),
      sandbox,
    });
  } catch (error) {
    if (error instanceof LoopError) return error;
    throw error;
  }
}

async function requestOf(
  taken: TakenLane,
  session: Session & { readonly workdir: string },
  attempt: Attempt,
  said: SaidOfUs,
  turns: Turns,
  parts: RuntimeParts,
): Promise<TurnRequest> {
  const settings = parts.settings();
  const files = attemptFiles(settings.turnsDir, taken.turn.id, attempt.receipt);
  return {
    mode: session.begun ? "resume" : "start",
    sessionId: session.harnessSessionId,
    receipt: attempt.receipt,
    prompt: await renderTurn(taken, attempt, session, said, parts),
    workdir: session.workdir,
    ...(said.node?.folder == null ? {} : { alsoIn: [said.node.folder] }),
    turnDir: files.turnDir,
    env: environmentOfTurn(taken.turn, session, files.turnDir, turns, parts),
  };
}

/** The environment of every attempt of a turn. */
export function environmentOfTurn(
  turn: Turn,
  session: Session,
  turnDir: string,
  turns: Pick<Turns, "capabilities">,
  parts: Pick<RuntimeParts, "settings">,
): Record<string, string> {
  const settings = parts.settings();
  return turnEnvironment(environmentOf(parts, session.harness), {
    instance: settings.policy.instance.name,
    workItem: turn.workItem,
    session: session.harnessSessionId,
    turn: turn.id,
    turnDir,
    configFile: settings.configFile,
    driverAsks: session.runner === "headless" && !turns.capabilities.stopGateInHeadless,
  });
}

/** What a new attempt is named and timed by. */
export type NewAttemptParts = {
  readonly ids: Pick<RuntimeParts["ids"], "uuid">;
  readonly clock: Pick<RuntimeParts["clock"], "now">;
};

/**
 * A receipt is used again only by the runner that used it: the other one would find nothing of what
 * it came to.
 */
export function nextAttempt(
  turn: Pick<Turn, "next" | "attempt">,
  session: Pick<Session, "harnessSessionId">,
  runner: Runner,
  parts: NewAttemptParts,
): Attempt {
  const before = turn.attempt;
  const kind =
    turn.next === "again" && before?.runner !== undefined && before.runner !== runner
      ? "continue"
      : turn.next;
  const receipt =
    kind === "again" && before?.harnessSessionId === session.harnessSessionId
      ? before.receipt
      : parts.ids.uuid();
  return {
    receipt,
    kind,
    harnessSessionId: session.harnessSessionId,
    startedAt: parts.clock.now(),
    runner,
    child: null,
  };
}

function environmentOf(parts: Pick<RuntimeParts, "settings">, harness: "A" | "B"): TurnParent {
  const { config, env, secretNames, binDir } = parts.settings();
  return {
    env,
    secretNames,
    passEnv: config.harnesses[harness].passEnv,
    extra: config.harnesses[harness].env,
    binDir,
  };
}
