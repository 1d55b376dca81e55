import { isAbsolute, join, relative, sep } from "node:path";
import {
  foldName,
  isDomain,
  isOwnerName,
  isRepositoryName,
  type Ref,
  refSlug,
} from "@loopwork/core/ports";
import { WorkspaceError } from "./failure.ts";

/** A repository of a host, as paths name it: in lower case, because the host ignores case. */
export type Place = { readonly host: string; readonly owner: string; readonly repo: string };

/** How checkouts are made: a worktree beside a shared clone, or a clone of its own. */
export type Strategy = "worktree" | "clone";

/**
 * Where things stand under the root. Paths are absolute; `segments` lead from the root to the
 * checkout. A checkout that is a clone of its own is its own `clone`.
 */
export type Layout = {
  readonly kind: Strategy;
  readonly clone: string;
  readonly cloneSegments: readonly string[];
  readonly checkout: string;
  readonly checkoutSegments: readonly string[];
};

/**
 * Checks each name by its grammar before any of them becomes part of a path. Throws
 * `LOOP_E_WORKSPACE_NAME`.
 */
export function placeOf(repository: {
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}): Place {
  const host = repository.host.toLowerCase();
  if (!isDomain(host)) throw refused("host", repository.host);
  if (!isOwnerName(repository.owner) || isDevice(repository.owner))
    throw refused("owner", repository.owner);
  if (!isRepositoryName(repository.name) || isDevice(repository.name))
    throw refused("repository", repository.name);
  return { host, owner: foldName(repository.owner), repo: foldName(repository.name) };
}

/**
 * With `worktree` the shared clone is `<root>/<host>/<owner>/<repo>` and a checkout
 * `<root>/.worktrees/<host>/<owner>/<repo>/<slug>`; with `clone` a work item's folder is
 * `<root>/.work-items/<slug>`, with `<host>/<owner>/<repo>` for each repository that it touches
 * (docs/specification.md#checkouts).
 */
export function layoutOf(root: string, place: Place, workItem: Ref, kind: Strategy): Layout {
  if (!isAbsolute(root))
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_ROOT",
      "The workspace root is not an absolute path.",
      "Set routing.workspace.root to an absolute path.",
    );
  const cloneSegments = [place.host.replace(":", "="), place.owner, place.repo];
  if (kind === "clone") {
    const own = [workItemsName, slugOf(workItem), ...cloneSegments];
    return {
      kind,
      clone: join(root, ...own),
      cloneSegments: own,
      checkout: join(root, ...own),
      checkoutSegments: own,
    };
  }
  const checkoutSegments = [worktreesName, ...cloneSegments, slugOf(workItem)];
  return {
    kind,
    clone: join(root, ...cloneSegments),
    cloneSegments,
    checkout: join(root, ...checkoutSegments),
    checkoutSegments,
  };
}

/**
 * Where a checkout that is on record stands; null where the record does not fit any place of ours.
 */
export function layoutOn({
  root,
  host,
  owner,
  repo,
  checkout,
  strategy,
}: {
  readonly root: string;
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
  readonly checkout: string;
  readonly strategy: Strategy;
}): Layout | null {
  const repository = [host.replace(":", "="), owner, repo];
  const checkoutSegments = relative(root, checkout).split(sep);
  const [top, ...rest] = checkoutSegments;
  const fits =
    strategy === "worktree"
      ? top === worktreesName && rest.slice(0, -1).join(sep) === repository.join(sep)
      : top === workItemsName && rest.slice(1).join(sep) === repository.join(sep);
  if (!fits || checkoutSegments.length !== 5) return null;
  if (strategy === "clone")
    return {
      kind: strategy,
      clone: checkout,
      cloneSegments: checkoutSegments,
      checkout,
      checkoutSegments,
    };
  return {
    kind: strategy,
    clone: join(root, ...repository),
    cloneSegments: repository,
    checkout,
    checkoutSegments,
  };
}

/** Folders under the root that hold checkouts; no domain begins with a dot. */
export const worktreesName = ".worktrees";
export const workItemsName = ".work-items";

/**
 * The work item as a name for files; never two with the same one. Throws for a ref that no grammar
 * let through.
 */
export function slugOf(workItem: Ref): string {
  const plain =
    isOwnerName(workItem.owner) &&
    isRepositoryName(workItem.repo) &&
    (workItem.host === null || isDomain(workItem.host)) &&
    Number.isSafeInteger(workItem.number) &&
    workItem.number > 0;
  if (!plain) throw refused("work item", `${workItem.owner}/${workItem.repo}#${workItem.number}`);
  return refSlug(workItem);
}

/** True when the path is the folder itself or lies in it, by text alone. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Device names that some file systems keep for themselves, whatever follows the first dot. */
const devices: ReadonlySet<string> = new Set([
  "con",
  "prn",
  "aux",
  "nul",
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((n) => [`com${n}`, `lpt${n}`]),
]);
const isDevice = (name: string): boolean => devices.has((name.split(".")[0] ?? "").toLowerCase());

function refused(what: string, name: string): WorkspaceError {
  return new WorkspaceError(
    "LOOP_E_WORKSPACE_NAME",
    `The ${what} ${JSON.stringify(name.slice(0, 80))} cannot name a folder.`,
    "Only names that the code host itself gives out are checked out.",
  );
}

/** How a checkout of ours was made, by the names of its folders; null for any other folder. */
export function strategyAt(checkout: string): Strategy | null {
  const top = checkout.split(sep).at(-5);
  return top === workItemsName ? "clone" : top === worktreesName ? "worktree" : null;
}

/** Whether a path leads into a checkout of ours below any root, by the names of its folders. */
export function isInCheckout(path: string): boolean {
  const parts = path.split(sep);
  return parts.some((name, at) => {
    const host = name === worktreesName ? at + 1 : name === workItemsName ? at + 2 : null;
    const isHost = host !== null && isDomain((parts[host] ?? "").replace("=", ":"));
    return isHost && parts.length > at + 5;
  });
}
