import { CodeHostError } from "@loopwork/core/ports";
import { instantOf, newerOf, type PageMark } from "@loopwork/core";
import type { Client } from "../client.ts";
import { listAt } from "../fields.ts";
import { nextPage } from "../pages.ts";

/**
 * One poll's reading of one repository: pages that have not changed since the last poll cost
 * nothing and give nothing.
 */
export type Pages = {
  /** Oldest change first, from an instant on. */
  ascending(
    task: string,
    pathOf: (since: string, page: number) => string,
    since: string,
    timeOf: (entry: unknown) => string | null,
  ): Promise<Read>;
  /** Newest first, until something is older than the instant. */
  descending(
    task: string,
    path: string,
    since: string,
    timeOf: (entry: unknown) => string | null,
  ): Promise<Read>;
  /** One page, or an object; null when it has not changed. */
  one(task: string, path: string): Promise<unknown>;
  /**
   * A list, below `name` where the answer is an object; null when it has not changed. Rejects when
   * a page of it fails.
   */
  list(task: string, path: string, name: string | null): Promise<readonly unknown[] | null>;
  /** Every page, whatever was read before; null when the last one could not be reached. */
  whole(task: string, path: string): Promise<readonly unknown[] | null>;
  /** The pages that were read, for the next poll. */
  readonly marks: () => Readonly<Record<string, PageMark>>;
  readonly hostDate: () => string | null;
};

export type Read = {
  readonly entries: readonly unknown[];
  readonly newest: string | null;
  readonly note: string | null;
};

export const perPage = 100;
/** Most pages of one listing in one poll; the next poll goes on from there. */
const mostPages = 50;

export function createPages(
  client: Client,
  apiBase: string,
  known: Readonly<Record<string, PageMark>>,
): Pages {
  const kept: Record<string, PageMark> = {};
  let hostDate: string | null = null;
  const ask = async (task: string, path: string, tag: string | null) => {
    const answer = await client.getIfChanged(task, path, tag);
    hostDate = answer.date ?? hostDate;
    return answer;
  };
  return {
    async ascending(task, pathOf, since, timeOf) {
      const entries: unknown[] = [];
      const marks: Record<string, PageMark> = {};
      let newest: string | null = null;
      let [from, page] = [since, 1];
      let path: string | null = pathOf(from, page);
      for (let n = 0; path !== null && n < mostPages; n++) {
        const mark: PageMark | undefined = known[path];
        const answer = await ask(task, path, mark?.tag ?? null);
        if (answer.kind === "unchanged") {
          if (mark !== undefined) marks[path] = mark;
          path = mark?.next ?? null;
          continue;
        }
        const found = listAt(answer.data);
        entries.push(...found);
        for (const entry of found) newest = newerOf(newest, timeOf(entry));
        // By time, not by page number: an entry that changes while pages are read moves to the end,
        // and would push another one out of sight.
        const last = timeOf(found.at(-1)) ?? from;
        [from, page] =
          (instantOf(last) ?? 0) > (instantOf(from) ?? 0) ? [last, 1] : [from, page + 1];
        const next: string | null = found.length < perPage ? null : pathOf(from, page);
        if (answer.tag !== null) marks[path] = { tag: answer.tag, next };
        path = next;
      }
      Object.assign(kept, marks);
      return {
        entries,
        newest,
        note: path === null ? null : `${task}: the next poll goes on with what is newer`,
      };
    },
    async descending(task, first, since, timeOf) {
      const entries: unknown[] = [];
      let newest: string | null = null;
      let path: string | null = first;
      let mark: PageMark | null = null;
      for (let n = 0; path !== null && n < mostPages; n++) {
        const answer = await ask(task, path, n === 0 ? (known[first]?.tag ?? null) : null);
        if (answer.kind === "unchanged") {
          const same = known[first];
          if (same !== undefined) kept[first] = same;
          return { entries: [], newest: null, note: null };
        }
        if (n === 0 && answer.tag !== null) mark = { tag: answer.tag, next: null };
        const found = listAt(answer.data);
        const recent = found.filter(
          (entry) => (instantOf(timeOf(entry)) ?? 0) >= (instantOf(since) ?? 0),
        );
        entries.push(...recent);
        for (const entry of recent) newest = newerOf(newest, timeOf(entry));
        const isLast = recent.length < found.length || found.length === 0;
        path = isLast ? null : nextPage(task, answer.link, apiBase);
      }
      if (mark !== null) kept[first] = mark;
      return {
        entries,
        newest,
        note:
          path === null
            ? null
            : `${task}: there is more than can be read at once; what is older than ${newest ?? since} was left out`,
      };
    },
    async one(task, path) {
      const mark = known[path];
      const answer = await ask(task, path, mark?.tag ?? null);
      if (answer.kind === "unchanged") {
        if (mark !== undefined) kept[path] = mark;
        return null;
      }
      if (answer.tag !== null) kept[path] = { tag: answer.tag, next: null };
      return answer.data;
    },
    async list(task, path, name) {
      const answer = await ask(task, path, known[path]?.tag ?? null);
      if (answer.kind === "unchanged") {
        const mark = known[path];
        if (mark !== undefined) kept[path] = mark;
        return null;
      }
      const entries = [...(name === null ? listAt(answer.data) : listAt(answer.data, name))];
      let next = nextPage(task, answer.link, apiBase);
      // Of a list of several pages the first page's tag says nothing about the others.
      if (next === null && answer.tag !== null) kept[path] = { tag: answer.tag, next: null };
      for (let n = 1; next !== null && n < mostPages; n++) {
        const page = await client.get(task, next);
        entries.push(...(name === null ? listAt(page.data) : listAt(page.data, name)));
        next = nextPage(task, page.link, apiBase);
      }
      return entries;
    },
    whole: (task, path) => readWhole(task, path, client),
    marks: () => kept,
    hostDate: () => hostDate,
  };
}

/**
 * A failure on any page makes the whole list worthless: half a list looks like one from which
 * things have gone.
 */
async function readWhole(
  task: string,
  path: string,
  client: Client,
): Promise<readonly unknown[] | null> {
  const entries: unknown[] = [];
  let pages = 0;
  try {
    for await (const page of client.pages(task, path)) {
      if (++pages > mostPages) return null;
      entries.push(...page);
    }
    return entries;
  } catch (error) {
    if (error instanceof CodeHostError && error.code !== "LOOP_E_HOST_LIMIT") return null;
    throw error;
  }
}
