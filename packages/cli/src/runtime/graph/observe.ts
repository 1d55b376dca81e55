import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GraphDefinition, Observed, SeenArtifact } from "@loopwork/core/graph";

/** Larger files are no artifacts that a person would read. */
const mostBytes = 2 * 1024 * 1024;

/** Where the artifacts of a work item lie, relative to the checkout: slugs never meet, whatever the refs are. */
export async function artifactFolder(workItem: string, specDir: string): Promise<string> {
  const { parseRef, refSlug } = await import("@loopwork/core/refs");
  const ref = parseRef(workItem);
  if (ref === null) throw new Error(`a recorded ref does not parse: ${workItem}`);
  return join(specDir, refSlug(ref));
}

/** What stands in the checkout; null when it is no work tree. A link or a pipe is no artifact: an agent may have put anything there. */
export async function observe(workdir: string, folder: string, definition: GraphDefinition, headOf: (workdir: string) => Promise<string | null>): Promise<Omit<Observed, "pullRequests"> | null> {
  const head = await headOf(workdir);
  if (head === null) return null;
  const files = definition.nodes.flatMap(({ produces }) => produces.map(({ file }) => file));
  const seen = await Promise.all(files.map((file) => readArtifact(join(workdir, folder), file)));
  return { artifacts: seen.flatMap((each) => each ?? []), head };
}

async function readArtifact(folder: string, file: string): Promise<SeenArtifact | null> {
  const path = join(folder, file);
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size > mostBytes) return null;
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return null;
  const { filledHeadings } = await import("@loopwork/core/graph");
  return { file, digest: createHash("sha256").update(bytes).digest("hex"), filled: [...filledHeadings(bytes.toString("utf8"))] };
}
