import {
  emptyItemState,
  formatRef,
  type ItemState,
  LoopError,
  type Ref,
  type RefText,
} from "@loopwork/core/ports";
import { type GraphSettings, workdirOf } from "@loopwork/runtime/graph";
import { askGit } from "../git/ask-git.ts";
import type { LoadedConfig } from "../configuration/load-config.ts";
import type { Ports } from "../ports/command-ports.ts";
import { refArgument } from "./ref-argument.ts";
import { topByFiles } from "../git/git-files.ts";
import { knownRef } from "./known-ref.ts";
import { workItemHere } from "./work-item-here.ts";

type Records = Awaited<ReturnType<Ports["recordStore"]>>;

/**
 * A work item as the graph needs it: what is on record, and the checkout in which its artifacts
 * lie.
 */
export type ItemOfGraph = {
  readonly workItem: RefText;
  readonly item: ItemState;
  readonly workdir: string;
};

/**
 * The item that is meant: as typed, else that of the turn or of the checkout; looked up for reading
 * only, as agents may ask.
 */
export async function itemOfGraph(typed: string | undefined, ports: Ports): Promise<ItemOfGraph> {
  const named = typed ?? ports.turn()?.workItem ?? ports.io.env["LOOP_WORK_ITEM"];
  const ref =
    named === undefined ? await workItemHere(undefined, ports) : await namedRef(named, ports);
  const workItem = formatRef(ref);
  const item = await recorded(workItem, ports);
  const workdir = workdirOf(workItem, item) ?? topLevel(ports.io.cwd);
  if (workdir === null)
    throw new LoopError(
      "LOOP_E_NO_CHECKOUT",
      `${workItem} has no checkout here`,
      "Run it in the work item's checkout",
    );
  return { workItem, item, workdir };
}

/** What the graph needs of a configuration. */
export function graphSettings({
  config,
  paths,
}: Pick<LoadedConfig, "config" | "paths">): GraphSettings {
  return { config, graphFile: paths.graphFile, artifactsDir: paths.artifactsDir };
}

/**
 * Looked up in the records alone: whoever looks changes nothing, and opens one store and not two.
 */
async function namedRef(text: string, ports: Ports): Promise<Ref> {
  if (ports.turn() !== null) return refArgument(text, ports);
  const store = await recordsOf(ports);
  const defaultHost = (await ports.looking()).config.integrations.codeHost.host.toLowerCase();
  return knownRef(text, {
    policy: () => Promise.resolve({ defaultHost }),
    store: () => Promise.resolve(store ?? { repositories: unnamed }),
  });
}

const unnamed: Records["repositories"] = { list: () => Promise.resolve([]) };

async function recorded(workItem: RefText, ports: Ports): Promise<ItemState> {
  return (await recordsOf(ports))?.items.load(workItem) ?? emptyItemState;
}

/**
 * Null before the service has ever run: nothing is on record then, and the artifacts can be looked
 * at all the same.
 */
async function recordsOf(ports: Ports): Promise<Records | null> {
  try {
    return await ports.recordStore();
  } catch (error) {
    if (error instanceof LoopError && error.code === "LOOP_E_STORE_MISSING") return null;
    throw error;
  }
}

function topLevel(cwd: string): string | null {
  return topByFiles(cwd) ?? (askGit(["rev-parse", "--show-toplevel"], cwd)?.trim() || null);
}
