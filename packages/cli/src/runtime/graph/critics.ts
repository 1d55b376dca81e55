import type { Ref } from "@loopwork/core";
import type { Config } from "@loopwork/core/config";
import type { CriticReport } from "@loopwork/core/graph";
import type { Surroundings } from "./hooks.ts";
import { runCommand } from "./run-command.ts";

export type Critic = Config["critics"][number];

/** What a critic is handed on standard input, as JSON: every pull request of the work item, in every repository (service.md 2.2). */
export type CriticScope = {
  readonly version: 1;
  readonly workItem: string;
  readonly node: string;
  /** What this critic looks for, as the roster says; null where it says nothing. */
  readonly prompt: string | null;
  readonly workdir: string;
  /** Of the artifacts, relative to `workdir`. */
  readonly folder: string;
  readonly pullRequests: readonly { readonly ref: string; readonly repository: string; readonly number: number; readonly open: boolean; readonly headSha: string | null; readonly headBranch: string | null }[];
};

/** A pull request as the scope names it. */
export function scopeOf({ host, owner, repo, number }: Ref, link: { readonly pullRequest: string; readonly open: boolean; readonly headSha: string | null; readonly headBranch: string | null }): CriticScope["pullRequests"][number] {
  return { ref: link.pullRequest, repository: `${host === null ? "" : `${host}/`}${owner}/${repo}`, number, open: link.open, headSha: link.headSha, headBranch: link.headBranch };
}

/** Runs the critics one after the other; each gives a report, whatever happens to it. */
export async function runCritics(critics: readonly Critic[], names: readonly string[], scope: Omit<CriticScope, "prompt">, around: Surroundings): Promise<readonly CriticReport[]> {
  const reports: CriticReport[] = [];
  for (const name of names) reports.push(await runCritic(name, critics.find((each) => each.name === name), scope, around));
  return reports;
}

async function runCritic(name: string, critic: Critic | undefined, scope: Omit<CriticScope, "prompt">, around: Surroundings): Promise<CriticReport> {
  if (critic === undefined) return { critic: name, ok: false, why: "the roster has no critic of that name" };
  if (critic.command.length === 0) return { critic: name, ok: false, why: "it has no `command`, and this version asks no harness by itself" };
  const end = await runCommand({ argv: critic.command, ...around, input: JSON.stringify({ ...scope, prompt: critic.prompt } satisfies CriticScope), deadlineMs: critic.deadlineSeconds * 1000 });
  if (end.kind === "failed") return { critic: name, ok: false, why: end.why };
  // A critic says no by its verdict; a program that fails has not judged.
  if (end.code !== 0) return { critic: name, ok: false, why: `it ended with ${end.code}${end.tail === "" ? "" : `: ${end.tail}`}` };
  const { parseVerdict } = await import("@loopwork/core/graph");
  const verdict = parseVerdict(end.stdout);
  return verdict.ok ? { critic: name, ok: true, findings: verdict.findings } : { critic: name, ok: false, why: verdict.why };
}
