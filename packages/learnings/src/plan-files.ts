import {
  applyPlan,
  type Book,
  detailAfter,
  formatBlock,
  formatDetail,
  indexOf,
  type Plan,
  topicsOf,
} from "@loopwork/core/learnings";
import { indexPath, learningsFolder } from "./learnings-paths.ts";
import { detailPath, type StandingBook, topicPath } from "./read-book.ts";

/** A file as it is and as it will be; null is a file that is not there. */
export type FileEdit = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** The files that a plan changes, and no others. `now` in milliseconds since 1970. */
export function filesOf(
  standing: StandingBook,
  plan: Pick<Plan, "changes">,
  now: number,
): readonly FileEdit[] {
  const book = applyPlan(standing.book, plan);
  if (book.learnings.length === 0) return [];
  const wanted = new Map<string, string | null>([[indexPath, formatBlock(indexOf(book, now))]]);
  for (const learning of book.learnings)
    wanted.set(
      detailPath(learning.id),
      formatDetail(detailAfter(standing.details.get(learning.id), learning)),
    );
  for (const [path, text] of topicFiles(standing, book, now)) wanted.set(path, text);
  return [...wanted]
    .map(([path, after]) => ({ path, before: standing.files.get(path) ?? null, after }))
    .filter(({ before, after }) => before !== after);
}

/**
 * Topics that have something, and those that had and are empty now; people's words around the block
 * stay.
 */
function topicFiles(
  { around, files }: StandingBook,
  book: Book,
  now: number,
): ReadonlyMap<string, string | null> {
  const topics = new Map<string, string | null>();
  for (const path of files.keys())
    if (path.startsWith(`${learningsFolder}/topics/`))
      topics.set(
        path,
        formatBlock({ ...(around.get(path) ?? { before: "", after: "" }), sections: [] }),
      );
  for (const { category, lines } of topicsOf(book, now)) {
    const path = topicPath(category);
    topics.set(
      path,
      formatBlock({
        ...(around.get(path) ?? { before: `# ${category}\n`, after: "" }),
        sections: [{ category, lines, more: 0 }],
      }),
    );
  }
  return topics;
}
