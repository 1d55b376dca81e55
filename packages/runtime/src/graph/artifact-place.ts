import { join } from "node:path";
import type { Workspace } from "@loopwork/core/ports";
import type { GraphSettings } from "./load.ts";

/**
 * Where the artifacts of a work item lie: `folder` is relative to `root`. Nothing of ours is put
 * into a repository that has not chosen loop, whose guest we are (specification 1.8): there they
 * lie in the state root, and `inTree` is false. `shown` is how sessions and people are told of it,
 * relative to the checkout or absolute.
 */
export type ArtifactPlace = {
  readonly root: string;
  readonly folder: string;
  readonly shown: string;
  readonly inTree: boolean;
};

/** Slugs never meet, whatever the refs are. */
export async function artifactPlace(
  workItem: string,
  workdir: string,
  { config, artifactsDir }: Pick<GraphSettings, "config" | "artifactsDir">,
  { hasChosenLoop }: Pick<Workspace, "hasChosenLoop">,
): Promise<ArtifactPlace> {
  const { parseRef, refSlug } = await import("@loopwork/core/ports");
  const ref = parseRef(workItem);
  if (ref === null) throw new Error(`a recorded ref does not parse: ${workItem}`);
  const slug = refSlug(ref);
  if (!(await hasChosenLoop(workdir)))
    return { root: artifactsDir, folder: slug, shown: join(artifactsDir, slug), inTree: false };
  const folder = join(config.routing.graph.specDir, slug);
  return { root: workdir, folder, shown: folder, inTree: true };
}
