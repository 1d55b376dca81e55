import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import type { Learning } from "@loopwork/core/learnings";
import { covers, footprint, manifestPath } from "@loopwork/core/manifest";
import type { Lock } from "@loopwork/core/ports";
import { addCandidate, type Ask, bringBack, carryOut, collect, type Consolidation, finishInterrupted, type Places, planConsolidation, readBook, readNotes, readQueue, refuseGuest, trimQueue, trimRefused, undoFiles } from "@loopwork/learnings";
import { remoteOf } from "../init/checkout.ts";
import { addFile, emptyManifest, parseManifest } from "../manifest/manifest-text.ts";
import { repositoryAround } from "../manifest/repository-around.ts";
import { isFile } from "../manifest/repository-files.ts";
import type { BroughtUpToDate, Redact, TeamLearnings } from "../runtime/parts.ts";
import type { RepositoryLearnings } from "./ports.ts";

/** Learnings of the repository that a folder lies in: its files, its checkout's queue, and the queue that outlives the checkout. */
export function openLearnings(cwd: string, stateRoot: string, version: string, locks: () => Promise<Lock>): RepositoryLearnings {
  const root = topOf(cwd);
  const remote = remoteOf(root);
  const repository = remote === null ? root : `${remote.host}/${remote.repository}`;
  const places = { ...placesOf(stateRoot, repository), carried: null };
  const { queue } = places;
  const inCheckout = pendingIn(root);
  const alone = async <T>(run: () => Promise<T>): Promise<T> => {
    const lock = await (await locks()).acquire(learningsLock(repository));
    if (lock === null) throw new LoopError("LOOP_E_LEARNINGS_BUSY", `the learnings of ${repository} are being consolidated by another process`, "run it again in a moment; nothing was changed");
    try {
      return await run();
    } finally {
      await lock.release();
    }
  };
  const gather = async (): Promise<void> => {
    const tracked = trackedIn(root);
    await collect(inCheckout, queue, { tracked, vouch: (candidate) => candidate, refused: null });
  };
  return {
    root,
    async capture(candidate) {
      await refuseGuest(root);
      return addCandidate(inCheckout, candidate);
    },
    async pending() {
      // Looks alone, also for an agent inside of its turn: who moves candidates out of a checkout vouches for them.
      const [kept, here] = await Promise.all([readQueue(queue), readQueue(inCheckout)]);
      return { candidates: [...kept.candidates, ...here.candidates], refused: [...kept.refused, ...here.refused] };
    },
    plan: (now, ask) => alone(async () => {
      await finishInterrupted(root, places);
      await gather();
      return withManifest(root, await planConsolidation(root, places, now, ask), version);
    }),
    apply: (consolidation) => alone(() => carryOut(root, places, consolidation)),
    undo: () => alone(() => undoFiles(root, places)),
    injection: () => readNotes(root),
    async all() {
      return (await readBook(root)).book.learnings;
    },
  };
}

/** What was learned about the repository that a checkout is of, without secrets (P17); null where no checkout is there any more. */
export async function learningsIn(workdir: string, redact: Redact): Promise<readonly Learning[] | null> {
  if (!existsSync(workdir)) return null;
  return (await readBook(workdir)).book.learnings.map((learning) => ({ ...learning, text: redact(learning.text), keys: learning.keys.map(redact) }));
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** Learnings of every repository, as the service's turns and sessions need them. `version` of loop goes into a manifest that is begun. */
export function createTeamLearnings(stateRoot: string, version: string, locks: Lock, warn: (text: string) => void): TeamLearnings {
  const bounded = async (repository: string): Promise<void> => {
    const { queue, refused } = placesOf(stateRoot, repository);
    const [dropped, forgotten] = [await trimQueue(queue), await trimRefused(refused)];
    if (dropped.length + forgotten.length > 0) warn(`the queue of learnings of ${repository} was full: dropped ${[...dropped, ...forgotten].slice(0, 20).join(", ")}${dropped.length + forgotten.length > 20 ? ` and ${dropped.length + forgotten.length - 20} more` : ""}`);
  };
  return {
    async keep(repository, candidate) {
      await addCandidate(placesOf(stateRoot, repository).queue, candidate);
      await bounded(repository);
    },
    async collect(repository, workdir, vouch) {
      const { queue, refused } = placesOf(stateRoot, repository);
      await collect(pendingIn(workdir), queue, { tracked: trackedIn(workdir), vouch: (candidate, text) => vouch(candidate, `found-${digestOf(text)}`), refused });
      await bounded(repository);
    },
    ask: (repository) => askForConsolidation(stateRoot, repository),
    async bringUpToDate(repository, workdir, now, ask) {
      const { due, ...places } = placesOf(stateRoot, repository);
      const lock = existsSync(due) ? await locks.acquire(learningsLock(repository)) : null;
      if (lock === null) return null;
      try {
        const done = await consolidated(workdir, places, now, ask, version);
        await rm(due, { force: true });
        return done;
      } finally {
        await lock.release();
      }
    },
  };
}

/** Asks that what was learned in a repository be consolidated when its next conversation begins. */
export async function askForConsolidation(stateRoot: string, repository: string): Promise<void> {
  const { due } = placesOf(stateRoot, repository);
  await mkdir(dirname(due), { recursive: true });
  await writeFile(due, "");
}

async function consolidated(workdir: string, places: Places & { readonly carried: string }, now: number, ask: Ask | null, version: string): Promise<BroughtUpToDate> {
  const finished = await finishInterrupted(workdir, places);
  const damaged = await bringBack(places.carried, places.queue, (await readBook(workdir)).book);
  const consolidation = withManifest(workdir, await planConsolidation(workdir, places, now, ask), version);
  await carryOut(workdir, places, consolidation);
  return { files: [...new Set([...finished, ...consolidation.edits.map(({ path }) => path)])], plan: consolidation.plan, damaged };
}

/** Name of the lock that whoever consolidates a repository's learnings holds. */
export function learningsLock(repository: string): string {
  return `learnings-${digestOf(repository.toLowerCase())}`;
}

/** Where what belongs to a repository stands in the state root. */
function placesOf(stateRoot: string, repository: string): Places & Readonly<Record<"refused" | "carried" | "due", string>> {
  const state = learningsFolderOf(stateRoot, repository);
  return { ids: join(state, "last-id"), queue: join(state, "pending"), refused: join(state, "refused"), journal: join(state, "journal"), carried: join(state, "carried"), due: join(state, "due") };
}

function pendingIn(root: string): string {
  return join(root, ".loop", "learnings-pending");
}

/** Files of learnings are listed in the manifest with the same change that makes them (service.md 1.3). */
function withManifest(root: string, consolidation: Consolidation, version: string): Consolidation {
  if (consolidation.edits.length === 0) return consolidation;
  const before = isFile(join(root, manifestPath)) ? readFileSync(join(root, manifestPath), "utf8") : null;
  const text = before ?? emptyManifest(version);
  const parsed = parseManifest(text);
  if (!parsed.ok) throw new LoopError("LOOP_E_MANIFEST", `${manifestPath} cannot be used: ${parsed.problems.join("; ")}`, "mend it by hand; git knows how it was before; nothing was written");
  const lacking = footprint.filter(({ path, role }) => role.startsWith("learnings") && !covers(parsed.manifest, path));
  const after = lacking.reduce((listed, { path, role, owner }) => addFile(listed, { path, role, owner }), text);
  return after === before ? consolidation : { ...consolidation, edits: [...consolidation.edits, { path: manifestPath, before, after }] };
}

/** Names of repositories differ in case alone on no host; what is no plain name in them is told apart by a digest. */
function learningsFolderOf(stateRoot: string, repository: string): string {
  const name = repository.toLowerCase();
  return join(stateRoot, "learnings", `${name.replaceAll(/[^a-z0-9]/gu, "-").slice(-60)}-${digestOf(name).slice(0, 10)}`);
}

function topOf(cwd: string): string {
  const top = git(cwd, ["rev-parse", "--show-toplevel"])?.trim();
  if (top === undefined || top === "") throw new LoopError("LOOP_E_LEARNINGS_GUEST", `${cwd} is in no git repository`, "run it in the checkout whose learnings are meant");
  return top;
}

/**
 * Files that came with a branch were written by whoever wrote the branch; they are no candidates of ours. Throws where git does not
 * tell which those are, so that none is taken for one of ours; a folder that is no work tree has no branch.
 */
function trackedIn(root: string): ReadonlySet<string> {
  if (repositoryAround(root) === null) return new Set();
  const listed = git(root, ["ls-files", "-z", "--", ".loop/learnings-pending"]);
  if (listed === undefined) throw new LoopError("LOOP_E_LEARNINGS_FILE", "git does not tell which files of .loop/learnings-pending came with the branch", "run `git ls-files` there and mend what it says; nothing was taken in");
  return new Set(listed.split("\0").map((path) => path.slice(path.lastIndexOf("/") + 1)));
}

/** Names of so many files as nobody has; a branch may bring any number. */
const mostOutput = 64 * 1024 * 1024;

function git(cwd: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", ["-c", "core.fsmonitor=", ...args], { cwd, encoding: "utf8", maxBuffer: mostOutput, stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
}
