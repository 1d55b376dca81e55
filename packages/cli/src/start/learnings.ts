import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import type { Candidate } from "@loopwork/core/learnings";
import { addCandidate, carryOut, collect, planConsolidation, readBook, readInjection, readQueue, refuseGuest, undoFiles } from "@loopwork/learnings";
import { remoteOf } from "../init/checkout.ts";
import type { Injection, RepositoryLearnings } from "./ports.ts";

/** Learnings of the repository that a folder lies in: its files, its checkout's queue, and the queue that outlives the checkout. */
export function openLearnings(cwd: string, stateRoot: string): RepositoryLearnings {
  const root = topOf(cwd);
  const remote = remoteOf(root);
  const state = learningsFolderOf(stateRoot, remote === null ? root : `${remote.host}/${remote.repository}`);
  const [inCheckout, queue, journal] = [join(root, ".loop", "learnings-pending"), join(state, "pending"), join(state, "journal")];
  const gather = async (): Promise<void> => {
    const tracked = trackedIn(root);
    await collect(inCheckout, queue, ({ id }) => !tracked.has(`${id}.yaml`));
  };
  return {
    root,
    async capture(candidate) {
      await refuseGuest(root);
      return addCandidate(inCheckout, candidate);
    },
    async pending() {
      await gather();
      return readQueue(queue);
    },
    async plan(now) {
      await gather();
      return planConsolidation(root, queue, now);
    },
    apply: (consolidation) => carryOut(root, queue, journal, consolidation),
    undo: () => undoFiles(root, journal, queue),
    injection: (now) => readInjection(root, now),
    injectionFor: async (session, anew, now) => onceTold(await readInjection(root, now), join(state, "told", digestOf(session)), anew),
    async all() {
      return (await readBook(root)).book.learnings;
    },
  };
}

/** Null when the file says that this was told already; else the file says so from now on. */
async function onceTold(injection: Injection | null, file: string, anew: boolean): Promise<Injection | null> {
  if (injection === null) return null;
  const before = anew ? null : await readFile(file, "utf8").catch(() => null);
  if (before === injection.hash) return null;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, injection.hash);
  return injection;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** Keeps a candidate of a turn where it outlives the checkout. */
export async function keepCandidate(stateRoot: string, repository: string, candidate: Candidate): Promise<void> {
  await addCandidate(join(learningsFolderOf(stateRoot, repository), "pending"), candidate);
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

/** Files that came with a branch were written by whoever wrote the branch; they are no candidates of ours. */
function trackedIn(root: string): ReadonlySet<string> {
  const listed = git(root, ["ls-files", "-z", "--", ".loop/learnings-pending"]) ?? "";
  return new Set(listed.split("\0").map((path) => path.slice(path.lastIndexOf("/") + 1)));
}

function git(cwd: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", ["-c", "core.fsmonitor=", ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
}
