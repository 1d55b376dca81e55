import { needsEvidence } from "@loopwork/core";
import {
  type Attempt,
  type EventLine,
  LoopError,
  type Message,
  outside,
  type ReceiptEvidence,
  say,
  type Session,
  type Settled,
  type TakenLane,
  type TurnPlan,
  type Turns,
} from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import { createBudgetWatch } from "../turn/budget.ts";
import { type Concluded, concluded, crashed, type Judging } from "../turn/conclude.ts";
import { gateOf } from "../turn/gate.ts";
import { maxOutputBytes } from "../turn/turn-files.ts";
import {
  type AttemptEnd,
  type AttemptFiles,
  attemptFiles,
  awaitAdopted,
  type AttemptWatch,
  readLeftOutput,
  runAttempt,
} from "../turn/attempt.ts";
import { nextAttempt, planOf } from "../turn/plan.ts";
import { forkNotes } from "../turn/fork-notes.ts";
import { heldElsewhere } from "../turn/session-in-use.ts";
import { endLeftJudges } from "../graph/judges-at-work.ts";
import { nodeTaskOf } from "../graph/node-task.ts";
import { keepLease } from "../turn/lease.ts";
import type { ActiveTurns } from "../active-turns.ts";
import { closeSandbox, sandboxOf, wasSandboxed } from "../turn/sandbox.ts";
import { serveRequests } from "../turn/serve-requests.ts";
import { harnessOfLane, prepareSession } from "../turn/session.ts";
import { outlivesItsSession, settledAsOver } from "../turn/outlives-session.ts";
import { settledByHold } from "../turn/settle.ts";
import { bringUpToDate } from "../turn/up-to-date.ts";
import type { RuntimeParts } from "../parts.ts";
import { sha256 } from "../sha256.ts";

export type TurnHandler = {
  /** Runs the head of a lane that was just taken, to its end. */
  run(taken: TakenLane): Promise<void>;
  /**
   * Finds out how an attempt of an earlier life of ours ended, waiting for its child if that lives.
   */
  recover(taken: TakenLane): Promise<void>;
};

const leaseMs = 30_000;

export function createTurnHandler(parts: RuntimeParts, living: ActiveTurns): TurnHandler {
  const judging: Judging = { parts, living, budget: createBudgetWatch(parts) };
  return {
    run: (taken) => withLease(taken, parts, () => runTurn(taken, judging)),
    recover: (taken) => withLease(taken, parts, () => recoverTurn(taken, judging)),
  };
}

async function withLease(
  taken: TakenLane,
  parts: RuntimeParts,
  work: () => Promise<Concluded | null>,
): Promise<void> {
  const lease = keepLease(taken.lease, leaseMs, parts);
  try {
    const end = await work();
    const settled =
      end !== null && (await parts.store.lanes.settle(taken.lease, taken.turn.id, end.settled));
    lease.stop(); // Settled, it is given back.
    if (settled) await end.afterwards();
    else await parts.store.lanes.release(taken.lease);
  } catch (error) {
    await tellFault(error, taken, parts);
    throw error;
  } finally {
    lease.stop();
  }
}

/**
 * A fault of ours is taken up again once the lease has run out; whoever looks at the item learns
 * why it stands still.
 */
async function tellFault(error: unknown, { turn }: TakenLane, parts: RuntimeParts): Promise<void> {
  const detail = error instanceof Error ? error.message : String(error);
  const line = eventLine(parts, "daemon.warning", {
    level: "error",
    workItem: turn.workItem,
    delivery: turn.inputs.at(-1)?.deliveryId ?? null,
    reason: "turn-fault",
    fields: { turn: turn.id, detail },
  });
  await parts.store.events.append([line]).catch(() => {});
}

/** One attempt from the lane's head to a settled turn; null when the lane is no longer ours. */
async function runTurn(taken: TakenLane, judging: Judging): Promise<Concluded | null> {
  const { parts } = judging;
  const harness = harnessOfLane(taken, parts);
  const turns = parts.harnesses[harness]?.turns;
  if (!turns)
    return concluded(
      { kind: "not-installed", detail: `harness ${harness} is not available in this build` },
      null,
      taken,
      null,
      judging,
    );
  if (await outlivesItsSession(taken, parts)) return only(settledAsOver(taken, parts));
  const gate = await gateOf(taken, harness, parts);
  if (gate !== null) return only(settledByHold(gate.hold, gate.notice, taken, parts));
  const prepared = await prepareSession(taken, parts);
  if (prepared.kind === "held")
    return only(settledByHold(prepared.hold, prepared.notice, taken, parts));

  if (prepared.kind === "gone") return null;
  if (prepared.kind === "refused") return concluded(prepared.outcome, null, taken, null, judging);

  const { session } = prepared;
  // Two lanes that begin at once know each other's directory only now; the lane goes back and is
  // kept off while that one is at work.
  const place = await parts.locks.acquire(`workdir-${sha256(session.workdir).slice(0, 40)}`);
  if (place === null) return null;
  try {
    return await runInSession(taken, session, prepared.notes, turns, judging);
  } finally {
    await place.release();
  }
}

async function runInSession(
  taken: TakenLane,
  session: Session & { readonly workdir: string },
  notes: readonly Message[],
  turns: Turns,
  judging: Judging,
): Promise<Concluded | null> {
  const { parts } = judging;
  const lock = await parts.locks.acquire(`session-${session.harnessSessionId.toLowerCase()}`);
  if (lock === null) return concluded({ kind: "session-busy" }, null, taken, session, judging);
  try {
    const held = await heldElsewhere(session, parts.harnesses[session.harness]);
    if (held !== null) return await concluded(held, null, taken, session, judging);
    const attempt = nextAttempt(taken.turn, session, turns.runner, parts);
    const said = {
      notes: [
        ...notes,
        ...(await forkNotes(taken, parts)),
        ...(await bringUpToDate(taken, session, parts)),
      ],
      node: await nodeTaskOf(taken, session, parts),
    };
    const files = attemptFiles(parts.settings().turnsDir, taken.turn.id, attempt.receipt);
    const sandbox = await sandboxOf(
      taken,
      session,
      attempt,
      files.turnDir,
      turns,
      said.node?.folder == null ? [] : [said.node.folder],
      parts,
    );
    if (sandbox.kind === "held")
      return only(settledByHold(sandbox.hold, sandbox.notice, taken, parts));
    const plan = await planOf(taken, session, attempt, said, sandbox.files, turns, parts);
    if (plan instanceof LoopError)
      return await concluded(
        { kind: "bad-invocation", detail: `${plan.message} ${plan.hint}` },
        null,
        taken,
        session,
        judging,
      );
    if (
      !(await parts.store.lanes.begin(taken.lease, taken.turn.id, attempt, [
        begunLine(taken, attempt, parts),
      ]))
    )
      return null;
    const end = await startAttempt(
      taken,
      session,
      attempt,
      plan,
      { ...files, sandboxed: sandbox.files !== null },
      turns,
      judging,
    );
    await closeSandbox(session.harness, files.turnDir, attempt.receipt, parts); // Before anybody looks into the checkout.
    return await judge(
      end,
      {
        ...taken,
        turn: { ...taken.turn, state: "injecting", attempt, attempts: taken.turn.attempts + 1 },
      },
      session,
      attempt,
      turns,
      judging,
    );
  } finally {
    await lock.release();
  }
}

/** The stream says that a session works as soon as it does, and how often it was tried before. */
function begunLine({ turn }: TakenLane, { kind }: Attempt, parts: RuntimeParts): EventLine {
  return eventLine(parts, "turn.started", {
    workItem: turn.workItem,
    delivery: turn.inputs.at(-1)?.deliveryId ?? null,
    reason: kind,
    fields: { turn: turn.id, attempt: turn.attempts + 1 },
  });
}

function startAttempt(
  taken: TakenLane,
  session: Session & { readonly workdir: string },
  attempt: Attempt,
  plan: TurnPlan,
  files: AttemptFiles,
  turns: Turns,
  { parts, living }: Judging,
): Promise<AttemptEnd> {
  const { config } = parts.settings();
  const limits = { deadlineMs: config.routing.turnTimeoutSeconds * 1000, maxOutputBytes };
  return runAttempt(
    attempt,
    plan,
    session.workdir,
    files,
    limits,
    watchOf(taken, attempt, parts, living),
    parts,
    turns,
  );
}

function watchOf(
  taken: TakenLane,
  attempt: Attempt,
  parts: RuntimeParts,
  living: ActiveTurns,
): AttemptWatch {
  return {
    recorded: (child) =>
      parts.store.lanes.begin(taken.lease, taken.turn.id, { ...attempt, child }, []),
    living(child, turnDir) {
      const { spent, forget } = living.add({
        endpoint: taken.turn.lane,
        workItem: taken.turn.workItem,
        child,
        since: attempt.startedAt,
        judges: false,
      });
      const requests = serveRequests(turnDir, taken.turn, parts);
      const ended = async (): Promise<void> => {
        forget();
        await requests.stop();
      };
      return { spent, ended };
    },
  };
}

async function recoverTurn(taken: TakenLane, judging: Judging): Promise<Concluded | null> {
  const { parts, living } = judging;
  await endLeftJudges(taken.turn, parts);
  const { attempt } = taken.turn;
  const session =
    taken.item.sessions.find((each) => each.harnessSessionId === attempt?.harnessSessionId) ?? null;
  const turns = parts.harnesses[harnessOfLane(taken, parts)]?.turns;
  if (attempt === null || session === null || !turns)
    return crashed(
      { kind: "unknown", why: "the record of the attempt is not complete" },
      taken,
      session,
      judging,
    );
  const plain = attemptFiles(parts.settings().turnsDir, taken.turn.id, attempt.receipt);
  const files = {
    ...plain,
    sandboxed: await wasSandboxed(session.harness, plain.turnDir, attempt.receipt, parts),
  };
  const child =
    attempt.child &&
    parts.run.adopt(attempt.child, {
      stdoutFile: files.stdout,
      stderrFile: files.stderr,
      deadlineMs: remainingMs(attempt, parts),
      maxOutputBytes,
    });
  if (child)
    await awaitAdopted(child, attempt, files, watchOf(taken, attempt, parts, living), parts, turns);
  else await serveRequests(files.turnDir, taken.turn, parts).stop(); // What it asked for while nobody listened was promised to be carried out.
  await closeSandbox(session.harness, files.turnDir, attempt.receipt, parts);
  const left = await readLeftOutput(files, attempt.receipt, parts, turns);
  const observed = {
    receipt: attempt.receipt,
    sessionId: attempt.harnessSessionId,
    end: { code: null, signal: null, stopped: null },
    stdout: left.stdout,
    stderr: left.stderr,
    sandboxed: files.sandboxed,
  };
  if (left.hasResult)
    return judge({ kind: "observed", observed }, taken, session, attempt, turns, judging);
  return crashed(
    await evidenceOf(taken, session, attempt, left.stdout, turns, parts),
    taken,
    session,
    judging,
  );
}

/**
 * What is left of the turn's time; never more than all of it, should the clock have been set back
 * since.
 */
function remainingMs(attempt: Attempt, parts: RuntimeParts): number {
  const whole = parts.settings().config.routing.turnTimeoutSeconds * 1000;
  return Math.min(whole, Math.max(1_000, attempt.startedAt + whole - parts.clock.now()));
}

/**
 * The harness's own end of turn decides; where it said nothing clear, the transcript and the ledger
 * do.
 */
async function judge(
  end: AttemptEnd,
  taken: TakenLane,
  session: Session,
  attempt: Attempt,
  turns: Turns,
  judging: Judging,
): Promise<Concluded | null> {
  const { parts } = judging;
  if (end.kind === "fenced") return null;
  if (end.kind === "not-spawned") {
    if (end.why === "no-directory")
      return only(
        settledByHold(
          { reason: "workspace", until: null, detail: end.detail },
          say`The checkout could not be entered: ${outside(end.detail)}`,
          taken,
          parts,
        ),
      );
    return concluded({ kind: "not-installed", detail: end.detail }, null, taken, session, judging);
  }
  const outcome = turns.outcome(end.observed);
  const evidence = needsEvidence(outcome)
    ? await evidenceOf(taken, session, attempt, end.observed.stdout, turns, parts)
    : null;
  return concluded(outcome, evidence, taken, session, judging);
}

/** A turn that ended without consequences for other lanes. */
function only(settled: Settled): Concluded {
  return { settled, afterwards: () => Promise.resolve() };
}

function evidenceOf(
  taken: TakenLane,
  session: Session,
  attempt: Attempt,
  stdout: readonly string[],
  turns: Turns,
  parts: RuntimeParts,
): Promise<ReceiptEvidence> {
  const { turnDir } = attemptFiles(parts.settings().turnsDir, taken.turn.id, attempt.receipt);
  return turns.evidence({
    receipt: attempt.receipt,
    runner: attempt.runner ?? null,
    sessionId: session.harnessSessionId,
    workdir: session.workdir ?? "",
    turnDir,
    stdout,
  });
}
