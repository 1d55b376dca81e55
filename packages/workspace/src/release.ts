import { randomUUID } from "node:crypto";
import { readdir, rename, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Ref, ReleaseResult } from "@loopwork/core/ports";
import { ifAbsent } from "./if-absent.ts";
import { cleanConfig } from "./clean-config.ts";
import { complaintOf } from "./failure.ts";
import { keepHouse } from "./housekeeping.ts";
import {
  isInside,
  type Layout,
  layoutOf,
  placeOf,
  workItemsName,
  worktreesName,
} from "./layout.ts";
import { lenderOf } from "./lender.ts";
import { observe } from "./observe.ts";
import type { Registered } from "./registry.ts";
import { removeTree } from "./remove-tree.ts";
import { keepWarm } from "./pool.ts";
import { inFolder } from "./no-follow-folder.ts";
import { refuseLinkedRecords } from "./records.ts";
import { lockedBy } from "./repository-lock.ts";
import { forgetRestored } from "./restored-files.ts";
import { openRoot, refuseLinks } from "./root.ts";
import { salvage } from "./salvage.ts";
import { freeFrom, type LockPlace, withoutStaleLocks } from "./stale-lock.ts";
import { findRecord, forgetWorktree, recordOf } from "./worktree-record.ts";
import type { Parts } from "./parts.ts";

/**
 * Where checkouts go in one step before their files are removed, so that a name is free at once and
 * nothing is half there.
 */
const trash: readonly string[] = [worktreesName, ".trash"];

/** Days that saved work is kept where nobody says otherwise. */
export const keptDays = 14;

/**
 * Removes the checkouts that are on record for a work item, and nothing else. What would be lost is
 * saved first; what cannot be saved stays, and so does everything when the operator wants to keep
 * checkouts of closed items.
 */
export async function releaseCheckouts(
  workItem: Ref,
  why: "closed" | "cleaned-up",
  parts: Parts,
): Promise<ReleaseResult> {
  if (why === "closed" && parts.options.keepCheckoutOnClose) return { kind: "nothing" };
  const registered = await parts.registry.of(workItem);
  if (registered.length === 0) return { kind: "nothing" };
  const removed: string[] = [];
  const saved: string[] = [];
  for (const checkout of registered) {
    try {
      const folder = await releaseOne(workItem, checkout, parts);
      if (folder !== null) saved.push(folder);
      removed.push(checkout.checkout);
    } catch (error) {
      return { kind: "kept", why: `${checkout.checkout} was kept: ${complaintOf(error)}` };
    }
  }
  return { kind: "released", removed, salvage: saved.length === 0 ? null : saved.join(", ") };
}

/**
 * Returns the folder with what was saved; null when nothing was. Rejects, with the checkout still
 * in place, when it must stay.
 */
async function releaseOne(
  workItem: Ref,
  registered: Registered,
  parts: Parts,
): Promise<string | null> {
  const place = placeOf({ host: registered.host, owner: registered.owner, name: registered.repo });
  const root = await openRoot(registered.root, parts.options.home);
  const layout = layoutOf(root, place, workItem, registered.strategy);
  if (layout.checkout !== registered.checkout)
    throw new Error("its record does not fit where checkouts stand");
  const saved = await parts.withRepository(lockedBy(layout, place, workItem), async () => {
    await refuseLinks(root, layout.cloneSegments);
    await refuseLinks(root, layout.checkoutSegments);
    await refuseLinkedRecords(join(layout.clone, ".git"));
    const { clone, checkout } = await observe(layout);
    if (clone === "occupied" || checkout === "occupied")
      throw new Error("something stands there that is no checkout of ours");
    if (checkout === "absent") return null;
    const locks: LockPlace = {
      ...layout,
      now: parts.now,
      note: (text) => parts.options.onNote?.(text),
    };
    const git = withoutStaleLocks(parts.git, locks);
    if (checkout === "stale") {
      await forgetWorktree(layout);
      return null;
    }
    await refuseDependents(layout);
    const hardened = await cleanConfig(git, layout, registered.cloneUrl, parts.clean);
    if (hardened.length > 0) parts.options.onHardened?.(layout.clone, hardened, workItem);
    await freeFrom(join(await recordOf(layout), "index.lock"), locks);
    const kept = await salvage(git, {
      workItem,
      layout,
      registered,
      stateRoot: parts.options.stateRoot,
      stamp: parts.now(),
      days: parts.options.salvageDays ?? keptDays,
    });
    // Its large files may be pointers still.
    const pool = registered.restoreFrom === null ? (parts.options.pool ?? 0) : 0;
    if (!(await keepWarm({ git, own: parts.own }, layout, pool))) await throwAway(layout, root);
    if (layout.kind === "worktree") await keepHouse({ git, own: parts.own }, layout.clone);
    await forgetRestored(layout.checkout);
    return kept;
  });
  await parts.registry.remove(workItem, registered.checkout);
  if (layout.kind === "clone") {
    await removeEmptyFolders(layout.checkout, join(root, workItemsName));
    const lender = lenderOf(root, place, workItem, parts);
    await lender.alone(
      async () =>
        (await lender.isAbsent()) ||
        keepHouse({ git: lender.git, own: parts.own }, lender.layout.clone),
    );
  }
  await emptyTrash(root, parts);
  return saved;
}

/**
 * A clone of its own may have work trees elsewhere, which a session made: without it they are lost.
 */
async function refuseDependents(layout: Layout): Promise<void> {
  if (layout.kind !== "clone") return;
  const others = await readdir(join(layout.clone, ".git", "worktrees")).catch(ifAbsent([]));
  if (others.length > 0)
    throw new Error(`other work trees belong to it: ${others.slice(0, 5).join(", ")}`);
}

/**
 * The folders over a removed clone, up to the one of all work items, as far as nothing else is in
 * them.
 */
async function removeEmptyFolders(checkout: string, top: string): Promise<void> {
  for (
    let folder = dirname(checkout);
    isInside(top, folder) && folder !== top;
    folder = dirname(folder)
  ) {
    if (
      !(await rmdir(folder).then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}

/** Removes what was put there now, and what an earlier life of ours was killed over. */
async function emptyTrash(root: string, parts: Parts): Promise<void> {
  const note =
    (path: string) =>
    (error: unknown): void =>
      parts.options.onNote?.(`${path} could not be removed: ${complaintOf(error)}`);
  const shown = join(root, ...trash);
  await inFolder(root, trash, async (folder) => {
    for (const name of await readdir(folder)) {
      await removeTree(join(folder, name)).catch(note(join(shown, name)));
    }
  }).catch(note(shown));
}

/**
 * Takes a checkout away in one step and lets the shared clone forget it; its branches stay there.
 */
async function throwAway(layout: Layout, root: string): Promise<void> {
  const record = await findRecord(layout);
  const put = (folder: string): Promise<void> =>
    rename(layout.checkout, join(folder, randomUUID()));
  await inFolder(root, trash, put, { make: 0o700 });
  await forgetWorktree(layout, record);
}

/**
 * Removes a checkout that is not worth saving, because what is in it was only just written from
 * what is saved.
 */
export async function discard(layout: Layout, root: string, parts: Parts): Promise<void> {
  if ((await observe(layout)).checkout === "stale") await forgetWorktree(layout);
  else await throwAway(layout, root).catch(() => undefined);
  if (layout.kind === "clone") await removeEmptyFolders(layout.checkout, join(root, workItemsName));
  await emptyTrash(root, parts);
}
