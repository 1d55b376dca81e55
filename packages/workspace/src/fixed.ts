import { lstat, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { type CheckoutResult, hasChosenLoop, type RunGit, type Salvage, type Workspace } from "@loopwork/core/ports";
import { copyPlain } from "./copy.ts";
import { WorkspaceError } from "./failure.ts";
import { createGit, type Git, type GitEnvironment } from "./git.ts";
import { fromList } from "./lists.ts";
import { failed } from "./result.ts";

/** Every session works in one folder of the operator's own (service.md 2.1, `routing.workspace.root` empty). */
export type FixedOptions = { readonly spawnWorkdir: string; readonly home: string; readonly env: GitEnvironment; /** As of `WorkspaceOptions`. */ readonly runGit?: RunGit };

/** Refuses a folder that is no git work tree, or whose work tree is the home folder (decisions.md 2). Removes nothing, ever. */
export function createFixedWorkspace(options: FixedOptions): Workspace & Salvage {
  const git = createGit(options.env, options.runGit);
  return {
    prepare: () => prepareFixed(git, options).catch(failed),
    release: () => Promise.resolve({ kind: "nothing" }),
    undoCleanup: () => Promise.resolve({ kind: "nothing" }),
    forgetSaved: () => Promise.resolve([]),
    headOf: (workdir) => headOf(git, workdir),
    changesOf: (workdir) => changesOf(git, workdir),
    hasChosenLoop: (workdir) => choseLoop(git, workdir),
    unpushedOf: (workdir) => unpushedOf(git, workdir),
    copyOf: (workdir, into, keep = null) => copyPlain(git, workdir, into, keep),
  };
}

/** Why no session can work in the folder, and what to do; null where they can. Changes nothing. */
export async function refusalOfWorkdir(options: FixedOptions): Promise<WorkspaceError | null> {
  try {
    await prepareFixed(createGit(options.env, options.runGit), options);
    return null;
  } catch (error) {
    if (error instanceof WorkspaceError) return error;
    throw error;
  }
}

async function prepareFixed(git: Git, { spawnWorkdir, home }: FixedOptions): Promise<CheckoutResult> {
  const workdir = resolve(spawnWorkdir);
  const top = await topOf(git, workdir);
  if (top === null) throw refused(workdir, "it is not inside a git work tree");
  if (home !== "" && top === (await realpath(home).catch(() => resolve(home)))) throw refused(workdir, "its work tree is the home folder");
  const head = await headOf(git, workdir);
  if (head === null) throw refused(workdir, "it has no commit yet");
  return { kind: "ready", workdir, created: false, head, notes: [] };
}

/**
 * Commit that is checked out at a directory; null when it is in no work tree or has no commit. With `exactly` the work
 * tree must begin there: a checkout of ours that lost its `.git` is not the repository that its root may lie in.
 */
export async function headOf(git: Git, workdir: string, exactly = false): Promise<string | null> {
  if (!(await isFolder(workdir))) return null;
  const found = await git.run(workdir, ["rev-parse", "--show-toplevel", "HEAD^{commit}"]).catch(() => "");
  const [top, head] = found.trimEnd().split("\n");
  return top === undefined || head === undefined || (exactly && top !== workdir) ? null : head;
}

/** What is not committed at a directory, as the port says. */
export async function changesOf(git: Git, workdir: string): Promise<readonly string[]> {
  if (!(await isFolder(workdir))) return [];
  const found = await git.run(workdir, ["--no-optional-locks", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"]).catch(() => "");
  return fromList(found);
}

/** Whether the repository of a directory has chosen loop, as the port says. */
export async function choseLoop(git: Git, workdir: string): Promise<boolean> {
  return (await isFolder(workdir)) && hasChosenLoop((args) => git.run(workdir, args, { answers: [1] }).catch(() => null));
}

/** Commits at a directory that no remote is known to have, as the port says. */
export async function unpushedOf(git: Git, workdir: string): Promise<readonly string[] | null> {
  if (!(await isFolder(workdir))) return null;
  const found = await git.run(workdir, ["rev-list", `--max-count=${mostUnpushed}`, "HEAD", "--not", "--remotes", "--glob=refs/loop/pull/*", "--"]).catch(() => null);
  return found === null ? null : found.split("\n").filter((line) => line !== "");
}

/** A repository without a remote has pushed nothing, and may have a long history. */
const mostUnpushed = 1_000;

async function topOf(git: Git, workdir: string): Promise<string | null> {
  if (!(await isFolder(workdir))) return null;
  const found = await git.run(workdir, ["rev-parse", "--show-toplevel"]).catch(() => "");
  return found.trim() === "" ? null : found.trim();
}

const isFolder = (path: string): Promise<boolean> => lstat(path).then((stat) => stat.isDirectory() || stat.isSymbolicLink(), () => false);

function refused(workdir: string, why: string): WorkspaceError {
  return new WorkspaceError("LOOP_E_WORKSPACE_WORKDIR", `Sessions cannot work in ${workdir}: ${why}.`, "Set routing.workspace.root, so that each work item gets a checkout of its own, or point routing.spawnWorkdir at a git work tree.");
}
