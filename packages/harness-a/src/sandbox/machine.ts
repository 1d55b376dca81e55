import { access, constants, lstat, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SandboxFacts } from "@loopwork/core";
import type { SandboxPlace } from "@loopwork/core/ports";
import { installedVersion, type ProbeOptions, runProgram } from "../probe.ts";
import { isWithin } from "./is-within.ts";

/** Who the service is: what tests stand in for. */
export type Account = {
  readonly platform: string;
  readonly uid: number;
  /** Where the kernel says how many namespaces it allows; `/proc/sys/user` when absent. */
  readonly limitsDir?: string;
};

/**
 * Asks the machine and the checkout for everything that the sandbox needs. No more is run than has
 * to be.
 */
export async function factsOf(
  place: SandboxPlace,
  runner: SandboxFacts["runner"],
  { platform, uid, limitsDir = "/proc/sys/user" }: Account,
  options: ProbeOptions,
): Promise<SandboxFacts> {
  const isRoot = uid === 0;
  const { missing, unknown } = await lookFor(["bwrap", "socat"], options.environment["PATH"]);
  const canRun = platform === "linux" && !isRoot && missing.length === 0;
  return {
    platform,
    isRoot,
    runner,
    missing,
    probe: unknown ?? (canRun ? await probe(options, limitsDir) : { kind: "passed" }),
    silentVersion: canRun ? silent(await installedVersion(options)) : null,
    gitDirectory: await gitDirectoryOf(place),
    hidesSystem:
      place.hide.find((folder) =>
        ["/usr", "/bin", "/etc"].some((system) => isWithin(system, folder)),
      ) ?? null,
    ranSandboxed: place.ranSandboxed,
  };
}

async function lookFor(
  names: readonly string[],
  search: string | undefined,
): Promise<{
  readonly missing: readonly string[];
  readonly unknown: SandboxFacts["probe"] | null;
}> {
  const missing: string[] = [];
  for (const name of names) {
    const found = await programIn(name, search).catch((error: unknown) => String(error));
    if (found === null) missing.push(name);
    else if (!path.isAbsolute(found))
      return { missing, unknown: { kind: "unanswered", why: found } };
  }
  return { missing, unknown: null };
}

/** Milliseconds before another look, where one gave no answer. */
const pauses: readonly number[] = [200, 1_000];

/**
 * The harness's own check misses forbidden user namespaces: its turn then ends as done with every
 * command failed. What keeps a look from an answer passes, mostly, and says nothing of the machine.
 */
async function probe(options: ProbeOptions, limitsDir: string): Promise<SandboxFacts["probe"]> {
  for (const pause of pauses) {
    const found = await look(options, limitsDir);
    if (found.kind !== "unanswered") return found;
    await sleep(pause);
  }
  return look(options, limitsDir);
}

async function look(options: ProbeOptions, limitsDir: string): Promise<SandboxFacts["probe"]> {
  const asked = await runProgram(options, [
    "bwrap",
    "--unshare-all",
    "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "true",
  ]);
  if (asked?.code === 0) return { kind: "passed" };
  if (asked === null) return { kind: "unanswered", why: "bwrap could not be started" };
  if (asked.stopped === "deadline")
    return { kind: "unanswered", why: "bwrap took longer than 10 s" };
  // bwrap ends with 128 and the signal's number where what it ran was killed.
  if (asked.code === null || asked.code > 128)
    return { kind: "unanswered", why: "bwrap was killed" };
  const why = asked.stderr.trim().split("\n")[0]?.slice(0, 200) || `bwrap ended with ${asked.code}`;
  const none = /ENOSPC/.test(why) ? await forbiddenIn(limitsDir) : null;
  if (none !== null) return { kind: "refused", why: `${why}; ${none} is 0` };
  return { kind: exhausted.test(why) ? "unanswered" : "refused", why };
}

/** Complaints of a machine that could do it, and has too much to do. */
const exhausted =
  /Resource temporarily unavailable|Cannot allocate memory|Too many (?:open files|users)|No space left|Disk quota exceeded|Interrupted system call|ENOSPC|EAGAIN|ENOMEM/;

/** The namespaces that `--unshare-all` makes, and that of mounts. */
const kinds: readonly string[] = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"];

/** An administrator forbids namespaces with the same complaint as one too many causes. */
async function forbiddenIn(limitsDir: string): Promise<string | null> {
  for (const name of kinds.map((kind) => `max_${kind}_namespaces`)) {
    const most = await readFile(path.join(limitsDir, name), "utf8").catch(() => "");
    if (most.trim() === "0") return name;
  }
  return null;
}

/**
 * The first version that was seen to say in its first row whether the sandbox is on. Null for that
 * one and newer ones, and where there is none.
 */
const saysSince: readonly number[] = [2, 1, 332];

function silent(version: string | null): string | null {
  if (version === null) return null; // It isn't installed: the turn finds that out, and says so.
  const parts = version.split(".").map(Number);
  const at = saysSince.findIndex((part, i) => part !== parts[i]);
  return at === -1 || (parts[at] ?? 0) > (saysSince[at] ?? 0) ? null : version;
}

/**
 * A worktree's `.git` is a file, and a folder that names another one is one of several that share
 * it. Whether a checkout is a worktree follows from how it was made, never from what stands in it,
 * which a turn can change.
 */
async function gitDirectoryOf({
  checkout,
  strategy,
}: SandboxPlace): Promise<SandboxFacts["gitDirectory"]> {
  if (strategy === "worktree") return "shared";
  if (checkout === null) return "own";
  const git = await lstat(path.join(checkout, ".git")).catch(() => null);
  if (git?.isDirectory() !== true) return strategy === null ? "shared" : "changed";
  const names = await lstat(path.join(checkout, ".git", "commondir")).then(
    () => true,
    () => false,
  );
  return names ? "changed" : "own";
}

/**
 * Where a program is, by its name in `PATH` or by its path; null when it is nowhere. Rejects where
 * the system can't say.
 */
export async function programIn(name: string, search: string | undefined): Promise<string | null> {
  const candidates = name.includes("/")
    ? [name]
    : (search ?? "")
        .split(path.delimiter)
        .flatMap((folder) => (folder === "" ? [] : [path.join(folder, name)]));
  for (const candidate of candidates) {
    const found = await access(candidate, constants.X_OK).then(
      () => realpath(candidate),
      (error: unknown) => {
        if (isAbsence(error)) return null;
        throw error;
      },
    );
    if (found !== null) return found;
  }
  return null;
}

const isAbsence = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"].includes(String(error.code));
