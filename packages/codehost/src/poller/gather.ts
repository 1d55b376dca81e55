import { changeHappening, checkHappening, commentHappening, counts, type Editor, type FirstSight, type Happening, inOrder, instantOf, type ListedChange, type ListedComment, openedHappening, type PollCursor, pushHappening, readChange, readComment, reviewHappening, settleEdit, sinceOf, statusHappening, type Subject, type Tracked } from "@loopwork/core/poll";
import type { Client } from "../client.ts";
import { listAt, numberAt, textAt } from "../fields.ts";
import { editorOf } from "./editor.ts";
import type { Pages } from "./pages.ts";
import type { Streams } from "./streams.ts";
import type { Subjects } from "./subjects.ts";

/** All that one poll of a repository is made of. */
export type Gathering = {
  readonly client: Client;
  readonly base: string;
  readonly pages: Pages;
  readonly cursor: PollCursor;
  readonly tracked: Tracked;
  readonly firstSight: FirstSight;
  readonly streams: Streams;
  readonly subjects: Subjects;
  readonly repository: Subject["repository"];
};

/** What happened, as the host's webhooks would have told it, oldest first. */
export async function gather(poll: Gathering): Promise<{ readonly happenings: readonly Happening[]; readonly heads: PollCursor["heads"] }> {
  const changes = poll.streams.entries.events.flatMap((entry) => readChange(entry) ?? []);
  const of = (number: number): readonly ListedChange[] => changes.filter((change) => change.number === number);
  const pushes = await readHeads(poll);
  const found = [...(await opened(poll, of)), ...(await changed(poll, changes, of)), ...(await said(poll, of)), ...(await reviewed(poll, of)), ...pushes.happenings, ...(await checked(poll))];
  return { happenings: inOrder(found), heads: pushes.heads };
}

type ChangesOf = (number: number) => readonly ListedChange[];

/** Only what happened since the last poll, and what first sight lets through. */
const keep = (poll: Gathering, happening: Happening | null): readonly Happening[] => (happening !== null && counts(happening, poll.firstSight) ? [happening] : []);

async function opened(poll: Gathering, of: ChangesOf): Promise<readonly Happening[]> {
  const { items, pulls } = poll.streams.entries;
  const found: Happening[] = [];
  const look = (subject: Subject | null, since: string): void => {
    if (subject !== null && isSince(textAt(subject.item, "created_at"), since)) found.push(...keep(poll, openedHappening(subject, of(subject.number))));
  };
  for (const entry of items) if (textAt(entry, "pull_request", "url") === null) look(await poll.subjects.issue(numberAt(entry, "number") ?? 0), sinceOf(poll.cursor, "items"));
  for (const entry of pulls) look(await poll.subjects.pull(numberAt(entry, "number") ?? 0), sinceOf(poll.cursor, "pulls"));
  return found;
}

async function changed(poll: Gathering, changes: readonly ListedChange[], of: ChangesOf): Promise<readonly Happening[]> {
  const found: Happening[] = [];
  for (const change of changes) {
    if (!worthAsking(poll, change.number, change.at)) continue;
    const subject = await (change.type === "issue" ? poll.subjects.issue(change.number) : poll.subjects.pull(change.number));
    if (subject !== null) found.push(...keep(poll, changeHappening(change, subject, of(change.number))));
  }
  return found;
}

async function said(poll: Gathering, of: ChangesOf): Promise<readonly Happening[]> {
  const { comments, "diff-comments": diffs } = poll.streams.entries;
  const listed: readonly ListedComment[] = [...comments.flatMap((entry) => readComment("conversation", entry) ?? []), ...diffs.flatMap((entry) => readComment("diff", entry) ?? [])];
  const found: Happening[] = [];
  for (const comment of listed) {
    if (!worthAsking(poll, comment.number, comment.updatedAt)) continue;
    const subject = await (comment.surface === "diff" ? poll.subjects.pull(comment.number) : poll.subjects.issue(comment.number));
    if (subject === null) continue;
    const [happening] = keep(poll, commentHappening(comment, subject, of(comment.number)));
    if (happening === undefined) continue;
    if (happening.editedNode === null) found.push(happening);
    else found.push(...keep(poll, settleEdit(happening, comment, subject, of(comment.number), await askEditor(poll, happening.editedNode))));
  }
  return found;
}

const askEditor = (poll: Gathering, node: string): Promise<Editor> => editorOf(poll.client, node);

/** Reviews are listed for each pull request alone: for those that have changed. */
async function reviewed(poll: Gathering, of: ChangesOf): Promise<readonly Happening[]> {
  const since = sinceOf(poll.cursor, "pulls");
  const found: Happening[] = [];
  for (const entry of poll.streams.entries.pulls) {
    const number = numberAt(entry, "number") ?? 0;
    const subject = await poll.subjects.pull(number);
    if (subject === null || !mayCount(poll, subject)) continue;
    const reviews = await poll.pages.whole("listing reviews", `${poll.base}/pulls/${number}/reviews?per_page=100`);
    if (reviews === null) throw new UnreadReviews(number);
    for (const review of reviews) {
      const happening = reviewHappening(review, subject, of(number));
      if (happening !== null && isSince(happening.at, since)) found.push(...keep(poll, happening));
    }
  }
  return found;
}

/** A pull request that has changed may have reviews that nobody has read; passing over them would lose them. */
export class UnreadReviews extends Error {
  constructor(number: number) {
    super(`the reviews of pull request ${number} could not be read`);
  }
}

async function readHeads(poll: Gathering): Promise<{ readonly happenings: readonly Happening[]; readonly heads: PollCursor["heads"] }> {
  const heads: Record<string, string> = { ...poll.cursor.heads };
  const happenings: Happening[] = [];
  for (const entry of poll.streams.entries.pulls) {
    const [number, sha] = [numberAt(entry, "number") ?? 0, textAt(entry, "head", "sha")];
    const before = heads[number];
    delete heads[number];
    if (sha === null || textAt(entry, "state") !== "open") continue;
    heads[number] = sha;
    const subject = before === undefined || before === sha ? null : await poll.subjects.pull(number);
    if (subject !== null && before !== undefined) happenings.push(...keep(poll, pushHappening(subject, before)));
  }
  return { happenings, heads };
}

/** Checks and statuses of the heads that were recorded against a work item. */
async function checked(poll: Gathering): Promise<readonly Happening[]> {
  const found: Happening[] = [];
  for (const sha of poll.tracked.heads) {
    const path = `${poll.base}/commits/${encodeURIComponent(sha)}`;
    const runs = await poll.pages.one("reading checks", `${path}/check-runs?filter=latest&per_page=100`).catch(nothingThere);
    for (const run of listAt(runs, "check_runs")) found.push(...keep(poll, checkHappening(run, poll.repository)));
    const statuses = await poll.pages.one("reading statuses", `${path}/statuses?per_page=100`).catch(nothingThere);
    for (const status of listAt(statuses)) found.push(...keep(poll, statusHappening(status, sha, poll.repository)));
  }
  return found;
}

const nothingThere = (error: unknown): null => {
  if (error instanceof Error && "code" in error && error.code === "LOOP_E_HOST_NOT_FOUND") return null;
  throw error;
};

const isSince = (at: string | null, since: string): boolean => (instantOf(at) ?? 0) >= (instantOf(since) ?? 0);

/** Whether an item is worth a question: of the time before the first poll only what is on record is, others were listed. */
function worthAsking(poll: Gathering, number: number, at: string): boolean {
  if (isSince(at, poll.cursor.firstSight) || poll.tracked.recorded.has(number)) return true;
  return [...poll.streams.entries.items, ...poll.streams.entries.pulls].some((entry) => numberAt(entry, "number") === number);
}

function mayCount(poll: Gathering, subject: Subject): boolean {
  const probe: Happening = { event: "pull_request_review", payload: {}, identity: "", at: poll.cursor.firstSight, kind: "comment", number: subject.number, current: subject.item, editedNode: null };
  if (isSince(textAt(subject.item, "updated_at"), poll.cursor.firstSight)) return true;
  return counts({ ...probe, at: textAt(subject.item, "updated_at") ?? poll.cursor.firstSight }, poll.firstSight);
}
