import type {
  ConfiguredGraph,
  GraphProgress,
  GraphSignal,
  ItemState,
  ObservedWork,
  RefText,
} from "@loopwork/core/ports";
import { type ArtifactPlace, artifactPlace } from "./artifact-place.ts";
import { graphFor, type GraphFound, type GraphSettings, problemLine } from "./load.ts";
import { type Looking, observe } from "./observe.ts";

/** Where a work item stands in its graph. */
export type Standing = {
  readonly graph: ConfiguredGraph;
  readonly observed: ObservedWork;
  readonly progress: GraphProgress;
  readonly signals: readonly GraphSignal[];
  /** Of the artifacts. */ readonly place: ArtifactPlace;
};

export type Found =
  | { readonly kind: "standing"; readonly standing: Standing }
  | Exclude<GraphFound, { readonly kind: "found" }>
  | { readonly kind: "no-checkout" };

/** Derives it from what stands in the checkout and what is on record. */
export async function standingOf(
  workItem: RefText,
  item: ItemState,
  workdir: string,
  settings: GraphSettings,
  looking: Looking,
): Promise<Found> {
  const found = await graphFor(item.workItem?.type ?? "issue", settings, looking.files);
  if (found.kind !== "found") return found;
  const { deriveProgress, pullRequestsOf } = await import("@loopwork/core/ports");
  const { graph } = found;
  const place = await artifactPlace(workItem, workdir, settings, looking);
  const signals = item.workItem?.graph?.signals ?? [];
  const seen = await observe(
    workdir,
    place,
    graph.definition,
    looking,
    signals.some(({ kind }) => kind === "answer"),
  );
  if (seen === null) return { kind: "no-checkout" };
  const observed = { ...seen, pullRequests: pullRequestsOf(item) };
  return {
    kind: "standing",
    standing: {
      graph,
      observed,
      signals,
      place,
      progress: deriveProgress(graph, observed, signals),
    },
  };
}

/** Why nobody can tell where the work stands, in a sentence with what to do. */
export function unclear(
  found: Extract<Found, { readonly kind: "broken" | "no-checkout" }>,
  workdir: string,
): string {
  return found.kind === "no-checkout"
    ? `${workdir} is no work tree of git`
    : `the process graph cannot be used: ${found.problems.map(problemLine).join("; ")}`;
}

/** The session at the work item itself, whose checkout is looked at; null while none has one. */
export function workdirOf(workItem: RefText, { sessions }: ItemState): string | null {
  const own = sessions.find(
    ({ endpoint, status, workdir }) =>
      endpoint === workItem && status !== "closed" && workdir !== null,
  );
  return own?.workdir ?? null;
}
