import { randomUUID } from "node:crypto";
import { mkdir, open, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CanaryLink, LinkReport } from "@loopwork/core";
import type { RuntimeParts } from "@loopwork/runtime";
import { agentEnvironment, ChildEnvironment } from "@loopwork/runtime/child-environment";
import { runProgram } from "../processes/child-process.ts";
import { runToEnd } from "../processes/run-to-end.ts";

const answerWithinMs = 10_000;
/** What a disk must take: some turns' worth of output, and a flush. */
const probeBytes = 4 * 1024 * 1024;
/** Below this somebody should look, although everything works. */
const fewBytes = 256 * 1024 * 1024;

/** The no-op harness: a child that hands its message back, started as every harness is. */
export function inspectNothing(words: string, parts: RuntimeParts): Promise<readonly LinkReport[]> {
  return inFolder(parts, async (dir) => {
    const argv = [process.execPath, "-e", "process.stdin.pipe(process.stdout)"];
    const end = await runToEnd(
      {
        argv,
        cwd: dir,
        env: ChildEnvironment.probe(parts.settings()),
        input: words,
        deadlineMs: answerWithinMs,
        mostBytes: 65_536,
        scratchDir: parts.settings().scratchDir,
      },
      parts.run,
    );
    if (end.kind === "ended" && end.stdout === words)
      return [good("routing", "decided, and a no-op harness echoed the message")];
    return [
      broken(
        "routing",
        `a no-op harness didn't echo the message: ${end.kind === "ended" ? end.stderr.slice(0, 200) : end.why}`,
        "Run `loop logs` for details",
      ),
    ];
  }).catch((error: unknown) => [
    broken(
      "routing",
      `can't start a process: ${said(error)}`,
      "Check this user's limits, and run `loop logs` for details",
    ),
  ]);
}

/** Makes a repository: that needs the program and a disk that takes its files. */
export function inspectGit(parts: RuntimeParts): Promise<readonly LinkReport[]> {
  return inFolder(parts, async (dir) => {
    const git = async (...args: readonly string[]): Promise<string> => {
      const { error, stdout } = await runProgram("git", args, {
        env: ChildEnvironment.probe(parts.settings()),
        timeout: answerWithinMs,
      });
      if (error !== null) throw error;
      return stdout;
    };
    const stdout = await git("--version");
    await git("init", "--quiet", "--bare", dir);
    await git("-C", dir, "rev-parse", "--git-dir");
    return [good("git", stdout.trim().replace("git version ", ""))];
  }).catch((error: unknown) => [
    broken(
      "git",
      isMissing(error) ? "not found by the service" : said(error),
      "Install git where the service's PATH finds it, then run `loop restart`",
    ),
  ]);
}

/** The default harness: its program, its login, and the file in which it keeps what it trusts. */
export async function inspectHarness(parts: RuntimeParts): Promise<readonly LinkReport[]> {
  const { config } = parts.settings();
  const id = config.routing.defaultHarness;
  const harness = parts.harnesses[id];
  if (harness === null)
    return [
      broken("harness-binary", `harness ${id} is not connected`, "Run `loop logs` for details"),
    ];
  const [probe, trust] = await Promise.all([
    harness.turns.probe(),
    config.routing.harnessTrust.enabled
      ? harness.trust.check(agentEnvironment(parts.settings(), config.harnesses[id].passEnv))
      : null,
  ]);
  const file =
    trust === null
      ? good("trust-file", "not needed")
      : trust.kind === "good"
        ? good("trust-file", trust.file)
        : broken(
            "trust-file",
            `${trust.file}: ${trust.why}`,
            "Fix that file, or move it away: the harness creates a new one",
          );
  if (!probe.found)
    return [
      broken(
        "harness-binary",
        `${probe.command} not found by the service`,
        probe.hint ?? `Install it, or set harnesses.${id}.command`,
      ),
      file,
    ];
  if (probe.version === null)
    return [broken("harness-binary", `${probe.command} reports no version`, probe.hint), file];
  const program = good("harness-binary", `${probe.command} ${probe.version}`);
  if (probe.login === "no")
    return [program, broken("login", `${probe.command} is not logged in`, probe.hint), file];
  return [
    program,
    probe.login === "yes"
      ? good("login", "logged in")
      : { link: "login", state: "weak", found: "unknown for this version", todo: null },
    file,
  ];
}

/** Writes and flushes where the service writes. */
export async function inspectDisk(parts: RuntimeParts): Promise<readonly LinkReport[]> {
  const { turnsDir, workspaceRoot } = parts.settings();
  const places = [dirname(turnsDir), ...(workspaceRoot === null ? [] : [workspaceRoot])];
  const reports: LinkReport[] = [];
  for (const place of places) reports.push(await diskReport(place));
  return reports;
}

/** Of the folder's disk: whether it takes some megabytes and flushes them. */
export async function diskReport(folder: string): Promise<LinkReport> {
  const file = join(folder, `.canary-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await open(file, "wx", 0o600);
    try {
      await handle.writeFile(Buffer.alloc(probeBytes, 1));
      await handle.sync();
    } finally {
      await handle.close();
    }
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free < fewBytes)
      return {
        link: "disk",
        state: "weak",
        found: `${folder} is writable, but has only ${mebibytes(free)} free`,
        todo: "Free some space",
      };
    return good("disk", `${folder} is writable, ${mebibytes(free)} free`);
  } catch (error) {
    return broken(
      "disk",
      `can't write to ${folder}: ${said(error)}`,
      "Free some space, or raise the quota or limit of the service's user. Accepted deliveries are kept.",
    );
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
}

/** A folder of one look, taken away after it. */
async function inFolder<T>(parts: RuntimeParts, look: (dir: string) => Promise<T>): Promise<T> {
  const dir = join(dirname(parts.settings().turnsDir), "probes", `canary-${randomUUID()}`);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  try {
    return await look(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function good(link: CanaryLink, found: string): LinkReport {
  return { link, state: "good", found, todo: null };
}

function broken(link: CanaryLink, found: string, todo: string | null): LinkReport {
  return { link, state: "broken", found, todo };
}

function said(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function mebibytes(bytes: number): string {
  return bytes > 10 * 1024 ** 3
    ? `${Math.round(bytes / 1024 ** 3)} GiB`
    : `${Math.round(bytes / 1024 ** 2)} MiB`;
}
