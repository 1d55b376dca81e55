import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { GraphDefinition, Observed, SeenArtifact } from "@loopwork/core/graph";
import type { Workspace } from "@loopwork/core/ports";
import type { ArtifactPlace } from "./artifact-place.ts";
import { readPlainFile } from "../../files/plain-file.ts";
import { sha256 } from "../../files/sha256.ts";

/** Larger files are no artifacts that a person would read. */
const mostBytes = 2 * 1024 * 1024;

/** How a checkout is looked at. */
export type Looking = Pick<Workspace, "changesOf" | "headOf" | "hasChosenLoop">;

/**
 * What stands in the checkout; null when it is no work tree. A link or a pipe is no artifact: an
 * agent may have put anything there. `whole`: with what is not committed, which only an answer of a
 * person is about, and which git takes a while to find.
 */
export async function observe(
  workdir: string,
  { root, folder }: Pick<ArtifactPlace, "root" | "folder">,
  definition: GraphDefinition,
  { headOf, changesOf }: Omit<Looking, "hasChosenLoop">,
  whole: boolean = true,
): Promise<Omit<Observed, "pullRequests"> | null> {
  const head = await headOf(workdir);
  if (head === null) return null;
  const files = definition.nodes.flatMap(({ produces }) => produces.map(({ file }) => file));
  const seen = (await isPlainly(root, folder))
    ? await Promise.all(files.map((file) => readArtifact(join(root, folder), file)))
    : [];
  return {
    artifacts: seen.flatMap((each) => each ?? []),
    head,
    uncommitted: whole ? await digestOf(workdir, await changesOf(workdir)) : null,
  };
}

/**
 * Names what is not committed, by the cheapest sure sign: when each file changed last, which nobody
 * can set.
 */
async function digestOf(workdir: string, changes: readonly string[]): Promise<string | null> {
  if (changes.length === 0) return null;
  const seen: string[] = [];
  for (const change of changes.toSorted()) {
    const found = await lstat(join(workdir, change.slice(3)), { bigint: true }).catch(() => null);
    seen.push(`${change} ${found === null ? "gone" : `${found.size} ${found.ctimeNs}`}\0`);
  }
  return sha256(...seen);
}

/** No link leads from the root to the folder. */
async function isPlainly(root: string, folder: string): Promise<boolean> {
  const [top, found] = await Promise.all(
    [root, join(root, folder)].map((path) => realpath(path).catch(() => null)),
  );
  return top != null && found === join(top, folder);
}

async function readArtifact(folder: string, file: string): Promise<SeenArtifact | null> {
  const bytes = await readPlainFile(join(folder, file), mostBytes);
  if (bytes === null) return null;
  const { filledHeadings } = await import("@loopwork/core/standing");
  return { file, digest: sha256(bytes), filled: [...filledHeadings(bytes.toString("utf8"))] };
}
