import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  type AskGit,
  type CheckoutRequest,
  type CheckoutResult,
  formatPlain,
  formatRef,
  GitLost,
  type Message,
  type Ref,
  type Salvage,
  type Workspace,
} from "@loopwork/core/ports";
import { applyStep, isBehind, noteStanding } from "./apply.ts";
import { createAtMost } from "./concurrency-limit.ts";
import { usualBudget } from "./checkout-size-limit.ts";
import { WorkspaceError } from "./failure.ts";
import { copyPlain } from "./copy.ts";
import { createFixedWorkspace } from "./fixed-folder.ts";
import { createGit, type Git } from "./git.ts";
import { createFetches } from "./fetches.ts";
import { type Layout, layoutOf, type Place, placeOf, strategyAt } from "./layout.ts";
import { createLook, recordsOfCheckout } from "./look.ts";
import type { Making } from "./checkout-in-progress.ts";
import { lenderOf } from "./lender.ts";
import { borrowedBy } from "./borrowed-objects.ts";
import { observe } from "./observe.ts";
import { createOneAtATime } from "./one-at-a-time.ts";
import { createOwn } from "./own-repository.ts";
import type { Parts, WorkspaceOptions } from "./parts.ts";
import { planCheckout, type Plan, type Step } from "./plan.ts";
import { findBase } from "./refs.ts";
import { createRegistry, type Registered } from "./registry.ts";
import { keptDays, releaseCheckouts } from "./release.ts";
import { remoteOf } from "./remote.ts";
import { createWithRepository, lockedBy } from "./repository-lock.ts";
import { restoredNote, restoreFromBase } from "./restore.ts";
import { adoptRestored, readRestored } from "./restored-files.ts";
import { failed } from "./undo-failure.ts";
import { openRoot, refuseLinks } from "./root.ts";
import { freeFrom, type LockPlace, withoutStaleLocks } from "./stale-lock.ts";
import { readHead, recordsOf, refuseLinkedRecords } from "./records.ts";
import { forgetSaved } from "./salvage-record.ts";
import { undoCleanup } from "./undo-cleanup.ts";
import { detachedAt, recordOf } from "./worktree-record.ts";

/**
 * A checkout for each work item below one root, or the operator's one folder when there is no root.
 */
export function createWorkspace(options: WorkspaceOptions): Workspace & Salvage & AskGit {
  const wanted = options.root ?? "";
  if (wanted === "")
    return createFixedWorkspace({
      spawnWorkdir: options.spawnWorkdir,
      home: options.home,
      stateRoot: options.stateRoot,
      env: options.env,
      ...(options.runGit === undefined ? {} : { runGit: options.runGit }),
    });
  return createCheckouts(options, createGit(options.env, options.runGit));
}

/** The workspace over a given git: the hardened one, or in a test one that is not. */
export function createCheckouts(options: WorkspaceOptions, git: Git): Workspace & Salvage & AskGit {
  const wanted = options.root ?? "";
  const withRepository = createWithRepository(options.locks);
  const registry = createRegistry(options.stateRoot, (slug, work) =>
    withRepository({ host: "", owner: "checkouts of", repo: slug }, work),
  );
  const parts: Parts = {
    options,
    root: () => openRoot(wanted, options.home),
    git,
    own: createOwn(options.stateRoot),
    registry,
    withRepository,
    fetches: createFetches(),
    writing: createAtMost(availableParallelism()),
    clean: new Map(),
    measured: new Map(),
    now: options.now ?? Date.now,
  };
  const look = createLook(git, parts.own, async (workdir) =>
    recordsOfCheckout(workdir, await parts.root().catch(() => wanted), registry),
  );
  const oneAtATime = createOneAtATime();
  return {
    prepare: (request) =>
      oneAtATime(checkoutName(request), () => prepare(request, parts)).catch(failed),
    release: (workItem, why) => releaseCheckouts(workItem, why ?? "closed", parts),
    undoCleanup: (workItem) => undoCleanup(workItem, parts).catch(failed),
    forgetSaved: () => forgetSaved(options.stateRoot, options.salvageDays ?? keptDays, parts.now()),
    headOf: look.headOf,
    changesOf: look.changesOf,
    hasChosenLoop: look.hasChosenLoop,
    unpushedOf: look.unpushedOf,
    strategyAt,
    borrowedBy: async (workdir) => borrowedBy(await parts.root().catch(() => wanted), workdir),
    ask: look.ask,
    copyOf: (workdir, into, keep = null) => copyPlain(look, workdir, into, keep),
  };
}

/** Two lanes of one work item share its checkout; the second finds it whole. */
const checkoutName = ({ repository, workItem }: CheckoutRequest): string =>
  JSON.stringify([repository.host, repository.owner, repository.name, workItem]).toLowerCase();

/**
 * Facts first, one pure plan, then its steps: those on the shared clone under the repository's
 * lock, the files after it.
 */
async function prepare(request: CheckoutRequest, parts: Parts): Promise<CheckoutResult> {
  const askedAt = performance.now();
  const { host, folder } = request.repository;
  const place = placeOf({ ...request.repository, host: folder ?? host });
  const remote = remoteOf(
    request.repository.cloneUrl,
    host.toLowerCase(),
    parts.options.ownBase ?? null,
  );
  const root = await parts.root();
  const known = await parts.registry.of(request.workItem);
  const layout = layoutOf(
    root,
    place,
    request.workItem,
    standing(known, place)?.strategy ?? parts.options.strategy,
  );
  const notes: Message[] = [];
  const hardened: string[] = [];
  const locks: LockPlace = {
    ...layout,
    now: parts.now,
    note: (text) => parts.options.onNote?.(text),
  };
  const making: Making = {
    git: withoutStaleLocks(parts.git, locks),
    own: parts.own,
    layout,
    remote,
    request,
    notes,
    hardened,
    fetches: parts.fetches,
    askedAt,
    ids: new Map(),
    asked: { defaultBranch: null },
    clean: parts.clean,
    budget: parts.options.budget ?? usualBudget,
    measured: parts.measured,
    warm: null,
    lender: lenderOf(root, place, request.workItem, parts),
  };
  const withClone = <T>(work: () => Promise<T>): Promise<T> =>
    parts.withRepository(lockedBy(layout, place, request.workItem), work);
  const { later, made } = await withClone(async () => {
    await refuseLinks(root, layout.cloneSegments);
    await refuseLinks(root, layout.checkoutSegments);
    await refuseLinkedRecords(join(layout.clone, ".git"));
    const observed = await observe(
      layout,
      known.some(({ checkout }) => checkout === layout.checkout),
    );
    const steps = stepsOf(planCheckout(observed, layout.kind), layout, request.workItem);
    // A checkout that stands was begun by another request; what that said about its head still
    // holds.
    const stands = observed.checkout === "ready" || observed.checkout === "unwritten";
    const before = stands ? standing(known, place) : undefined;
    const restoreFrom = (before ?? request).restoreFrom ?? null;
    // On record before it stands, and again when the state root was lost: what is not on record is
    // never removed.
    if (before === undefined)
      await parts.registry.add(request.workItem, {
        root,
        ...place,
        cloneUrl: remote.url,
        checkout: layout.checkout,
        strategy: layout.kind,
        restoreFrom,
        defaultBranch: request.repository.defaultBranch,
      });
    for (const step of steps) if (!isLater(step)) await applyStep(step, making);
    const made: Making = { ...making, request: { ...request, restoreFrom } };
    if (stands) await noteEarlier(made, parts);
    // A warm start is a fast one: the shared clone follows when the worktree comes back.
    const behind =
      steps.includes("follow-default") && making.warm === null && (await isBehind(making));
    return {
      later: steps.filter(
        (step) => step === "write-files" || (step === "follow-default" && behind),
      ),
      made,
    };
  });
  // A session whose git was killed leaves a lock in its own checkout; nobody works there now.
  await freeFrom(join(await recordOf(layout), "index.lock"), locks);
  await together(
    later.map((step) =>
      step === "write-files"
        ? parts.writing(() => applyStep(step, made))
        : withClone(() => applyStep(step, made)),
    ),
  );
  const created = later.includes("write-files");
  if (made.request.restoreFrom != null)
    notes.push(...(await restored(made.request.restoreFrom.branch, made, created)));
  const head =
    (created ? await detachedAt(await recordOf(layout)) : null) ??
    (await readHead(await recordsOf(layout)))?.commit ??
    null;
  if (head === null)
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_GIT",
      `${layout.checkout} has no commit checked out.`,
      "Look at the folder by hand.",
    );
  if (created) for (const note of notes) parts.options.onNote?.(formatPlain(note));
  if (hardened.length > 0) parts.options.onHardened?.(layout.clone, hardened, request.workItem);
  return { kind: "ready", workdir: layout.checkout, created, head, notes };
}

/**
 * Work in a checkout that stands goes on without an answer of its remote. A git that was lost may
 * still run.
 */
async function noteEarlier(making: Making, { options }: Parts): Promise<void> {
  await noteStanding(making).catch((error: unknown) => {
    if (error instanceof GitLost) throw error;
    options.onNote?.(error instanceof Error ? error.message : String(error));
  });
}

/**
 * Files are written beside what happens to the shared clone: they are the cost, and another work
 * tree.
 */
const isLater = (step: Step): boolean => step === "write-files" || step === "follow-default";

/** Waits for all, also when one fails: nothing may go on behind a refusal. */
async function together(all: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(all))
    if (result.status === "rejected") throw result.reason;
}

/**
 * Before anybody works there; a checkout that was restored stays as it is. Returns what the session
 * is told.
 */
async function restored(
  branch: string | null,
  making: Making,
  created: boolean,
): Promise<readonly Message[]> {
  const { layout } = making;
  const { checkout } = layout;
  const noted = await readRestored(checkout);
  const before = noted ?? (created ? null : await adoptRestored(checkout, await recordOf(layout)));
  return [
    restoredNote(before ?? (await restoreFromBase(making, layout, await findBase(making, branch)))),
  ].filter((note) => note !== null);
}

/**
 * A checkout of the place that was made before: it stays what it is when the configuration names
 * another strategy since.
 */
function standing(
  known: readonly Registered[],
  { host, owner, repo }: Place,
): Registered | undefined {
  return known.find((each) => each.host === host && each.owner === owner && each.repo === repo);
}

function stepsOf(
  plan: Plan,
  layout: Layout,
  workItem: Ref,
): Extract<Plan, { kind: "steps" }>["steps"] {
  if (plan.kind === "steps") return plan.steps;
  if (plan.by === "dot-git")
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_REPLACED",
      `The .git of ${layout.checkout} isn't the one that loop wrote, so git isn't run there.`,
      `Run \`loop sessions cleanup ${formatRef(workItem)}\`: it saves the files and removes the checkout. The next start makes a new one.`,
    );
  const path = plan.by === "clone" ? layout.clone : layout.checkout;
  throw new WorkspaceError(
    "LOOP_E_WORKSPACE_OCCUPIED",
    `${path} holds something that is no checkout of ours.`,
    "Look what it is and move it away; nothing there is touched.",
  );
}
