import { join } from "node:path";
import {
  type AskGit as AskingGit,
  foldName,
  LoopError,
  type Workspace,
} from "@loopwork/core/ports";
import { covers, footprint, manifestPath } from "@loopwork/core/config";
import type { Consolidation, FileEdit, Places } from "@loopwork/learnings";
import { readManifestFile } from "../manifest/manifest-file.ts";
import { addFile, emptyManifest, parseManifest } from "../manifest/manifest-text.ts";
import { repositoryAround } from "../manifest/repository-around.ts";
import { sha256 } from "@loopwork/runtime/sha256";

/** Name of the lock that whoever consolidates a repository's learnings holds. */
export function learningsLock(repository: string): string {
  return `learnings-${digestOf(foldName(repository))}`;
}

/** Where what belongs to a repository stands in the state root. */
export function placesOf(
  stateRoot: string,
  repository: string,
  isChosen: Places["isChosen"],
): Places & Readonly<Record<"refused" | "carried" | "due" | "begun", string>> {
  const state = learningsFolderOf(stateRoot, repository);
  return {
    ids: join(state, "last-id"),
    queue: join(state, "pending"),
    refused: join(state, "refused"),
    journal: join(state, "journal"),
    carried: join(state, "carried"),
    due: join(state, "due"),
    begun: join(state, "due-begun"),
    isChosen,
  };
}

export function pendingIn(root: string): string {
  return join(root, ".loop", "learnings-pending");
}

/** Files of learnings are listed in the manifest with the same change that makes them. */
export function withManifest(
  root: string,
  consolidation: Consolidation,
  version: string,
): Consolidation {
  if (consolidation.edits.length === 0) return consolidation;
  const before = readManifestFile(root);
  const text = before ?? emptyManifest(version);
  const parsed = parseManifest(text);
  if (!parsed.ok)
    throw new LoopError(
      "LOOP_E_MANIFEST",
      `${manifestPath} cannot be used: ${parsed.problems.join("; ")}`,
      "mend it by hand; git knows how it was before; nothing was written",
    );
  const lacking = footprint.filter(
    ({ path, role }) => role.startsWith("learnings") && !covers(parsed.manifest, path),
  );
  const after = lacking.reduce(
    (listed, { path, role, owner }) => addFile(listed, { path, role, owner }),
    text,
  );
  return after === before
    ? consolidation
    : { ...consolidation, edits: [...consolidation.edits, { path: manifestPath, before, after }] };
}

/**
 * Names of repositories differ in case alone on no host; what is no plain name in them is told
 * apart by a digest.
 */
function learningsFolderOf(stateRoot: string, repository: string): string {
  const name = foldName(repository);
  return join(
    stateRoot,
    "learnings",
    `${name.replaceAll(/[^a-z0-9]/gu, "-").slice(-60)}-${digestOf(name).slice(0, 10)}`,
  );
}

/**
 * Files that came with a branch were written by whoever wrote the branch; they are no candidates of
 * ours. Throws where git does not tell which those are, so that none is taken for one of ours; a
 * folder that is no work tree has no branch.
 */
export async function trackedIn(root: string, ask: AskGit): Promise<ReadonlySet<string>> {
  if (repositoryAround(root) === null) return new Set();
  const listed = await ask(root, ["ls-files", "-z", "--", ".loop/learnings-pending"]);
  if (listed === undefined)
    throw new LoopError(
      "LOOP_E_LEARNINGS_FILE",
      "git does not tell which files of .loop/learnings-pending came with the branch",
      "run `git ls-files` there and mend what it says; nothing was taken in",
    );
  return new Set(listed.split("\0").map((path) => path.slice(path.lastIndexOf("/") + 1)));
}

/**
 * What git prints about a folder, and whether its repository has chosen loop; undefined where it
 * does not tell.
 */
export type LookAtRepository = AskingGit & Pick<Workspace, "hasChosenLoop">;
export type AskGit = AskingGit["ask"];

/**
 * Git in this process, in a repository of ours: nothing of the folder's own decides what it runs.
 * `env` is its environment (`gitEnvironmentOf`).
 */
export function lookAtRepository(
  stateRoot: string,
  env: () => Readonly<Record<string, string>>,
): LookAtRepository {
  const open = async (directory: string): Promise<LookAtRepository> =>
    (await import("@loopwork/workspace")).createFixedWorkspace({
      spawnWorkdir: directory,
      home: "",
      stateRoot,
      env,
    });
  return {
    ask: async (directory, args) => (await open(directory)).ask(directory, args),
    hasChosenLoop: async (directory) => (await open(directory)).hasChosenLoop(directory),
  };
}

/**
 * Which of some files are not committed as they were written. The commit's own bytes are compared,
 * so that no filter of the repository runs (ADR 0017).
 */
export async function uncommittedIn(
  root: string,
  written: readonly FileEdit[],
  ask: AskGit,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, after } of written)
    if (((await ask(root, ["cat-file", "blob", `HEAD:${path}`])) ?? null) !== after)
      found.push(path);
  return found;
}

export function digestOf(text: string): string {
  return sha256(text).slice(0, 32);
}
