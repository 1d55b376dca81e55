import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Ref } from "@loopwork/core";
import type { ReleaseResult } from "@loopwork/core/ports";
import { cleanConfig } from "./clean-config.ts";
import { complaintOf } from "./failure.ts";
import { type Layout, layoutOf, placeOf } from "./layout.ts";
import { observe } from "./observe.ts";
import type { Registered } from "./registry.ts";
import { removeTree } from "./remove-tree.ts";
import { openRoot, refuseLinks } from "./root.ts";
import { salvage } from "./salvage.ts";
import { freeFrom, type LockPlace, withoutStaleLocks } from "./stale-lock.ts";
import { forgetWorktree, recordOf } from "./worktree-record.ts";
import type { Parts } from "./parts.ts";

/** Where checkouts go in one step before their files are removed, so that a name is free at once and nothing is half there. */
const trashName = ".trash";

/**
 * Removes the checkouts that are on record for a work item, and nothing else (W12). What would be lost is saved first;
 * what cannot be saved stays, and so does everything when the operator wants to keep checkouts of closed items.
 */
export async function releaseCheckouts(workItem: Ref, why: "closed" | "cleaned-up", parts: Parts): Promise<ReleaseResult> {
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

/** Returns the folder with what was saved; null when nothing was. Rejects, with the checkout still in place, when it must stay. */
async function releaseOne(workItem: Ref, registered: Registered, parts: Parts): Promise<string | null> {
  const place = placeOf({ host: registered.host, owner: registered.owner, name: registered.repo });
  const root = await openRoot(registered.root, parts.options.home);
  const layout = layoutOf(root, place, workItem);
  if (layout.checkout !== registered.checkout) throw new Error("its record does not fit where checkouts stand");
  const saved = await parts.withRepository(place, async () => {
    await refuseLinks(root, layout.cloneSegments);
    await refuseLinks(root, layout.checkoutSegments);
    const { clone, checkout } = await observe(layout);
    if (clone === "occupied" || checkout === "occupied") throw new Error("something stands there that is no checkout of ours");
    if (checkout === "absent") return null;
    const locks: LockPlace = { ...layout, now: parts.now, note: (text) => parts.options.onNote?.(text) };
    const git = withoutStaleLocks(parts.git, locks);
    if (checkout === "stale") return forgotten(layout, null);
    await cleanConfig(git, layout.clone, registered.cloneUrl);
    await freeFrom(join(await recordOf(layout), "index.lock"), locks);
    const kept = await salvage(git, { workItem, layout, stateRoot: parts.options.stateRoot, stamp: parts.now() });
    const folder = join(root, ".worktrees", trashName, randomUUID());
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    await rename(layout.checkout, folder);
    return forgotten(layout, kept);
  });
  await parts.registry.remove(workItem, registered.checkout);
  await emptyTrash(join(root, ".worktrees", trashName), parts);
  return saved;
}

/** Removes what was put there now, and what an earlier life of ours was killed over. */
async function emptyTrash(folder: string, parts: Parts): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    await removeTree(join(folder, name)).catch((error: unknown) => parts.options.onNote?.(`${join(folder, name)} could not be removed: ${complaintOf(error)}`));
  }
}

/** Lets the shared clone forget the worktree; its branches stay there. */
async function forgotten(layout: Layout, saved: string | null): Promise<string | null> {
  await forgetWorktree(layout);
  return saved;
}
