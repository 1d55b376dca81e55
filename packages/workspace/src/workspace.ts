import { join } from "node:path";
import type { CheckoutRequest, CheckoutResult, Workspace } from "@loopwork/core/ports";
import { applyStep, type Making } from "./apply.ts";
import { WorkspaceError } from "./failure.ts";
import { createFixedWorkspace, headOf } from "./fixed.ts";
import { createGit } from "./git.ts";
import { isInside, layoutOf, placeOf } from "./layout.ts";
import { observe } from "./observe.ts";
import { createOneAtATime } from "./one-at-a-time.ts";
import type { Parts, WorkspaceOptions } from "./parts.ts";
import { planCheckout, type Plan } from "./plan.ts";
import { createRegistry } from "./registry.ts";
import { releaseCheckouts } from "./release.ts";
import { remoteOf } from "./remote.ts";
import { createWithRepository } from "./repository-lock.ts";
import { failed } from "./result.ts";
import { openRoot, refuseLinks } from "./root.ts";
import { freeFrom, type LockPlace, withoutStaleLocks } from "./stale-lock.ts";
import { recordOf } from "./worktree-record.ts";

/** A checkout for each work item below one root (service.md 3.4), or the operator's one folder when there is no root. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const env = options.env ?? process.env;
  const wanted = options.root ?? "";
  if (wanted === "") return createFixedWorkspace({ spawnWorkdir: options.spawnWorkdir, home: options.home, env });
  const git = createGit(env);
  const parts: Parts = { options, root: () => openRoot(wanted, options.home), git, registry: createRegistry(options.stateRoot), withRepository: createWithRepository(options.locks), now: options.now ?? Date.now };
  const oneAtATime = createOneAtATime();
  return {
    prepare: (request) => oneAtATime(checkoutName(request), () => prepare(request, parts)).catch(failed),
    release: (workItem, why) => releaseCheckouts(workItem, why ?? "closed", parts),
    headOf: async (workdir) => headOf(git, workdir, isInside(await parts.root().catch(() => wanted), workdir)),
  };
}

/** Two lanes of one work item share its checkout; the second finds it whole. */
const checkoutName = ({ repository, workItem }: CheckoutRequest): string => JSON.stringify([repository.host, repository.owner, repository.name, workItem]).toLowerCase();

/** Facts first, one pure plan, then its steps: those on the shared clone under the repository's lock, the files after it. */
async function prepare(request: CheckoutRequest, parts: Parts): Promise<CheckoutResult> {
  if (parts.options.strategy !== "worktree") throw new WorkspaceError("LOOP_E_WORKSPACE_STRATEGY", "Full clones per work item are not built yet.", "Set routing.workspace.strategy to worktree.");
  const place = placeOf(request.repository);
  const remote = remoteOf(request.repository.cloneUrl, place.host, parts.options.ownBase ?? null);
  const root = await parts.root();
  const layout = layoutOf(root, place, request.workItem);
  const notes: string[] = [];
  const locks: LockPlace = { ...layout, now: parts.now, note: (text) => notes.push(text) };
  const making: Making = { git: withoutStaleLocks(parts.git, locks), layout, remote, request, notes };
  const created = await parts.withRepository(place, async () => {
    await refuseLinks(root, layout.cloneSegments);
    await refuseLinks(root, layout.checkoutSegments);
    const plan = planCheckout(await observe(layout));
    const steps = stepsOf(plan, making);
    // On record before it stands, and again when the state root was lost: what is not on record is never removed.
    const known = await parts.registry.of(request.workItem);
    if (!known.some((each) => each.checkout === layout.checkout)) await parts.registry.add(request.workItem, { root, ...place, cloneUrl: remote.url, checkout: layout.checkout });
    for (const step of steps) if (step !== "write-files") await applyStep(step, making);
    return steps.includes("write-files");
  });
  // A session whose git was killed leaves a lock in its own checkout; nobody works there now.
  await freeFrom(join(await recordOf(layout), "index.lock"), locks);
  if (created) await applyStep("write-files", making);
  const head = await headOf(parts.git, layout.checkout, true);
  if (head === null) throw new WorkspaceError("LOOP_E_WORKSPACE_GIT", `${layout.checkout} has no commit checked out.`, "Look at the folder by hand.");
  for (const note of notes) parts.options.onNote?.(note);
  return { kind: "ready", workdir: layout.checkout, created, head, notes };
}

function stepsOf(plan: Plan, { layout }: Making): Extract<Plan, { kind: "steps" }>["steps"] {
  if (plan.kind === "steps") return plan.steps;
  const path = plan.by === "clone" ? layout.clone : layout.checkout;
  throw new WorkspaceError("LOOP_E_WORKSPACE_OCCUPIED", `${path} holds something that is no checkout of ours.`, "Look what it is and move it away; nothing there is touched.");
}
