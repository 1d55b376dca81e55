import {
  changeHappening,
  editedHappening,
  type Happening,
  isBefore,
  isOpenWithLabel,
  type ListedChange,
  openedHappening,
  type PollCursor,
  type PolledItem,
  pushHappenings,
  readPush,
  sinceOf,
} from "@loopwork/core";
import { numberAt, textAt } from "../fields.ts";
import { lastEditOf } from "./editor.ts";
import {
  type ChangesOf,
  type Gathering,
  isSince,
  keep,
  noneWhereMissing,
  worthAsking,
} from "./poll-context.ts";
import { descriptionOf, textDigest } from "./subjects.ts";

/** What was opened since the last poll. */
export async function opened(poll: Gathering, of: ChangesOf): Promise<readonly Happening[]> {
  const found: Happening[] = [];
  for (const { subject, stream } of await listedSubjects(poll)) {
    if (isSince(textAt(subject.item, "created_at"), sinceOf(poll.cursor, stream)))
      found.push(...keep(poll, openedHappening(subject, of(subject.number))));
  }
  return found;
}

/** What the host's list of events tells: labels, closings, reopenings, titles. */
export async function changed(
  poll: Gathering,
  changes: readonly ListedChange[],
  of: ChangesOf,
): Promise<readonly Happening[]> {
  const found: Happening[] = [];
  for (const change of changes) {
    if (!worthAsking(poll, change.number, change.at)) continue;
    const subject = await poll.stuck.around("events", () =>
      change.type === "issue"
        ? poll.subjects.issue(change.number)
        : poll.subjects.pull(change.number),
    );
    if (subject !== null)
      found.push(...keep(poll, changeHappening(change, subject, of(change.number))));
  }
  return found;
}

/**
 * Texts that were edited. No list tells of that: the text of what is on record is compared with the
 * one of the last poll.
 */
export async function edited(
  poll: Gathering,
  of: ChangesOf,
): Promise<{ readonly happenings: readonly Happening[]; readonly texts: PollCursor["texts"] }> {
  const texts: Record<string, string> = Object.fromEntries(
    Object.entries(poll.cursor.texts).filter(([number]) =>
      poll.tracked.recorded.has(Number(number)),
    ),
  );
  const happenings: Happening[] = [];
  for (const { subject, stream } of await listedSubjects(poll)) {
    const { number, item } = subject;
    const recorded = poll.tracked.recorded.has(number);
    // What carries the label may be started next, and is compared then.
    if (!recorded && !isOpenWithLabel(item, poll.firstSight.autoExecuteLabel)) continue;
    const [before, now] = [texts[number], textDigest(item)];
    if (recorded && before !== undefined && descriptionOf(before) !== descriptionOf(now)) {
      const edit = await poll.stuck.around(stream, () =>
        lastEditOf(poll.client, textAt(item, "node_id") ?? ""),
      );
      if (poll.stuck.streams.has(stream) && edit === null) continue;
      // Edited once more after it was listed: the next list shows the text of the last edit.
      if (edit !== null && edit !== "unknown" && isBefore(textAt(item, "updated_at"), edit.at))
        continue;
      happenings.push(
        ...keep(poll, editedHappening(subject, of(number), edit === "unknown" ? null : edit)),
      );
    }
    texts[number] = now;
  }
  return { happenings, texts };
}

/** Heads of open pull requests that have moved, with each push that moved them. */
export async function pushed(
  poll: Gathering,
): Promise<{ readonly happenings: readonly Happening[]; readonly heads: PollCursor["heads"] }> {
  const heads: Record<string, string> = { ...poll.cursor.heads };
  const happenings: Happening[] = [];
  for (const entry of poll.streams.entries.pulls) {
    const [number, sha] = [numberAt(entry, "number") ?? 0, textAt(entry, "head", "sha")];
    const before = heads[number];
    if (sha === null || textAt(entry, "state") !== "open") delete heads[number];
    else if (before === undefined || before === sha) heads[number] = sha;
    else {
      const moved = await poll.stuck.around("pulls", () => pushesOf(poll, number, before));
      if (moved === null) continue;
      heads[number] = sha;
      happenings.push(...keep(poll, ...moved));
    }
  }
  return { happenings, heads };
}

/**
 * Who pushed stands in the list of activity of the repository to which the branch belongs; a host
 * without one tells nobody.
 */
async function pushesOf(
  poll: Gathering,
  number: number,
  before: string,
): Promise<readonly Happening[]> {
  const subject = await poll.subjects.pull(number);
  if (subject === null) return [];
  const [repository, branch] = [
    textAt(subject.item, "head", "repo", "full_name"),
    textAt(subject.item, "head", "ref"),
  ];
  if (repository === null || branch === null) return pushHappenings(subject, before, []);
  const path = `/repos/${repository.split("/").map(encodeURIComponent).join("/")}/activity?ref=${encodeURIComponent(`refs/heads/${branch}`)}&per_page=100`;
  const listed = await poll.pages.list("asking who pushed", path, null).catch(noneWhereMissing);
  return pushHappenings(
    subject,
    before,
    (listed ?? []).flatMap((entry) => readPush(entry) ?? []),
  );
}

/**
 * What was listed as changed, with the list in which it stood. A pull request stands in the one of
 * its own.
 */
async function listedSubjects({
  streams,
  subjects,
  stuck,
}: Gathering): Promise<
  readonly { readonly subject: PolledItem; readonly stream: "items" | "pulls" }[]
> {
  const found: { readonly subject: PolledItem; readonly stream: "items" | "pulls" }[] = [];
  for (const stream of ["items", "pulls"] as const) {
    for (const entry of streams.entries[stream]) {
      if (stream === "items" && textAt(entry, "pull_request", "url") !== null) continue;
      const number = numberAt(entry, "number") ?? 0;
      const subject = await stuck.around(stream, () =>
        stream === "items" ? subjects.issue(number) : subjects.pull(number),
      );
      if (subject !== null) found.push({ subject, stream });
    }
  }
  return found;
}
