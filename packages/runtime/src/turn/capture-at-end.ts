import { lackOf, type NextStep } from "@loopwork/core";
import {
  foldName,
  type GraphSignal,
  isBrokerLost,
  type ItemState,
  type Outcome,
  type RefText,
  type Session,
  type TakenLane,
  type Turn,
} from "@loopwork/core/ports";
import {
  type Candidate,
  candidateOf,
  capture,
  leftOut,
  oneLine,
  type SaidIn,
  type SeenTurn,
  truncate,
} from "@loopwork/core/learnings";
import type { RuntimeParts } from "../parts.ts";
import { repositoryOf } from "./note-candidate.ts";
import { refOf } from "./session.ts";
import { isConversationUntouched } from "./heard-only-authorized.ts";

/** How a turn has ended, with what is on record of its item since. */
export type Ended = {
  readonly taken: TakenLane;
  readonly session: Session | null;
  readonly next: NextStep;
  readonly outcome: Outcome["kind"] | null;
};

/**
 * Keeps what can be learned of a turn before its end is written: what the service saw itself, and
 * what lies in the checkout's queue. Ids are the turn's, so that a crash in between keeps nothing
 * twice. It never fails a turn.
 */
export async function captureTurn(
  { taken: { turn }, session, next, outcome }: Ended,
  parts: RuntimeParts,
): Promise<void> {
  if (session?.workdir == null || !(await parts.workspace.hasChosenLoop(session.workdir))) return;
  try {
    const item = await parts.store.items.load(turn.workItem);
    const untouched = await isConversationUntouched(turn, item, parts);
    if (next.turn.state !== "ready" || lackOf({ ...turn, ...next.turn }) !== null)
      await keepSeen(
        seenIn(
          {
            turn,
            next,
            outcome,
            session,
            item,
            untouched,
            ownCommits: await ownCommitsOf(item, turn, parts),
          },
          parts,
        ),
        parts,
      );
    const by = {
      kind: "agent",
      heard: turn.inputs.map(({ authority }) => authority),
      untouched,
    } as const;
    await collectFrom(
      session.workdir,
      turn.workItem,
      { ...placeOf(turn, session, parts), by },
      parts,
    );
  } catch (error) {
    parts.log("warn", `what turn ${turn.id} taught could not be kept: ${messageOf(error)}`);
  }
}

/**
 * What our gate found missing when the session of a turn wanted to end: a sentence of ours each,
 * asked of the gate itself.
 */
export async function keepMissing(
  missing: readonly string[],
  turn: Turn,
  session: Pick<Session, "harness">,
  parts: RuntimeParts,
): Promise<void> {
  const seen = {
    ...nothingSeen,
    ...placeOf(turn, session, parts),
    turn: { ...turn, inputs: [] },
    missing: missing.map((lack) => parts.redact(lack)),
  };
  await keepSeen(seen, parts);
}

/**
 * What still lies in the queues of a work item's checkouts, before they go. Nobody was heard since
 * the last turn, so nobody's words can be meant. Rejects where git was lost: then they stay, and
 * are asked again.
 */
export async function collectLeft(
  workItem: RefText,
  sessions: ItemState["sessions"],
  parts: RuntimeParts,
): Promise<void> {
  for (const workdir of new Set(sessions.flatMap((session) => session.workdir ?? []))) {
    const where = {
      workItem,
      harness: "",
      instance: parts.settings().policy.instance.name,
      at: parts.clock.now(),
      by: { kind: "agent", heard: [], untouched: false },
    } as const;
    await collectFrom(workdir, workItem, where, parts).catch((error: unknown) => {
      if (isBrokerLost(error)) throw error;
      parts.log(
        "warn",
        `the queue of learnings in ${workdir} could not be read: ${messageOf(error)}`,
      );
    });
  }
}

const nothingSeen = {
  stopped: null,
  missing: [],
  signals: [],
  recovered: new Set<string>(),
  ownCommits: new Set<string>(),
  untouched: false,
};

type Facts = Pick<Ended, "next" | "outcome"> &
  Pick<SeenTurn, "untouched" | "ownCommits"> & {
    readonly turn: Turn;
    readonly session: Session;
    readonly item: ItemState;
  };

function seenIn(
  { turn, next, outcome, session, item, untouched, ownCommits }: Facts,
  parts: RuntimeParts,
): SeenTurn {
  const lack = lackOf({ ...turn, ...next.turn });
  return {
    ...placeOf(turn, session, parts),
    turn,
    stopped:
      next.turn.state === "failed" && (outcome === "timeout" || outcome === "output-limit")
        ? outcome
        : null,
    missing: lack === null ? [] : lack.split("; ").map((each) => parts.redact(each)),
    signals: (item.workItem?.graph?.signals ?? [])
      .filter(({ at }) => turn.attempt !== null && at >= turn.attempt.startedAt)
      .map((signal) => withoutSecrets(signal, parts)),
    recovered: new Set(item.ciAttempts.flatMap(({ recovered }) => recovered ?? [])),
    ownCommits,
    untouched,
  };
}

/** Long words are cut further on, and half a secret would not be known as one. */
function withoutSecrets(
  signal: GraphSignal,
  { redact }: Pick<RuntimeParts, "redact">,
): GraphSignal {
  if (signal.kind === "hooks")
    return { ...signal, failed: signal.failed.map((each) => redact(each)) };
  return signal.kind === "critics"
    ? {
        ...signal,
        findings: signal.findings.map((each) => ({ ...each, title: redact(each.title) })),
      }
    : signal;
}

/**
 * Commits of the repository's own branches, as they are on record: only a head in the same
 * repository is ever recorded by its branch. A pull request that is itself the work item has no
 * such record, so the host is asked where a status needs it; where it does not tell, none is its
 * own.
 */
async function ownCommitsOf(
  { workItem, pullRequests, ciAttempts }: ItemState,
  { inputs }: Pick<Turn, "inputs">,
  { host }: Pick<RuntimeParts, "host">,
): Promise<ReadonlySet<string>> {
  const own = pullRequests.filter(({ headBranch }) => headBranch !== null);
  const isAsked =
    workItem?.type === "pull-request" &&
    inputs.some(({ event }) => event.kind === "ci" && event.check.pullRequests.length === 0);
  const itself = isAsked ? await host.pullRequest(refOf(workItem.ref)).catch(() => null) : null;
  const isOwn = itself?.sameRepository === true && workItem !== null;
  const refs = new Set([
    ...own.map(({ pullRequest }) => foldName(pullRequest)),
    ...(isOwn ? [foldName(workItem.ref)] : []),
  ]);
  const checked = ciAttempts.filter(({ pullRequest }) => refs.has(foldName(pullRequest)));
  return new Set([
    ...own.flatMap(({ headSha }) => headSha ?? []),
    ...(isOwn ? [itself.headSha] : []),
    ...checked.flatMap(({ headShas, recovered }) => [
      ...headShas,
      ...(recovered === undefined ? [] : [recovered]),
    ]),
  ]);
}

function placeOf(
  turn: Pick<Turn, "workItem">,
  { harness }: Pick<Session, "harness">,
  parts: RuntimeParts,
): Pick<Candidate, "workItem" | "harness" | "instance" | "at"> {
  return {
    workItem: turn.workItem,
    harness,
    instance: parts.settings().policy.instance.name,
    at: parts.clock.now(),
  };
}

/** Keeps what was seen, and says what of it becomes no candidate. */
async function keepSeen(seen: SeenTurn, parts: RuntimeParts): Promise<void> {
  for (const { text, left } of leftOut(seen))
    parts.log(
      "warn",
      `${JSON.stringify(truncate(parts.redact(text), longestTold))}, which could have been learned on ${seen.turn.workItem}, is not kept: ${left}`,
    );
  await keepEach(capture(seen), seen.turn.workItem, parts);
}

/** As much of a text as the log shows. */
const longestTold = 100;

/** Each by itself: one that cannot be written takes no other with it. */
async function keepEach(
  candidates: readonly Candidate[],
  workItem: RefText,
  parts: RuntimeParts,
): Promise<void> {
  const { learnings } = parts;
  if (learnings === null) return;
  for (const candidate of candidates) {
    await learnings
      .keep(repositoryOf(workItem, parts), redacted(candidate, parts))
      .catch((error: unknown) =>
        parts.log(
          "warn",
          `${JSON.stringify(candidate.text)}, which was learned on ${workItem}, could not be kept: ${messageOf(error)}`,
        ),
      );
  }
}

function redacted(candidate: Candidate, { redact }: Pick<RuntimeParts, "redact">): Candidate {
  const { ref } = candidate.signal;
  return {
    ...candidate,
    text: oneLine(redact(candidate.text)),
    signal: { ...candidate.signal, ref: redact(ref) === ref ? ref : "" },
    evidence: redact(candidate.evidence),
  };
}

/**
 * Whoever works in a checkout can write into its queue, so nothing in a file counts but what it
 * says was learned.
 */
async function collectFrom(
  workdir: string,
  workItem: RefText,
  where: Omit<SaidIn, "id">,
  parts: RuntimeParts,
): Promise<void> {
  const untouched = where.by.kind === "agent" && where.by.untouched;
  await parts.learnings?.collect(
    repositoryOf(workItem, parts),
    workdir,
    workItem,
    ({ text, signal, category, severity, severityReason }, id) => {
      const made = candidateOf(
        {
          text,
          signal: signal.kind,
          category,
          severity,
          severityReason: untouched ? (severityReason ?? "") : "",
          ref: signal.ref,
        },
        { ...where, id },
      );
      return typeof made === "string" ? null : redacted(made, parts);
    },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
