import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Ref, UndoResult } from "@loopwork/core/ports";
import { applyStep } from "./apply.ts";
import { usualBudget } from "./checkout-size-limit.ts";
import { changeHead } from "./change-refs.ts";
import { WorkspaceError } from "./failure.ts";
import { movePacks } from "./fetch.ts";
import type { Git } from "./git.ts";
import { type Layout, layoutOf, placeOf } from "./layout.ts";
import { lenderOf } from "./lender.ts";
import type { Making } from "./checkout-in-progress.ts";
import { observe, unwrittenMark } from "./observe.ts";
import type { Parts } from "./parts.ts";
import { planCheckout, type Step } from "./plan.ts";
import { putFile } from "./put-file.ts";
import { discard } from "./release.ts";
import { recordedRemote } from "./remote.ts";
import { lockedBy } from "./repository-lock.ts";
import { allowOwnConfig } from "./restore.ts";
import { forgetRestored } from "./restored-files.ts";
import { readRefs, refuseLinkedRecords } from "./records.ts";
import { openRoot, refuseLinks } from "./root.ts";
import { type Saved, waitingFor, writeSaved } from "./salvage-record.ts";
import { withoutStaleLocks } from "./stale-lock.ts";
import { bringBack } from "./undo.ts";
import { makeWorktree, noteFolder, recordOf } from "./worktree-record.ts";

/**
 * Brings back what the last release of a work item saved, byte for byte. What was saved stays where
 * it is until it is too old. Rejects, with nothing changed, where a checkout stands already or the
 * work cannot be brought back whole.
 */
export async function undoCleanup(workItem: Ref, parts: Parts): Promise<UndoResult> {
  const waiting = await waitingFor(parts.options.stateRoot, workItem);
  if (waiting.length === 0) return { kind: "nothing" };
  const checkouts: string[] = [];
  const notes: string[] = [];
  for (const saved of waiting) {
    notes.push(...(await undoOne(workItem, saved, parts)));
    checkouts.push(saved.registered.checkout);
  }
  return { kind: "restored", checkouts, notes };
}

async function undoOne(workItem: Ref, saved: Saved, parts: Parts): Promise<readonly string[]> {
  const { registered } = saved;
  const place = placeOf({ host: registered.host, owner: registered.owner, name: registered.repo });
  const root = await openRoot(registered.root, parts.options.home);
  const layout = layoutOf(root, place, workItem, registered.strategy);
  if (layout.checkout !== registered.checkout)
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_UNDO",
      `${saved.folder} names another place than where checkouts of this work item stand.`,
      "Look at its salvage.json by hand.",
    );
  const git = withoutStaleLocks(parts.git, {
    ...layout,
    now: parts.now,
    note: (text) => parts.options.onNote?.(text),
  });
  const notes = await parts.withRepository(lockedBy(layout, place, workItem), async () => {
    await refuseLinks(root, layout.cloneSegments);
    await refuseLinks(root, layout.checkoutSegments);
    await refuseLinkedRecords(join(layout.clone, ".git"));
    await clearPlace(layout, root, parts);
    await parts.registry.add(workItem, registered);
    try {
      await makeAgain(git, root, layout, saved, workItem, parts);
      return await bringBack({ git, own: parts.own }, layout, saved, parts.options.stateRoot);
    } catch (error) {
      await discard(layout, root, parts);
      await parts.registry.remove(workItem, registered.checkout);
      throw error;
    }
  });
  await rm(join(await recordOf(layout), unwrittenMark), { force: true });
  await writeSaved(saved.folder, { ...saved, restoredAt: parts.now() });
  return notes;
}

/** What an interrupted try left goes; a checkout that stands does not: it may hold newer work. */
async function clearPlace(layout: Layout, root: string, parts: Parts): Promise<void> {
  const { checkout } = await observe(layout);
  if (checkout === "ready" || checkout === "replaced" || checkout === "occupied")
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_OCCUPIED",
      `A checkout stands in ${layout.checkout} already.`,
      "Let `loop sessions cleanup` take it away first: what is in it is saved as well.",
    );
  if (checkout !== "absent") await discard(layout, root, parts);
}

/**
 * The clone as for any checkout, then the saved commits, then a work tree at the saved head, marked
 * as not yet written.
 */
async function makeAgain(
  git: Git,
  root: string,
  layout: Layout,
  saved: Saved,
  workItem: Ref,
  parts: Parts,
): Promise<void> {
  await forgetRestored(layout.checkout);
  const { cloneUrl, owner, repo, host, restoreFrom, defaultBranch } = saved.registered;
  const request = {
    workItem,
    repository: { host, owner, name: repo, cloneUrl, defaultBranch },
    headBranch: null,
  };
  const making: Making = {
    git,
    own: parts.own,
    layout,
    remote: recordedRemote(cloneUrl, parts.options.ownBase ?? null),
    request,
    notes: [],
    hardened: [],
    fetches: parts.fetches,
    askedAt: performance.now(),
    ids: new Map(),
    asked: { defaultBranch: null },
    clean: parts.clean,
    budget: usualBudget,
    measured: parts.measured,
    warm: null,
    lender: lenderOf(root, placeOf({ host, owner, name: repo }), workItem, parts),
  };
  const plan = planCheckout({ ...(await observe(layout)), checkout: "absent" }, layout.kind);
  if (plan.kind === "blocked")
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_OCCUPIED",
      `${layout.clone} holds something that is no clone of ours.`,
      "Look what it is and move it away; nothing there is touched.",
    );
  const steps: readonly Step[] = plan.steps.filter(
    (step) => step !== "register" && step !== "write-files",
  );
  // Where the shared clone stands, everything that a bundle builds on is in it: the work comes back
  // without the network.
  const standing = layout.kind === "worktree" && !steps.includes("make-clone");
  for (const step of steps) if (!standing || step === "clean-config") await applyStep(step, making);
  if (making.hardened.length > 0)
    parts.options.onHardened?.(layout.clone, making.hardened, workItem);
  const common = join(layout.clone, ".git");
  // What the bundle builds on has to be reachable there.
  const refs = await readRefs(common, ["refs/remotes/origin/", "refs/heads/"]);
  await parts.own({ common, workTree: null, purpose: "no-files", refs }, async (where) => {
    await git.run(where, ["bundle", "unbundle", join(saved.folder, "work.bundle")], {
      minutes: 20,
    });
    await movePacks(where.repository.gitDir, layout.clone);
  });
  if (restoreFrom !== null || saved.restoredFrom !== null) await allowOwnConfig(git, layout);
  if (layout.kind === "clone") await changeHead(layout.clone, saved.head);
  else await makeWorktree(layout, saved.head);
  const record = await recordOf(layout);
  await putFile(join(record, unwrittenMark), "");
  await noteFolder(layout, record);
}
