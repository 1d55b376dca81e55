import { posix } from "node:path";
import { isProtected, type TreeEntry } from "./protected-paths.ts";

/** Returns the text of each blob, in the order asked. */
export type ReadBlobs = (blobs: readonly string[]) => Promise<readonly string[]>;

/**
 * What the instruction files of a commit import with `@path` or link to with `mdc:path`, directly
 * and by what they import, as paths from the root of the tree. Files that the commit doesn't have
 * are among them: another commit could add one.
 */
export async function importsOf(
  tree: readonly TreeEntry[],
  read: ReadBlobs,
): Promise<readonly string[]> {
  const files = new Map(
    tree.filter(({ mode }) => mode.startsWith("100")).map((entry) => [entry.path, entry]),
  );
  const found = new Set<string>();
  let round = [...files.values()].filter(
    ({ path }) => isProtected(path) && /\.(?:mdc?|\w*rules|goosehints)$/iu.test(path),
  );
  while (round.length > 0) {
    const texts = await read(round.map(({ blob }) => blob));
    const named = round.flatMap(({ path }, at) => importsIn(texts[at] ?? "", posix.dirname(path)));
    const added = [...new Set(named)].filter((path) => !found.has(path));
    for (const path of added) found.add(path);
    round = added.flatMap((path) => files.get(path) ?? []).filter(({ path }) => !isProtected(path));
  }
  return [...found];
}

/**
 * Every reading that a harness may choose: from the file's folder and from the root of the tree,
 * with and without the punctuation and the anchor behind it.
 */
function importsIn(text: string, folder: string): readonly string[] {
  return [...text.matchAll(/(?:@|\bmdc:)((?:[^\s\\]|\\ )+)/gu)].flatMap(([, written = ""]) => {
    const whole = written.replaceAll("\\ ", " ");
    const bare = whole.replace(/#.*/u, "");
    // What follows is more of the sentence, or of a link.
    const ends = [bare.replace(/[\p{P}\p{S}]+$/u, ""), bare.replace(/[)>\]"'`].*/u, "")];
    const readings = new Set(
      [whole, bare, ...ends].filter((each) => each !== "" && !each.startsWith("~")),
    );
    return [...readings]
      .flatMap((each) => [
        ...(each.startsWith("/") ? [] : [posix.join(folder, each)]),
        posix.join(".", each.replace(/^\/+/u, "")),
      ])
      .filter((path) => path !== "." && path !== ".." && !path.startsWith("../"));
  });
}
