import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installPinned } from "@loopwork-tooling/contract";
import { plantMutants } from "./plant.ts";
import {
  countFiles,
  countFolders,
  mergeFiles,
  total,
  type FileResult,
  type Result,
} from "./result.ts";
import { openSandbox } from "./sandbox.ts";
import { tryAll } from "./try-all.ts";

export type Choice = {
  readonly only: string;
  readonly workers: number;
  readonly before: readonly FileResult[];
  readonly progress: (line: string) => void;
};

/** Where the instrumenter and the matchers are installed, at the first call. */
export function installPeers(): string {
  return installPinned(fileURLToPath(new URL("../peers", import.meta.url)), "mutation-10.1.1");
}

/**
 * Tries the mutants of the sources of core that `only` names; rows of other files are taken over
 * from `before`.
 */
export async function measureCore(
  repository: string,
  { only, workers, before, progress }: Choice,
): Promise<Result> {
  const began = performance.now();
  const peers = installPeers();
  const sandbox = openSandbox(repository);
  try {
    const chosen = sandbox.sources.filter(
      (file) => path.matchesGlob(file, only) || path.matchesGlob(file, `src/${only}`),
    );
    if (chosen.length === 0) throw new Error(`--only ${only} names no source of core`);
    const mutants = await plantMutants(sandbox.root, chosen, peers);
    const fates = await tryAll(
      mutants,
      {
        setup: sandbox.setup,
        sources: sandbox.sources.map((file) => path.join(sandbox.root, file)),
        tests: sandbox.tests,
        peers,
      },
      workers,
      progress,
    );
    const commit = commitOf(repository);
    const files = mergeFiles(
      before,
      countFiles(chosen, mutants, fates, commit),
      new Set(sandbox.sources),
    );
    const seen = new Set([...chosen, ...files.map(({ file }) => file)]);
    return {
      ...circumstances(only, commit, began),
      folders: countFolders(files),
      total: total("all", files),
      notRun: sandbox.sources.filter((file) => !seen.has(file)),
      files,
    };
  } finally {
    sandbox.close();
  }
}

/** Rows of an earlier result, or none. */
export function readBefore(file: string | undefined): readonly FileResult[] {
  if (file === undefined || !existsSync(file)) return [];
  const { files }: Pick<Result, "files"> = JSON.parse(readFileSync(file, "utf8"));
  return files;
}

function circumstances(
  only: string,
  commit: string,
  began: number,
): Pick<Result, "command" | "commit" | "date" | "machine" | "node" | "seconds"> {
  return {
    command: `npm run mutate -- --only "${only}"`,
    commit,
    date: new Date().toISOString().slice(0, 10),
    machine: `${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
    node: process.version,
    seconds: Math.round((performance.now() - began) / 1_000),
  };
}

/** With a plus where the tree differs from it. */
function commitOf(repository: string): string {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", [...args], { cwd: repository, encoding: "utf8" }).trim();
  return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain", "--", "packages/core") === "" ? "" : "+"}`;
}
