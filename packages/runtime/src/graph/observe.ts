import { join } from "node:path";
import type { GraphDefinition, ObservedWork, SeenArtifact, Workspace } from "@loopwork/core/ports";
import type { ArtifactPlace } from "./artifact-place.ts";
import type { GraphFiles } from "./graph-files.ts";
import { sha256 } from "../sha256.ts";

/** How a checkout is looked at. */
export type Looking = Pick<Workspace, "changesOf" | "headOf" | "hasChosenLoop"> & {
  readonly files: GraphFiles;
};

/** Looking at the checkouts of a workspace. */
export function lookWith(workspace: Omit<Looking, "files">, files: GraphFiles): Looking {
  return {
    headOf: (workdir) => workspace.headOf(workdir),
    changesOf: (workdir) => workspace.changesOf(workdir),
    hasChosenLoop: (workdir) => workspace.hasChosenLoop(workdir),
    files,
  };
}

/** Looking as the runtime does it; null where it has no graph. */
export function lookingOf({
  workspace,
  graphFiles,
}: {
  readonly workspace: Omit<Looking, "files">;
  readonly graphFiles: GraphFiles | null;
}): Looking | null {
  return graphFiles === null ? null : lookWith(workspace, graphFiles);
}

/**
 * What stands in the checkout; null when it is no work tree. A link or a pipe is no artifact: an
 * agent may have put anything there. `whole`: with what is not committed, which only an answer of a
 * person is about, and which git takes a while to find.
 */
export async function observe(
  workdir: string,
  { root, folder }: Pick<ArtifactPlace, "root" | "folder">,
  definition: GraphDefinition,
  { headOf, changesOf, files }: Omit<Looking, "hasChosenLoop">,
  whole: boolean = true,
): Promise<Omit<ObservedWork, "pullRequests"> | null> {
  const head = await headOf(workdir);
  if (head === null) return null;
  const artifacts = definition.nodes.flatMap(({ produces }) => produces.map(({ file }) => file));
  const seen = (await files.isPlainly(root, folder))
    ? await Promise.all(artifacts.map((file) => readArtifact(join(root, folder), file, files)))
    : [];
  return {
    artifacts: seen.flatMap((each) => each ?? []),
    head,
    uncommitted: whole ? await digestOf(workdir, await changesOf(workdir), files) : null,
  };
}

/**
 * Names what is not committed, by the cheapest sure sign: when each file changed last, which nobody
 * can set.
 */
async function digestOf(
  workdir: string,
  changes: readonly string[],
  files: GraphFiles,
): Promise<string | null> {
  if (changes.length === 0) return null;
  const seen: string[] = [];
  for (const change of changes.toSorted())
    seen.push(`${change} ${await files.changeSign(join(workdir, change.slice(3)))}\0`);
  return sha256(...seen);
}

async function readArtifact(
  folder: string,
  file: string,
  files: GraphFiles,
): Promise<SeenArtifact | null> {
  const bytes = await files.artifact(join(folder, file));
  if (bytes === null) return null;
  const { filledHeadings } = await import("@loopwork/core/ports");
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return { file, digest: sha256(bytes), filled: [...filledHeadings(text)] };
}
