import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { type Machine, machineOf } from "./machine.ts";

/**
 * What a measurement came to, and all that is needed to make it again. `changed`: the tree was not
 * the commit's when it ran.
 */
export type Recorded = {
  readonly command: string;
  readonly commit: string;
  readonly changed: boolean;
  readonly date: string;
  readonly seconds: number;
  readonly machine: Machine;
  readonly result: Readonly<Record<string, unknown>>;
};

/**
 * `seconds`: how long it took. The commit is that of `tree`, a folder of the repository. Records
 * that were written since, and the page of them, are no change.
 */
export function recordOf(
  command: string,
  seconds: number,
  result: object,
  tree: string = process.cwd(),
): Recorded {
  return {
    command,
    commit: git(tree, "rev-parse", "--short=12", "HEAD"),
    changed:
      git(
        tree,
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--",
        ":/",
        ":(top,exclude)docs/reliability",
        ":(top,exclude)docs/reliability.md",
      ) !== "",
    date: new Date().toISOString().slice(0, 10),
    seconds: Math.round(seconds),
    machine: machineOf(tmpdir()),
    result: { ...result },
  };
}

/** Whole or not at all: a reader finds the old record or the new one. */
export function writeRecord(file: string, record: Recorded): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** Throws where the text is no record. */
export function parseRecord(text: string): Recorded {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error("this is no record of a measurement");
  return value;
}

function isRecord(value: unknown): value is Recorded {
  return (
    typeof value === "object" &&
    value !== null &&
    ["command", "commit", "date", "seconds", "machine", "result"].every((key) => key in value)
  );
}

function git(tree: string, ...args: readonly string[]): string {
  try {
    return execFileSync("git", args, {
      cwd: tree,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return ""; // Unpacked from an archive.
  }
}
