import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { AskGit, CheckoutResult, RunGit, Salvage, Workspace } from "@loopwork/core/ports";
import { copyPlain } from "./copy.ts";
import { WorkspaceError } from "./failure.ts";
import { createGit, type GitEnvironment } from "./git.ts";
import { createLook, recordsAround } from "./look.ts";
import { createOwn } from "./own-repository.ts";
import { readHead } from "./records.ts";
import { failed } from "./undo-failure.ts";

/** Every session works in one folder of the operator's own. */
export type FixedOptions = {
  readonly spawnWorkdir: string;
  readonly home: string;
  /** For the repositories that git is run in; a temporary folder unless said otherwise. */ readonly stateRoot?: string;
  readonly env: GitEnvironment;
  /** As of `WorkspaceOptions`. */ readonly runGit?: RunGit;
};

/**
 * Refuses a folder that is no git work tree, or whose work tree is the home folder. Removes
 * nothing, ever.
 */
export function createFixedWorkspace(options: FixedOptions): Workspace & Salvage & AskGit {
  const look = createLook(
    createGit(options.env, options.runGit),
    createOwn(options.stateRoot ?? null),
    recordsAround,
  );
  return {
    prepare: () => prepareFixed(options).catch(failed),
    release: () => Promise.resolve({ kind: "nothing" }),
    undoCleanup: () => Promise.resolve({ kind: "nothing" }),
    forgetSaved: () => Promise.resolve([]),
    headOf: look.headOf,
    changesOf: look.changesOf,
    hasChosenLoop: look.hasChosenLoop,
    unpushedOf: look.unpushedOf,
    strategyAt: () => null,
    borrowedBy: () => Promise.resolve([]),
    ask: look.ask,
    copyOf: (workdir, into, keep = null) => copyPlain(look, workdir, into, keep),
  };
}

/** Why no session can work in the folder, and what to do; null where they can. Changes nothing. */
export async function refusalOfWorkdir(options: FixedOptions): Promise<WorkspaceError | null> {
  try {
    await prepareFixed(options);
    return null;
  } catch (error) {
    if (error instanceof WorkspaceError) return error;
    throw error;
  }
}

async function prepareFixed({ spawnWorkdir, home }: FixedOptions): Promise<CheckoutResult> {
  const workdir = resolve(spawnWorkdir);
  const records = await recordsAround(workdir);
  if (records === null) throw refused(workdir, "it is not inside a git work tree");
  if (home !== "" && records.workTree === (await realpath(home).catch(() => resolve(home))))
    throw refused(workdir, "its work tree is the home folder");
  const head = (await readHead(records))?.commit ?? null;
  if (head === null) throw refused(workdir, "it has no commit yet");
  return { kind: "ready", workdir, created: false, head, notes: [] };
}

function refused(workdir: string, why: string): WorkspaceError {
  return new WorkspaceError(
    "LOOP_E_WORKSPACE_WORKDIR",
    `Sessions cannot work in ${workdir}: ${why}.`,
    "Set routing.workspace.root, so that each work item gets a checkout of its own, or point routing.spawnWorkdir at a git work tree.",
  );
}
