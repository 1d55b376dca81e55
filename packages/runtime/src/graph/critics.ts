import type { Config } from "@loopwork/core/config";
import type { PromptText } from "@loopwork/core/ports";
import type { CriticReport, CriticScope } from "@loopwork/core";
import { ChildEnvironment } from "../child-environment.ts";
import { endSentence } from "../small-programs.ts";
import { type AskingHarness, askHarness } from "./ask-harness.ts";
import type { Surroundings } from "./hooks.ts";
import type { ShownPlace } from "./shown-place.ts";

type Critic = Config["critics"][number];

/** Where critics judge, and how a harness is asked. */
export type CriticParts = Surroundings & AskingHarness;

/** What a round of critics said, and what the harnesses among them cost. */
export type CriticRound = { readonly reports: readonly CriticReport[]; readonly usd: number };

/** What a critic's program may print on one stream. */
const mostBytes = 1024 * 1024;

/** Runs the critics one after the other; each gives a report, whatever happens to it. */
export async function runCritics(
  critics: readonly Critic[],
  names: readonly string[],
  scope: CriticScope,
  parts: CriticParts,
): Promise<CriticRound> {
  const reports: CriticReport[] = [];
  let usd = 0;
  for (const name of names) {
    const said = await askCritic(
      critics.find((each) => each.name === name),
      scope,
      parts,
    );
    usd += said.usd;
    reports.push(await reportOf(name, said));
  }
  return { reports, usd };
}

/** What a critic said, word for word, or why it said nothing. */
type Said = { readonly usd: number } & ({ readonly text: string } | { readonly why: string });

async function askCritic(
  critic: Critic | undefined,
  scope: CriticScope,
  parts: CriticParts,
): Promise<Said> {
  if (critic === undefined) return { why: "the roster has no critic of that name", usd: 0 };
  return critic.command.length > 0
    ? runProgram(critic, scope, parts)
    : askByPrompt(critic, scope, parts);
}

/** A critic says no by its verdict; a program that fails has not judged. */
async function runProgram(
  { command, prompt, deadlineSeconds, passEnv }: Critic,
  scope: CriticScope,
  { cwd, settings, run, programs }: CriticParts,
): Promise<Said> {
  const { promptJson } = await import("@loopwork/core/ports");
  const end = await programs.runToEnd(
    {
      argv: command,
      cwd,
      env: ChildEnvironment.critic(settings, passEnv),
      // Many such programs hand it to an agent as it stands.
      input: promptJson({ ...scope, prompt }),
      deadlineMs: deadlineSeconds * 1000,
      mostBytes,
      scratchDir: settings.scratchDir,
    },
    run,
  );
  if (end.kind !== "ended") return { why: end.why, usd: 0 };
  return end.code === 0 ? { text: end.stdout, usd: 0 } : { why: endSentence(end), usd: 0 };
}

async function askByPrompt(
  { name, harness, prompt, deadlineSeconds }: Critic,
  scope: CriticScope,
  parts: CriticParts,
): Promise<Said> {
  const { criticPrompt, withoutFence, verdictSchema } = await import("@loopwork/core");
  const promptAt = ({ workdir, artifacts }: ShownPlace): PromptText => {
    for (;;) {
      const asked = criticPrompt({
        critic: name,
        focus: prompt ?? "",
        scope: { ...scope, workdir, folder: artifacts ?? scope.folder },
        nonce: parts.uuid().replaceAll("-", ""),
      });
      if (asked.ok) return asked.text;
    }
  };
  const place = { workdir: parts.cwd, artifacts: scope.folder };
  const answer = await askHarness(
    {
      harness: harness ?? parts.settings.config.routing.defaultHarness,
      promptAt,
      schema: verdictSchema,
      place,
      deadlineMs: deadlineSeconds * 1000,
    },
    parts,
  );
  return answer.ok
    ? { text: withoutFence(answer.text), usd: answer.usd }
    : { why: answer.why, usd: answer.usd };
}

async function reportOf(critic: string, said: Said): Promise<CriticReport> {
  if ("why" in said) return { critic, ok: false, why: said.why };
  const { parseVerdict } = await import("@loopwork/core");
  const verdict = parseVerdict(said.text);
  return verdict.ok
    ? { critic, ok: true, findings: verdict.findings }
    : { critic, ok: false, why: verdict.why };
}
