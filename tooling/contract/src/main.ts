import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fixtureClaude } from "@loopwork-tooling/fixture-harness";
import { recordOf, writeRecord } from "@loopwork-tooling/record";
import { installReal, pinnedVersion } from "./install.ts";
import { rows } from "./rows/index.ts";
import { sandboxRows } from "./rows/sandbox.ts";
import { terminalRows } from "./rows/terminal.ts";
import { runAsOrdinaryUser } from "./sandbox/ordinary-user.ts";
import { type RowResult, runRow, shortened } from "./run-rows.ts";
import { fixtureSubject, realSubject, type Subject } from "./subject.ts";

/**
 * `npm run test:real [-- --allow-missing NAME] [--only PATTERN] [--out FILE]`: every row
 * against the fixture and against the real part. A row passes when both keep it. A part that cannot be had is a failure, unless it is
 * allowed to be missing.
 */
const flags = parseArgs({
  options: {
    "allow-missing": { type: "string", multiple: true, default: [] },
    only: { type: "string", default: "" },
    out: { type: "string" },
  },
}).values;
const { "allow-missing": allowMissing, only, out } = flags;
const began = performance.now();
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const chosen = [...rows, ...(hasTmux ? terminalRows : [])].filter((row) => row.id.includes(only));

const realTests = fileURLToPath(
  new URL("../../../packages/cli/vitest.real.config.ts", import.meta.url),
);
const count = { passed: 0, failed: 0, skipped: 0 };
if (chosen.length > 0) await harnessA();
if (!hasTmux) missTmux();
else if ("service in terminals".includes(only)) serviceInTerminals();
sandbox();
beside("browser");
beside("inspector");
process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
if (out !== undefined)
  writeRecord(
    out,
    recordOf("npm run -s test:real", (performance.now() - began) / 1_000, {
      harnessA: pinnedVersion(),
      rows: chosen.length,
      ...count,
    }),
  );
process.exitCode = count.failed > 0 ? 1 : 0;

async function harnessA(): Promise<void> {
  const program = find();
  if (program === null) return;
  const version = spawnSync(program, ["--version"], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  }).stdout.trim();
  process.stdout.write(
    `harness-a: real ${version}, pinned ${pinnedVersion()}; ${chosen.length} rows, each against the fixture and the real program\n`,
  );
  // Beside each other: a row mostly waits for programs, and the two share nothing.
  const subjects = [fixtureSubject(fixtureClaude), await realSubject(program)] as const;
  const [fixture, real] = await Promise.all([runAll(subjects[0]), runAll(subjects[1])]);
  for (const subject of subjects) await subject.close();
  for (const [at, result] of real.entries()) report(result, fixture[at]);
  const ids = (results: readonly RowResult[]): string =>
    results.map((result) => result.id).join(" ");
  process.stdout.write(
    `fixture: ${fixture.length} rows (${ids(fixture)})\nreal:    ${real.length} rows (${ids(real)})\n`,
  );
}

/**
 * Rows about the harness's sandbox, which protects nothing as root: as root they run as a user
 * without privileges.
 */
function sandbox(): void {
  const rows = sandboxRows.filter(({ id }) => id.includes(only));
  if (rows.length === 0) return;
  const { results, why } = runAsOrdinaryUser(only);
  if (why !== null) {
    const allowed = allowMissing.includes("sandbox");
    process.stdout.write(`sandbox: cannot be had${allowed ? ", which is allowed" : ""}: ${why}\n`);
    count[allowed ? "skipped" : "failed"] += rows.length;
  }
  for (const result of results) report(result, undefined);
}

/** Tests of the service that need tmux; each counts as one. */
function serviceInTerminals(): void {
  const report = path.join(mkdtempSync(path.join(tmpdir(), "loop-real-")), "report.json");
  process.stdout.write(
    "service in terminals: the whole service with the fixture harness in a real tmux\n",
  );
  // By its file: the program of that name may start another Node than the pinned one.
  spawnSync(
    process.execPath,
    [
      fileURLToPath(new URL("vitest.mjs", import.meta.resolve("vitest/package.json"))),
      "run",
      "--config",
      realTests,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    { stdio: "inherit" },
  );
  const {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
  }: Readonly<Record<string, number>> = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : {};
  count.passed += passed ?? 0;
  count.failed += passed === undefined || passed + (failed ?? 0) === 0 ? 1 : (failed ?? 0);
  count.skipped += skipped ?? 0;
  rmSync(path.dirname(report), { recursive: true, force: true });
}

/**
 * Checks in a program of its own, such as those in a browser, whose types fit nothing else here. It
 * writes down what it counted.
 */
function beside(name: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), "loop-real-"));
  const report = path.join(folder, "report.json");
  const argv = [
    fileURLToPath(new URL(`../../${name}/src/main.ts`, import.meta.url)),
    "--report",
    report,
    "--only",
    only,
    ...(allowMissing.includes(name) ? ["--allow-missing"] : []),
  ];
  spawnSync(process.execPath, ["--conditions=@loopwork/source", ...argv], { stdio: "inherit" });
  const { passed, failed, skipped }: Readonly<Record<string, number>> = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : { failed: 1 };
  count.passed += passed ?? 0;
  count.failed += failed ?? 0;
  count.skipped += skipped ?? 0;
  rmSync(folder, { recursive: true, force: true });
}

/** Rows about terminals cannot run without tmux. */
function missTmux(): void {
  const allowed = allowMissing.includes("tmux");
  process.stdout.write(
    `tmux: cannot be had${allowed ? ", which is allowed" : ""}: install it; ${terminalRows.length} rows need it\n`,
  );
  count[allowed ? "skipped" : "failed"] += terminalRows.length;
}

/** The program, or null when it cannot be had; that is counted here. */
function find(): string | null {
  try {
    return installReal();
  } catch (error) {
    const allowed = allowMissing.includes("harness-a");
    process.stdout.write(
      `harness-a: cannot be had${allowed ? ", which is allowed" : ""}: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    count[allowed ? "skipped" : "failed"] += chosen.length;
    return null;
  }
}

async function runAll(subject: Subject): Promise<readonly RowResult[]> {
  const results: RowResult[] = [];
  for (const row of chosen) {
    results.push(await runRow(row, subject));
    if (results.length % 20 === 0)
      process.stderr.write(`${subject.name}: ${results.length} of ${chosen.length} rows\n`);
  }
  return results;
}

function report(real: RowResult, fixture: RowResult | undefined): void {
  const failures = [
    ["real", real.failure] as const,
    ["fixture", fixture?.failure ?? null] as const,
  ].filter(([, failure]) => failure !== null);
  count[failures.length === 0 ? "passed" : "failed"] += 1;
  process.stdout.write(
    `${failures.length === 0 ? "ok  " : "FAIL"} ${real.id} ${real.title} (${real.ms} ms)\n`,
  );
  for (const [subject, failure] of failures)
    process.stdout.write(`     ${subject}: ${shortened(failure ?? "").join("\n     ")}\n`);
}
