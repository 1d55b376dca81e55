import { type Attempt, LoopError, type Session, type Turn } from "@loopwork/core";
import type { TakenLane, TurnPlan, TurnRequest, Turns } from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import { attemptFiles } from "./attempt.ts";
import { type ChildEnvironment, childEnvironment } from "./environment.ts";
import { renderTurn } from "./render.ts";

/** What is to be started; the error when the harness could never take it. Asked before the attempt is written. */
export function planOf(taken: TakenLane, session: Session & { readonly workdir: string }, attempt: Attempt, notes: readonly string[], turns: Turns, parts: RuntimeParts): TurnPlan | LoopError {
  try {
    return turns.plan(requestOf(taken, session, attempt, notes, parts));
  } catch (error) {
    if (error instanceof LoopError) return error;
    throw error;
  }
}

function requestOf(taken: TakenLane, session: Session & { readonly workdir: string }, attempt: Attempt, notes: readonly string[], parts: RuntimeParts): TurnRequest {
  const settings = parts.settings();
  const files = attemptFiles(settings.turnsDir, taken.turn.id, attempt.receipt);
  return {
    mode: session.begun ? "resume" : "start",
    sessionId: session.harnessSessionId,
    receipt: attempt.receipt,
    prompt: renderTurn(taken, attempt, session, notes, parts),
    workdir: session.workdir,
    turnDir: files.turnDir,
    env: childEnvironment(environmentOf(parts, session.harness), {
      instance: settings.policy.instance.name,
      workItem: taken.turn.workItem,
      session: session.harnessSessionId,
      turn: taken.turn.id,
      turnDir: files.turnDir,
      configFile: settings.configFile,
    }),
  };
}

export function nextAttempt(turn: Turn, session: Session, parts: RuntimeParts): Attempt {
  const keepReceipt = turn.next === "again" && turn.attempt !== null && turn.attempt.harnessSessionId === session.harnessSessionId;
  return { receipt: keepReceipt ? turn.attempt.receipt : parts.ids.uuid(), kind: turn.next, harnessSessionId: session.harnessSessionId, startedAt: parts.clock.now(), child: null };
}

function environmentOf(parts: RuntimeParts, harness: "A" | "B"): ChildEnvironment {
  const { config, env, secretNames, binDir } = parts.settings();
  return { parent: env, secretNames, passEnv: config.harnesses[harness].passEnv, extra: config.harnesses[harness].env, binDir };
}

