import { createHash } from "node:crypto";
import type { ItemState, NewDelivery } from "@loopwork/core";
import { CodeHostError, type Inbox, InboxUnavailable, type PollCursors } from "@loopwork/core/ports";
import { firstCursor, formatCursor, formatInstant, type Happening, inOrder, newerOf, parseCursor, type PollCursor, trackedIn } from "@loopwork/core/poll";
import { apiBaseOf } from "../address.ts";
import { restUntil } from "../budget.ts";
import { type CodeHostOptions, createClient, type Client } from "../client.ts";
import { findClosings } from "./closings.ts";
import { gather, UnreadReviews } from "./gather.ts";
import { createPages, type Pages } from "./pages.ts";
import { readStreams } from "./streams.ts";
import { createSubjects, isObject } from "./subjects.ts";

/** What a poller reads and writes beside the host itself. */
export type PollerParts = {
  readonly inbox: Inbox;
  readonly cursors: PollCursors;
  /** The records of work items, read anew at each poll. */
  readonly items: () => Promise<readonly ItemState[]>;
  /** As configured now: `owner/name` of each repository, and the label that arms. */
  readonly settings: () => { readonly repositories: readonly string[]; readonly autoExecuteLabel: string };
  readonly now: () => number;
};

/** One poll of every repository. `restUntil`, in milliseconds since 1970, is set when the host asks to wait, or will soon. */
export type PollReport = { readonly repositories: readonly RepositoryReport[]; readonly restUntil: number | null };

/** `failure` is what kept the poller from reading all of the repository; what it could read is stored all the same. */
export type RepositoryReport = { readonly repository: string; readonly at: number; readonly stored: number; readonly known: number; readonly notes: readonly string[]; readonly failure: { readonly code: string; readonly message: string } | null };

/** Name under which the report of a repository's last poll is kept, for `status`. */
export const lastPoll = "last";

/** Polls all repositories of one host, one after the other. Never rejects for what a host or a repository does. */
export function createPoll(options: CodeHostOptions, parts: PollerParts): () => Promise<PollReport> {
  const client = createClient({ ...options, now: parts.now });
  const apiBase = apiBaseOf(options);
  let turn = 0;
  return async () => {
    const { repositories } = parts.settings();
    const items = await parts.items();
    const reports: RepositoryReport[] = [];
    let rest = restUntil(client.budget(), parts.now());
    // Each poll begins with another repository, so that a limit does not always meet the same ones.
    for (let n = 0; n < repositories.length && rest === null; n++) {
      const repository = repositories[(n + turn) % repositories.length] ?? "";
      const { report, wait } = await pollOne(repository, client, apiBase, items, parts);
      reports.push(report);
      await parts.cursors.put(repository, { [lastPoll]: JSON.stringify(report) });
      rest = wait ?? restUntil(client.budget(), parts.now());
    }
    turn += 1;
    return { repositories: reports, restUntil: rest };
  };
}

/** One repository. Whatever goes wrong with it is its own: the others are polled all the same. */
async function pollOne(repository: string, client: Client, apiBase: string, items: readonly ItemState[], parts: PollerParts): Promise<{ readonly report: RepositoryReport; readonly wait: number | null }> {
  const report = { repository, at: parts.now(), stored: 0, known: 0, notes: [], failure: null };
  try {
    return { report: { ...report, ...(await readAndStore(repository, client, apiBase, items, parts)) }, wait: null };
  } catch (error) {
    if (!(error instanceof CodeHostError || error instanceof InboxUnavailable || error instanceof UnreadReviews)) throw error;
    const code = "code" in error ? error.code : "LOOP_E_HOST_UNREACHABLE";
    const limited = error instanceof CodeHostError && error.code === "LOOP_E_HOST_LIMIT";
    return { report: { ...report, failure: { code, message: error.message } }, wait: limited ? parts.now() + (error.retryAfterMs ?? 60_000) : null };
  }
}

async function readAndStore(repository: string, client: Client, apiBase: string, items: readonly ItemState[], parts: PollerParts): Promise<Pick<RepositoryReport, "stored" | "known" | "notes" | "failure">> {
  const [owner = "", name = ""] = repository.split("/");
  const base = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const text = await parts.cursors.get(repository, "cursor");
  const known = text === null ? null : parseCursor(text);
  const pages = createPages(client, apiBase, known?.pages ?? {});
  const shown = await pages.one("reading the repository", base);
  const hostNow = hostTime(pages, parts.now());
  const cursor: PollCursor = known ?? firstCursor(hostNow);
  const payloadRepository = isObject(shown) ? shown : cursor.repository;
  if (payloadRepository === null) throw new CodeHostError("LOOP_E_HOST_REFUSED", "reading the repository: the answer is no repository");
  const streams = await readStreams(base, cursor, pages);
  const tracked = trackedIn(items, { host: null, owner, name });
  const firstSight = { firstSight: cursor.firstSight, autoExecuteLabel: parts.settings().autoExecuteLabel, recorded: tracked.recorded };
  const subjects = createSubjects(client, base, payloadRepository, { items: streams.entries.items, pulls: streams.entries.pulls });
  const { happenings, heads } = await gather({ client, base, pages, cursor, tracked, firstSight, streams, subjects, repository: payloadRepository });
  const closings = await findClosings(client, base, pages, payloadRepository, cursor, tracked, hostNow);
  const counted = await store(inOrder([...happenings, ...closings.happenings]), repository, parts);
  // Written last: a poll that dies before this reads the same once more, and the inbox knows what it has.
  const next: PollCursor = { ...cursor, newest: streams.newest, pages: pages.marks(), heads, repository: payloadRepository, reconciledAt: newerOf(cursor.reconciledAt, closings.at) };
  await parts.cursors.put(repository, { cursor: formatCursor(next) });
  const failure = streams.failures[0];
  return { ...counted, notes: [...streams.notes, ...(closings.note === null ? [] : [closings.note])], failure: failure === undefined ? null : { code: failure.code, message: failure.message } };
}

async function store(happenings: readonly Happening[], repository: string, parts: PollerParts): Promise<{ readonly stored: number; readonly known: number }> {
  let stored = 0;
  for (const happening of happenings) {
    const accepted = await parts.inbox.append(deliveryOf(happening, repository, parts.now()));
    if (accepted.kind === "accepted") stored += 1;
  }
  return { stored, known: happenings.length - stored };
}

/** A delivery like any other. Its id names the happening, so that reading it twice stores it once (decisions.md 5). */
export function deliveryOf(happening: Happening, repository: string, now: number): NewDelivery {
  const body = Buffer.from(JSON.stringify(happening.payload));
  const id = createHash("sha256").update(`${repository.toLowerCase()}\n${happening.event}\n${happening.identity}`).digest("hex");
  return { id: `poll-${id}`, source: "poll", event: happening.event, verified: false, receivedAt: now, digest: createHash("sha256").update(body).digest("hex"), body, ignored: null, allowReplay: true };
}

/** The host's clock by its last answer; ours where it sends none. */
function hostTime(pages: Pages, now: number): string {
  const ms = Date.parse(pages.hostDate() ?? "");
  return formatInstant(Number.isFinite(ms) ? ms : now);
}
