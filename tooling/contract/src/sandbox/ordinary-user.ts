import { spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installReal } from "../install.ts";
import type { RowResult } from "../run-rows.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url)).replace(/\/$/, "");
/** The user that owns nothing. */
const nobody = 65534;

/** Runs the rows about the sandbox; `why` says why none could run, null when all did. */
export function runAsOrdinaryUser(only: string): {
  readonly results: readonly RowResult[];
  readonly why: string | null;
} {
  try {
    const results: RowResult[] = JSON.parse(
      reportOfOrdinaryUser("tooling/contract/src/sandbox/main.ts", [only]),
    );
    return { results, why: null };
  } catch (error) {
    return { results: [], why: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Runs `PROGRAM HARNESS REPORT ARGS…` as a user without privileges, and returns the report that it
 * wrote. The program is a TypeScript file of this repository, named from its root. Throws when the
 * sandbox or the real harness cannot be had.
 */
export function reportOfOrdinaryUser(program: string, args: readonly string[]): string {
  const missing = ["bwrap", "socat"].filter(
    (name) => spawnSync(name, ["--version"]).error !== undefined,
  );
  if (missing.length > 0) throw new Error(`${missing.join(" and ")} must be installed`);
  const dir = mkdtempSync(path.join(tmpdir(), "loop-sandbox-"));
  try {
    return run(dir, program, args);
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

function run(dir: string, program: string, args: readonly string[]): string {
  const [home, harness, report] = [
    path.join(dir, "home"),
    path.join(dir, "harness"),
    path.join(dir, "home/report.json"),
  ];
  mkdirSync(home);
  // Wherever the repository lies, the copy can be reached.
  cpSync(installReal(), path.join(harness, "claude"));
  const environment = {
    PATH: `${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: home,
    LANG: "C.UTF-8",
    TMPDIR: tmpdir(),
    ...(process.env["NODE_EXTRA_CA_CERTS"] === undefined
      ? {}
      : { NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"] }),
  };
  const argv = (node: string, at: string): readonly string[] => [
    node,
    "--conditions=@loopwork/source",
    path.join(at, program),
    path.join(harness, "claude"),
    report,
    ...args,
  ];
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const file of [dir, home]) chownSync(file, nobody, nobody);
  const { stderr } = isRoot
    ? asNobody(dir, program, argv, environment)
    : start(argv(process.execPath, root), environment);
  if (!existsSync(report))
    throw new Error(`${program} wrote no report: ${stderr.trim().slice(-1_500)}`);
  return readFileSync(report, "utf8");
}

/**
 * Drops every privilege. A repository below a folder that nobody else may enter is mounted where it
 * can be read, in a namespace of its own.
 */
function asNobody(
  dir: string,
  program: string,
  argv: (node: string, at: string) => readonly string[],
  env: NodeJS.ProcessEnv,
): { readonly stderr: string } {
  const drop = [
    "setpriv",
    `--reuid=${nobody}`,
    `--regid=${nobody}`,
    "--clear-groups",
    "--no-new-privs",
  ];
  if (
    spawnSync("setpriv", [
      ...drop.slice(1),
      process.execPath,
      "-e",
      `require("fs").readFileSync(${JSON.stringify(path.join(root, program))})`,
    ]).status === 0
  )
    return start([...drop, ...argv(process.execPath, root)], env);
  const at = path.join(dir, "repository");
  mkdirSync(at);
  const node = process.execPath.startsWith(`${root}/`)
    ? path.join(at, process.execPath.slice(root.length))
    : process.execPath;
  return start(
    [
      "unshare",
      "--mount",
      "sh",
      "-c",
      'mount --bind "$1" "$2" && shift 2 && exec "$@"',
      "sh",
      root,
      at,
      ...drop,
      ...argv(node, at),
    ],
    { ...env, PATH: `${path.dirname(node)}:${env["PATH"] ?? ""}` },
  );
}

function start(
  [command = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): { readonly stderr: string } {
  return spawnSync(command, args, {
    env,
    encoding: "utf8",
    cwd: "/",
    stdio: ["ignore", "inherit", "pipe"],
    maxBuffer: 1 << 26,
  });
}
