import { LoopError, parseBlock } from "@loopwork/core/ports";
import {
  type BlockFile,
  type Book,
  type Detail,
  emptyBook,
  hasBlock,
  idText,
  isEndedByPerson,
  type Learning,
  lineTakenOut,
  parseDetail,
  type Section,
  whyUnfit,
} from "@loopwork/core/learnings";
import { indexPath, learningsFolder } from "./learnings-paths.ts";
import { namesIn, readText } from "./safe-files.ts";

export function detailPath(id: number): string {
  return `${learningsFolder}/learning-${idText(id)}.md`;
}

export function topicPath(category: string): string {
  return `${learningsFolder}/topics/${category}.md`;
}

/**
 * A repository's learnings with what people wrote around ours: details by id, words around the
 * blocks by path.
 */
export type StandingBook = {
  readonly book: Book;
  /** Detail files as they stand, by id. */
  readonly details: ReadonlyMap<number, Detail>;
  readonly around: ReadonlyMap<string, { readonly before: string; readonly after: string }>;
  /** Texts of all files as they were read, by path. */
  readonly files: ReadonlyMap<string, string>;
};

/**
 * Reads the learnings of a repository. Detail files say what there is; in index and topics people
 * may change a text or take a line out, and that counts. Whatever does not parse is an error with
 * file and line: it is never rewritten.
 */
export async function readBook(root: string): Promise<StandingBook> {
  const files = new Map<string, string>();
  const details = await readDetails(root, files);
  const index = await readSections(root, indexPath, files);
  const around = new Map([
    [indexPath, { before: index?.before ?? emptyBook.before, after: index?.after ?? "" }],
  ]);
  const lines = new Map<number, { readonly text: string; readonly status: "active" | "evicted" }>();
  for (const { id, text } of linesOf(index?.sections ?? []))
    lines.set(id, { text, status: "active" });
  for (const name of (await namesIn(root, `${learningsFolder}/topics`)).filter((each) =>
    each.endsWith(".md"),
  )) {
    const path = `${learningsFolder}/topics/${name}`;
    const topic = await readSections(root, path, files);
    if (topic === null) continue;
    around.set(path, { before: topic.before, after: topic.after });
    for (const { id, text } of linesOf(topic.sections))
      if (!lines.has(id)) lines.set(id, { text, status: "evicted" });
  }
  refuseLost(details, index, files);
  const unknown = [...lines.keys()].find((id) => !details.has(id));
  if (unknown !== undefined)
    throw new LoopError(
      "LOOP_E_LEARNINGS_FILE",
      `Learning [${idText(unknown)}] has no ${detailPath(unknown)}`,
      "Restore the file from git, or remove its line from the index",
    );
  const standing = [...details.values()].map(({ learning }) =>
    asEdited(learning, lines.get(learning.id)),
  );
  return {
    book: {
      learnings: standing.toSorted((one, other) => one.id - other.id),
      before: index?.before ?? emptyBook.before,
      after: index?.after ?? "",
    },
    details,
    around,
    files,
  };
}

/**
 * What a person did to a line counts: another text is its text, a line that was taken out ends the
 * learning, and one that is put back again begins it anew.
 */
function asEdited(
  learning: Learning,
  line: { readonly text: string; readonly status: "active" | "evicted" } | undefined,
): Learning {
  const ended = learning.status === "retired" || learning.status === "superseded";
  if (ended && (line === undefined || !isEndedByPerson(learning))) return learning;
  if (line === undefined)
    return { ...learning, status: "retired", earlier: [...learning.earlier, lineTakenOut] };
  return {
    ...learning,
    text: line.text,
    status: line.status,
    ...(line.text === learning.text ? {} : { earlier: [...learning.earlier, learning.text] }),
  };
}

/**
 * A line that a person took out ends its learning; a file or block that is gone, as after a merge
 * that went wrong, ends nothing.
 */
function refuseLost(
  details: ReadonlyMap<number, Detail>,
  index: BlockFile | null,
  files: ReadonlyMap<string, string>,
): void {
  const stand = [...details.values()].filter(
    ({ learning: { status } }) => status === "active" || status === "evicted",
  ).length;
  if (stand > 0 && !hasBlock(files.get(indexPath) ?? ""))
    throw new LoopError(
      "LOOP_E_LEARNINGS_FILE",
      `${indexPath} ${index === null ? "is gone" : "has no managed block any more"}, though ${stand} learnings stand`,
      "Nothing was written. Restore it from git. To retire them all, leave the empty block in it.",
    );
  const lost = index?.sections.find(
    ({ category, more }) => more > 0 && !files.has(topicPath(category)),
  );
  if (lost !== undefined)
    throw new LoopError(
      "LOOP_E_LEARNINGS_FILE",
      `${topicPath(lost.category)} is gone, though the index leads to ${lost.more} learnings in it`,
      "Nothing was written. Restore it from git. To retire them, remove the line that points there from the index.",
    );
}

async function readDetails(
  root: string,
  files: Map<string, string>,
): Promise<ReadonlyMap<number, Detail>> {
  const details = new Map<number, Detail>();
  for (const name of await namesIn(root, learningsFolder)) {
    const id = /^learning-(\d{3,9})\.md$/u.exec(name)?.[1];
    if (id === undefined) continue;
    const path = `${learningsFolder}/${name}`;
    const text = (await readText(root, path)) ?? "";
    const read = parseDetail(text);
    if (!read.ok) throw unreadable(path, read.problem);
    if (read.detail.learning.id !== Number(id))
      throw unreadable(path, `its id is ${read.detail.learning.id}`);
    files.set(path, text);
    details.set(Number(id), read.detail);
  }
  return details;
}

async function readSections(
  root: string,
  path: string,
  files: Map<string, string>,
): Promise<BlockFile | null> {
  const text = await readText(root, path);
  if (text === null) return null;
  const read = parseBlock(text);
  if (!read.ok) throw unreadable(`${path}:${read.line}`, read.problem);
  for (const line of linesOf(read.file.sections)) refuseUnfit(path, line);
  files.set(path, text);
  return read.file;
}

function refuseUnfit(path: string, { id, text }: Section["lines"][number]): void {
  const fault = whyUnfit(text);
  if (fault !== null) throw unreadable(path, `[${idText(id)}] ${fault}`);
}

function linesOf(sections: readonly Section[]): Section["lines"] {
  return sections.flatMap(({ lines }) => lines);
}

function unreadable(where: string, problem: string): LoopError {
  return new LoopError(
    "LOOP_E_LEARNINGS_FILE",
    `${where}: ${problem}`,
    "Nothing was written. Fix the file by hand, or restore it from git.",
  );
}
