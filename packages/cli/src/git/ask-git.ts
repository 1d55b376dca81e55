import { withAbsolutePath } from "@loopwork/core/ports";
import { shellQuoted } from "../output/shell-quoted.ts";

/**
 * Git asked about a folder that the user is in. An unpacked folder brings its own .git/config
 * along, which may name programs: whatever git would start for it is off, no transport is allowed,
 * and nothing is fetched lazily. Git gets none of our variables but those that it needs to find
 * itself and the user's own configuration.
 */
type Setting = readonly [key: string, value: string];

const settings: readonly Setting[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.sshCommand", "false"],
  ["protocol.allow", "never"],
  ["safe.bareRepository", "explicit"],
  ["submodule.recurse", "false"],
];
const kept = [
  "PATH",
  "HOME",
  "XDG_CONFIG_HOME",
  "TMPDIR",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CEILING_DIRECTORIES",
];

/** The whole environment of such a git; `more` are settings over the common ones. */
export function guardedGitEnv(
  env: Readonly<Record<string, string | undefined>>,
  more: readonly Setting[] = [],
): Record<string, string> {
  const all = [...settings, ...more];
  return withAbsolutePath({
    ...Object.fromEntries(
      kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    ),
    ...Object.fromEntries(
      all.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
    GIT_CONFIG_COUNT: String(all.length),
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  });
}

/**
 * A repository may name pipes as files of its configuration, and git would wait for each without
 * end. So all questions of one command share this many milliseconds, and the first one that isn't
 * answered in them is the last.
 */
const answersWithinMs = 10_000;
/** A process that lives on, such as the service, asks anew after this long. */
const anewAfterMs = 60_000;

let leftMs = answersWithinMs;
let startedAt = Number.NEGATIVE_INFINITY;

/** A command begins: its questions are answered within `withinMs` milliseconds, or not at all. */
export function startAskingGit(withinMs: number = answersWithinMs): void {
  leftMs = withinMs;
  startedAt = performance.now();
}

/** What to type where git doesn't answer: git itself would wait for a pipe without end. */
export function silentGitHint(folder: string): string {
  return `remove what \`find ${shellQuoted(folder)} -type p\` lists: git waits for pipes; if it lists nothing, \`git status\` says what is wrong`;
}

/**
 * What git prints there; null where it cannot be started, fails, or doesn't answer in time. What
 * starts programs is loaded then: most commands that hooks run need none.
 */
export function askGit(
  args: readonly string[],
  cwd: string,
  more: readonly Setting[] = [],
): string | null {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  const askedAt = performance.now();
  if (askedAt - startedAt > anewAfterMs) startAskingGit();
  if (leftMs < 1) return null;
  try {
    return execFileSync("git", args, {
      cwd,
      env: guardedGitEnv(process.env, more),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 64 * 1024 * 1024,
      timeout: Math.ceil(leftMs),
      killSignal: "SIGKILL",
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ETIMEDOUT") leftMs = 0;
    return null;
  } finally {
    leftMs -= performance.now() - askedAt;
  }
}

/**
 * Paths below a folder, or below one in it, that the repository around it has in its index, from
 * that folder; null where git does not tell.
 */
export function trackedBelow(folder: string, below = "."): readonly string[] | null {
  return (
    askGit(["--literal-pathspecs", "ls-files", "-z", "--", below], folder)
      ?.split("\0")
      .filter((path) => path !== "") ?? null
  );
}
