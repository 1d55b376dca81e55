import { CodeHostError } from "@loopwork/core/ports";
import { newerOf, type PollCursor, type PollStream, sinceOf } from "@loopwork/core";
import { textAt } from "../fields.ts";
import { type Pages, perPage, type Read } from "./pages.ts";

/**
 * What the streams of one repository gave, and how far each was read. One that failed has given
 * nothing and stays where it was.
 */
export type Streams = {
  readonly entries: Readonly<Record<PollStream, readonly unknown[]>>;
  readonly newest: PollCursor["newest"];
  readonly notes: readonly string[];
  readonly failures: readonly CodeHostError[];
};

/**
 * Reads the five lists of a repository. A list that the host does not offer, such as the issues of
 * a repository that has them switched off, is no failure; one that fails stops neither the others
 * nor the next repository. Only a limit ends the poll.
 */
export async function readStreams(
  base: string,
  cursor: PollCursor,
  pages: Pages,
): Promise<Streams> {
  const entries: Record<PollStream, readonly unknown[]> = {
    items: [],
    events: [],
    comments: [],
    "diff-comments": [],
    pulls: [],
  };
  const newest: Partial<Record<PollStream, string>> = { ...cursor.newest };
  const notes: string[] = [];
  const failures: CodeHostError[] = [];
  for (const { stream, task, read } of lists(base, pages)) {
    const since = sinceOf(cursor, stream);
    const found = await read(since).catch((error: unknown) => {
      if (!(error instanceof CodeHostError) || error.code === "LOOP_E_HOST_LIMIT") throw error;
      if (error.missing) return absent(task);
      failures.push(error);
      return null;
    });
    if (found === null) continue;
    entries[stream] = found.entries;
    // A list that was empty so far has been read up to the first sight.
    newest[stream] =
      newerOf(found.newest, cursor.newest[stream] ?? cursor.firstSight) ?? cursor.firstSight;
    if (found.note !== null) notes.push(found.note);
  }
  return { entries, newest, notes, failures };
}

/**
 * Whether a page belongs to the stream, as reviews do to pull requests, so that a stream that is to
 * be read again forgets the tags of its pages.
 */
export function isPageOf(stream: PollStream, path: string, base: string): boolean {
  return (
    path.startsWith(`${base}${prefixes[stream]}?`) ||
    (stream === "pulls" && path.startsWith(`${base}/pulls/`) && path.includes("/reviews?"))
  );
}

const prefixes: Readonly<Record<PollStream, string>> = {
  items: "/issues",
  pulls: "/pulls",
  events: "/issues/events",
  comments: "/issues/comments",
  "diff-comments": "/pulls/comments",
};

const absent = (task: string): Read => ({
  entries: [],
  newest: null,
  note: `${task}: the host does not offer it here`,
});

type List = {
  readonly stream: PollStream;
  readonly task: string;
  readonly read: (since: string) => Promise<Read>;
};

function lists(base: string, pages: Pages): readonly List[] {
  const changed = (path: string, more: string) => (since: string, page: number) =>
    `${base}${path}?${more}sort=updated&direction=asc&per_page=${perPage}&since=${encodeURIComponent(since)}${page > 1 ? `&page=${page}` : ""}`;
  const updated = (entry: unknown): string | null => textAt(entry, "updated_at");
  const up = (stream: PollStream, task: string, path: string, more = ""): List => ({
    stream,
    task,
    read: (since) => pages.ascending(task, changed(path, more), since, updated),
  });
  const down = (stream: PollStream, task: string, path: string, time: string): List => ({
    stream,
    task,
    read: (since) =>
      pages.descending(task, `${base}${path}`, since, (entry) => textAt(entry, time)),
  });
  return [
    up("items", "listing issues", "/issues", "state=all&"),
    down(
      "pulls",
      "listing pull requests",
      `/pulls?state=all&sort=updated&direction=desc&per_page=${perPage}`,
      "updated_at",
    ),
    down("events", "listing events", `/issues/events?per_page=${perPage}`, "created_at"),
    up("comments", "listing comments", "/issues/comments"),
    up("diff-comments", "listing comments on diffs", "/pulls/comments"),
  ];
}
