import { createHash } from "node:crypto";
import {
  CodeHostError,
  foldName,
  type Inbox,
  InboxUnavailable,
  type ItemState,
  type JsonObject,
  type NewDelivery,
  type PollCursors,
} from "@loopwork/core/ports";
import {
  firstCursor,
  formatCursor,
  formatInstant,
  type Happening,
  newerOf,
  parseCursor,
  type PollCursor,
  type PollStream,
  pollStreams,
  sortHappenings,
  trackedIn,
} from "@loopwork/core";
import { apiBaseOf } from "../address.ts";
import { type Budget, restUntil } from "../budget.ts";
import { type CodeHostOptions, createClient, type Client } from "../client.ts";
import { textAt } from "../fields.ts";
import { findClosings } from "./missed-closings.ts";
import { gather } from "./gather.ts";
import { createStuck, type Stuck } from "./poll-context.ts";
import { createPages, type Pages } from "./pages.ts";
import { isPageOf, readStreams, type Streams } from "./streams.ts";
import { createSubjects, isObject } from "./subjects.ts";

/** What a poller reads and writes beside the host itself. */
export type PollerParts = {
  readonly inbox: Inbox;
  readonly cursors: PollCursors;
  /** The records of work items, read anew at each poll. */
  readonly items: () => Promise<readonly ItemState[]>;
  /** As configured now: `owner/name` of each repository, and the label that arms. */
  readonly settings: () => {
    readonly repositories: readonly string[];
    readonly autoExecuteLabel: string;
  };
  readonly now: () => number;
  /**
   * The name under which a repository is on record, where that is another one than it is asked for
   * by (ADR 0008).
   */
  readonly knownAs?: (repository: {
    readonly host: string | null;
    readonly owner: string;
    readonly repo: string;
  }) => { readonly owner: string; readonly repo: string };
};

/**
 * One poll of every repository. `restUntil`, in milliseconds since 1970, is set when the host asks
 * to wait, or will soon.
 */
export type PollReport = {
  readonly repositories: readonly RepositoryReport[];
  readonly restUntil: number | null;
};

/**
 * `budget` is what the host still allows after it; `failure` is what kept the poller from reading
 * all of the repository; what it could read is stored all the same.
 */
export type RepositoryReport = {
  readonly repository: string;
  readonly at: number;
  readonly stored: number;
  readonly known: number;
  readonly notes: readonly string[];
  readonly budget: Budget | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
};

/** Name under which the report of a repository's last poll is kept, for `status`. */
export const lastPoll = "last";

/**
 * Polls all repositories of one host, one after the other. Never rejects for what a host or a
 * repository does.
 */
export function createPoll(
  options: CodeHostOptions,
  parts: PollerParts,
): () => Promise<PollReport> {
  return pollOver(createClient({ ...options, now: parts.now }), apiBaseOf(options), parts);
}

/**
 * The same over a client that is there already; `apiBase` is the base of the addresses in its
 * answers.
 */
export function pollOver(
  client: Client,
  apiBase: string,
  parts: PollerParts,
): () => Promise<PollReport> {
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
async function pollOne(
  repository: string,
  client: Client,
  apiBase: string,
  items: readonly ItemState[],
  parts: PollerParts,
): Promise<{ readonly report: RepositoryReport; readonly wait: number | null }> {
  const report = {
    repository,
    at: parts.now(),
    stored: 0,
    known: 0,
    notes: [],
    budget: null,
    failure: null,
  };
  try {
    const read = await readAndStore(repository, client, apiBase, items, parts);
    return { report: { ...report, ...read, budget: client.budget() }, wait: null };
  } catch (error) {
    if (!(error instanceof CodeHostError || error instanceof InboxUnavailable)) throw error;
    const limited = error instanceof CodeHostError && error.code === "LOOP_E_HOST_LIMIT";
    return {
      report: {
        ...report,
        budget: client.budget(),
        failure: { code: error.code, message: error.message },
      },
      wait: limited ? parts.now() + (error.retryAfterMs ?? 60_000) : null,
    };
  }
}

async function readAndStore(
  repository: string,
  client: Client,
  apiBase: string,
  items: readonly ItemState[],
  parts: PollerParts,
): Promise<Pick<RepositoryReport, "stored" | "known" | "notes" | "failure">> {
  const [owner = "", name = ""] = repository.split("/");
  const base = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const text = await parts.cursors.get(repository, "cursor");
  const read = text === null ? null : parseCursor(text);
  const pages = createPages(client, apiBase, read?.pages ?? {});
  const shown = await pages.one("reading the repository", base);
  const hostNow = hostTime(pages, parts.now());
  const cursor: PollCursor = read ?? firstCursor(hostNow);
  const payloadRepository = isObject(shown) ? shown : cursor.repository;
  if (payloadRepository === null)
    throw new CodeHostError(
      "LOOP_E_HOST_REFUSED",
      "Reading the repository: the response is not a repository",
    );
  const streams = await readStreams(base, cursor, pages);
  const known = recordedName(payloadRepository, { owner, name }, parts);
  const tracked = trackedIn(items, { host: null, ...known });
  const firstSight = {
    firstSight: cursor.firstSight,
    autoExecuteLabel: parts.settings().autoExecuteLabel,
    recorded: tracked.recorded,
  };
  const subjects = createSubjects(
    client,
    base,
    payloadRepository,
    { items: streams.entries.items, pulls: streams.entries.pulls },
    cursor.texts,
  );
  const stuck = createStuck();
  const { happenings, heads, texts } = await gather({
    client,
    base,
    pages,
    cursor,
    tracked,
    firstSight,
    streams,
    subjects,
    repository: payloadRepository,
    stuck,
  });
  const closings = await findClosings(
    client,
    base,
    pages,
    payloadRepository,
    cursor,
    tracked,
    hostNow,
    stuck,
  );
  const counted = await store(
    sortHappenings([...happenings, ...closings.happenings]),
    repository,
    parts,
  );
  // Written last: a poll that dies before this reads the same once more, and the inbox knows what
  // it has.
  const next: PollCursor = {
    ...cursor,
    newest: newestOf(streams, cursor, stuck),
    pages: marksOf(pages, stuck, base),
    heads,
    texts,
    repository: payloadRepository,
    reconciledAt: newerOf(cursor.reconciledAt, closings.at),
  };
  await parts.cursors.put(repository, { cursor: formatCursor(next) });
  const failure = streams.failures[0] ?? stuck.failures[0];
  return {
    ...counted,
    notes: [...streams.notes, ...(closings.note === null ? [] : [closings.note])],
    failure: failure === undefined ? null : { code: failure.code, message: failure.message },
  };
}

/**
 * The host says what the repository is called now, also where it was asked for by a former name;
 * records may have a third one.
 */
function recordedName(
  shown: JsonObject,
  asked: { readonly owner: string; readonly name: string },
  { knownAs }: PollerParts,
): { readonly owner: string; readonly name: string } {
  const [owner = asked.owner, repo = asked.name] = (textAt(shown, "full_name") ?? "")
    .split("/")
    .filter((part) => part !== "");
  const known = knownAs?.({ host: null, owner, repo });
  return known === undefined ? { owner, name: repo } : { owner: known.owner, name: known.repo };
}

/**
 * A list of which something could not be looked at stays where it was, and is read again without
 * its tags.
 */
function newestOf(
  streams: Streams,
  cursor: PollCursor,
  { streams: stuck }: Stuck,
): PollCursor["newest"] {
  const newest: Partial<Record<PollStream, string>> = {};
  for (const stream of pollStreams) {
    const at = (stuck.has(stream) ? cursor : streams).newest[stream];
    if (at !== undefined) newest[stream] = at;
  }
  return newest;
}

function marksOf(pages: Pages, { streams: stuck }: Stuck, base: string): PollCursor["pages"] {
  return Object.fromEntries(
    Object.entries(pages.marks()).filter(
      ([path]) => ![...stuck].some((stream) => isPageOf(stream, path, base)),
    ),
  );
}

async function store(
  happenings: readonly Happening[],
  repository: string,
  parts: PollerParts,
): Promise<{ readonly stored: number; readonly known: number }> {
  let stored = 0;
  for (const happening of happenings) {
    const accepted = await parts.inbox.append(deliveryOf(happening, repository, parts.now()));
    if (accepted.kind === "accepted") stored += 1;
  }
  return { stored, known: happenings.length - stored };
}

/**
 * A delivery like any other. Its id names the happening, so that reading it twice stores it once.
 */
export function deliveryOf(happening: Happening, repository: string, now: number): NewDelivery {
  const body = Buffer.from(JSON.stringify(happening.payload));
  const id = createHash("sha256")
    .update(`${foldName(repository)}\n${happening.event}\n${happening.identity}`)
    .digest("hex");
  return {
    id: `poll-${id}`,
    source: "poll",
    event: happening.event,
    verified: false,
    receivedAt: now,
    digest: createHash("sha256").update(body).digest("hex"),
    body,
    ignored: null,
    allowReplay: true,
  };
}

/** The host's clock by its last answer; ours where it sends none. */
function hostTime(pages: Pages, now: number): string {
  const ms = Date.parse(pages.hostDate() ?? "");
  return formatInstant(Number.isFinite(ms) ? ms : now);
}
