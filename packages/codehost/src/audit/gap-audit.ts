import {
  CodeHostError,
  type Inbox,
  InboxUnavailable,
  type PollCursors,
  type StoredDelivery,
} from "@loopwork/core/ports";
import {
  accountedUntil,
  formatInstant,
  type GapCursor,
  missedDeliveries,
  type MissedDelivery,
  parseGapCursor,
} from "@loopwork/core";
import { restUntil } from "../budget.ts";
import { type Client, type CodeHostOptions, createClient } from "../client.ts";
import { type HookList, listAttempts, readHooks } from "./webhooks.ts";
import { recover, type Recovery } from "./recover.ts";

/** What an audit reads and writes beside the host itself. */
export type AuditParts = {
  readonly inbox: Inbox;
  /** The delivery of that id in the inbox; null when there is none. */
  readonly find: (delivery: string) => Promise<StoredDelivery | null>;
  readonly cursors: PollCursors;
  /**
   * As configured now: `owner/name` of each repository, the receiver's path, and the events that it
   * takes.
   */
  readonly settings: () => Promise<{
    readonly repositories: readonly string[];
    readonly path: string;
    readonly events: readonly string[];
  }>;
  readonly now: () => number;
};

export type AuditReport = {
  readonly repositories: readonly RepositoryAudit[];
  readonly restUntil: number | null;
};

/**
 * One repository: how many webhooks lead here, how many attempts the host listed, and what was
 * missing. `failure` is what kept the audit from looking at all, or from ending; what it has found
 * is stored all the same.
 */
export type RepositoryAudit = {
  readonly repository: string;
  readonly at: number;
  readonly hooks: number;
  readonly listed: number;
  readonly gaps: readonly (MissedDelivery & { readonly recovery: Recovery })[];
  readonly notes: readonly string[];
  readonly failure: { readonly code: string; readonly message: string } | null;
};

/** Name under which the report of a repository's last audit is kept, for `status` and `doctor`. */
export const lastAudit = "audit";
const cursorName = "audit-cursor";

/** Most deliveries that one audit brings in of one repository; the next goes on from there. */
const mostGaps = 300;

/**
 * Compares the host's lists of deliveries with the inbox. Never rejects for what a host or a
 * repository does.
 */
export function createGapAudit(
  options: CodeHostOptions,
  parts: AuditParts,
): () => Promise<AuditReport> {
  return gapAuditOver(createClient({ ...options, now: parts.now }), parts);
}

/** The same over a client that is there already. */
export function gapAuditOver(client: Client, parts: AuditParts): () => Promise<AuditReport> {
  return async () => {
    const { repositories, path, events } = await parts.settings();
    const reports: RepositoryAudit[] = [];
    let rest = restUntil(client.budget(), parts.now());
    for (const repository of repositories) {
      if (rest !== null) break;
      const report = await auditOne(repository, { client, path, events: new Set(events), parts });
      reports.push(report);
      await parts.cursors.put(repository, {
        [lastAudit]: JSON.stringify({
          ...report,
          gaps: report.gaps.length,
          lost: report.gaps.filter(({ recovery }) => recovery === "lost").length,
        }),
      });
      rest = restUntil(client.budget(), parts.now());
    }
    return { repositories: reports, restUntil: rest };
  };
}

type Audit = {
  readonly client: Client;
  readonly path: string;
  readonly events: ReadonlySet<string>;
  readonly parts: AuditParts;
};

/** What one audit has come to so far; it counts also where the rest fails. */
type Progress = {
  hooks: number;
  listed: number;
  readonly gaps: (MissedDelivery & { readonly recovery: Recovery })[];
  readonly notes: string[];
};

/**
 * One repository. Whatever goes wrong with it is its own: the others are looked at all the same.
 */
async function auditOne(repository: string, audit: Audit): Promise<RepositoryAudit> {
  const progress: Progress = { hooks: 0, listed: 0, gaps: [], notes: [] };
  const report = (failure: RepositoryAudit["failure"]): RepositoryAudit => ({
    repository,
    at: audit.parts.now(),
    ...progress,
    failure,
  });
  try {
    await compare(repository, audit, progress);
    return report(null);
  } catch (error) {
    if (!(error instanceof CodeHostError || error instanceof InboxUnavailable)) throw error;
    return report({ code: error.code, message: error.message });
  }
}

async function compare(repository: string, audit: Audit, progress: Progress): Promise<void> {
  const { client, path, parts } = audit;
  // Without a token the host shows nobody its webhooks.
  if (client.token === null)
    throw new CodeHostError("LOOP_E_HOST_NO_TOKEN", "Listing webhooks: no token is set");
  const base = `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
  const cursor = parseGapCursor(await parts.cursors.get(repository, cursorName));
  const { hooks, leads } = await readHooks(path, client, base);
  // Instants are written in whole seconds: the next one, so that what was answered a moment ago
  // lies before it.
  const now = formatInstant(parts.now() + 999);
  let next: GapCursor = cursor;
  for (const hook of hooks) {
    const list = await listAttempts(hook, cursor, now, client, base);
    const known = await knownOf(list, parts);
    if (!leads && known.size === 0) continue;
    progress.hooks += 1;
    progress.listed += list.attempts.length;
    if (!list.whole)
      progress.notes.push(
        `webhook ${hook} sent more than can be listed at once; what it sent before ${list.attempts.at(-1)?.at ?? list.since} was not looked at`,
      );
    const { stillOpen, error } = await close(
      list,
      known,
      cursor[hook]?.firstLook ?? now,
      base,
      audit,
      progress,
    );
    next = {
      ...next,
      [hook]: {
        firstLook: cursor[hook]?.firstLook ?? now,
        until: accountedUntil(list.attempts, stillOpen, list.since),
      },
    };
    await parts.cursors.put(repository, { [cursorName]: JSON.stringify(next) });
    if (error !== null) throw error;
  }
  if (progress.hooks === 0) progress.notes.push(`no webhook of the repository leads to ${path}`);
}

/** Which of the listed deliveries the inbox has. */
async function knownOf({ attempts }: HookList, { find }: AuditParts): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const delivery of new Set(attempts.map((attempt) => attempt.delivery)))
    if ((await find(delivery)) !== null) known.add(delivery);
  return known;
}

/**
 * Brings in what is missing of one hook, oldest first, so that what people said arrives in their
 * order.
 */
async function close(
  list: HookList,
  known: ReadonlySet<string>,
  firstLook: string,
  base: string,
  { client, events, parts }: Audit,
  progress: Progress,
): Promise<{ readonly stillOpen: MissedDelivery | null; readonly error: unknown }> {
  const gaps = missedDeliveries(list.attempts, known, { events, firstLook });
  for (const gap of gaps) {
    if (progress.gaps.length >= mostGaps || restUntil(client.budget(), parts.now()) !== null)
      return { stillOpen: gap, error: null };
    try {
      progress.gaps.push({
        ...gap,
        recovery: await recover(gap, list.hook, client, base, parts.inbox, parts.now()),
      });
    } catch (error) {
      return { stillOpen: gap, error };
    }
  }
  return { stillOpen: null, error: null };
}
