import {
  type Message,
  type RefText,
  say,
  type Session,
  type TakenLane,
} from "@loopwork/core/ports";
import { type Classified, classifyUnsure } from "../classify-unsure.ts";
import { eventLine } from "../event-line.ts";
import type { BroughtUpToDate, RuntimeParts, TeamLearnings } from "../parts.ts";
import { repositoryOf } from "./note-candidate.ts";

/**
 * Brings a checkout's learnings up to date where an issue's conversation begins there and a session
 * has ended since the last time: the change goes with that work, past the eyes that look at it.
 * Resolves to what the session is told, a start that is tried again as the first one. It never
 * fails a turn.
 */
export async function bringUpToDate(
  { turn, item }: TakenLane,
  session: Session & { readonly workdir: string },
  parts: RuntimeParts,
): Promise<readonly Message[]> {
  const begins =
    !session.begun && turn.lane === turn.workItem && item.workItem?.type !== "pull-request";
  const { learnings } = parts;
  if (!begins || learnings === null) return [];
  if (!(await parts.workspace.hasChosenLoop(session.workdir))) return [];
  const asked: Classified[] = [];
  try {
    const { done, toCommit } = await brought(
      turn.workItem,
      session.workdir,
      asked,
      learnings,
      parts,
    );
    const told = done === null ? {} : { ...toldOf(done), ...answeredOf(asked) };
    if (Object.values(told).some((count) => count > 0))
      await parts.store.events.append([
        eventLine(parts, "learnings.consolidated", { workItem: turn.workItem, fields: told }),
      ]);
    return toCommit.length === 0
      ? []
      : [
          say`What earlier sessions learned was brought up to date in docs/learnings: commit these files as they are, as a commit of their own.`,
        ];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    await parts.store.events.append([
      eventLine(parts, "daemon.warning", {
        level: "warn",
        workItem: turn.workItem,
        reason: "learnings",
        fields: { detail },
      }),
    ]);
    return [];
  }
}

async function brought(
  workItem: RefText,
  workdir: string,
  asked: Classified[],
  learnings: TeamLearnings,
  parts: RuntimeParts,
): Promise<BroughtUpToDate> {
  try {
    return await learnings.bringUpToDate(
      repositoryOf(workItem, parts),
      workdir,
      parts.clock.now(),
      askIn(workdir, asked, parts),
    );
  } finally {
    await bookCost(asked, workItem, parts);
  }
}

/** Asks a harness, where the configuration says so; what it said is put into `asked`. */
function askIn(
  workdir: string,
  asked: Classified[],
  parts: RuntimeParts,
): Parameters<TeamLearnings["bringUpToDate"]>[3] {
  const settings = parts.settings();
  if (!settings.config.learnings.classifier.enabled) return null;
  return async (unsure) => {
    const said = await classifyUnsure(unsure, {
      workdir,
      run: parts.run,
      settings,
      uuid: () => parts.ids.uuid(),
      now: () => parts.clock.now(),
      oneShotsOf: async (harness) => parts.harnesses[harness]?.oneShots ?? null,
      copyOf: parts.workspace.copyOf,
      programs: parts.programs,
    });
    asked.push(said);
    for (const why of said.silent)
      parts.log("warn", `the classifier of learnings gave no answer for ${why}`);
    return said.verdicts;
  };
}

/**
 * What asking cost is the work item's, as what its critics cost, whatever became of the answers.
 */
async function bookCost(
  asked: readonly Classified[],
  workItem: RefText,
  { store }: RuntimeParts,
): Promise<void> {
  const usd = costOf(asked);
  if (usd > 0)
    await store.items.updateOwn(workItem, (item) => ({
      after:
        item.workItem === null
          ? item
          : {
              ...item,
              workItem: {
                ...item.workItem,
                spend: { ...item.workItem.spend, usd: item.workItem.spend.usd + usd },
              },
            },
      lines: [],
    }));
}

function costOf(asked: readonly Classified[]): number {
  return asked.reduce((all, { usd }) => all + usd, 0);
}

function answeredOf(asked: readonly Classified[]): Readonly<Record<string, number>> {
  return asked.length === 0
    ? {}
    : { answered: asked.reduce((all, { verdicts }) => all + verdicts.size, 0), usd: costOf(asked) };
}

/**
 * How much of what became of candidates and learnings; also what left the index or the queue, so
 * that nothing goes unseen.
 */
function toldOf({
  files,
  plan: { changes, waiting, expired, known, unsure },
  damaged,
  refused,
}: NonNullable<BroughtUpToDate["done"]>): Readonly<Record<string, number>> {
  const evicted = changes.filter(({ kind }) => kind === "evict").length;
  return {
    changes: changes.length - evicted,
    files: files.length,
    waiting: waiting.length,
    evicted,
    expired: expired.length,
    known: known.reduce((all, { candidates }) => all + candidates.length, 0),
    unsure: unsure.length,
    damaged: damaged.length,
    refused,
  };
}
