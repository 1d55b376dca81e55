import type { HarnessId } from "@loopwork/core";
import type { OneShotAnswer, OneShots, RunProcess } from "@loopwork/core/ports";
import type { RuntimeSettings } from "../parts.ts";
import { runToEnd } from "../run-to-end.ts";
import { judgeEnvironment } from "../turn/environment.ts";

/** What asking a harness by the way needs; `oneShotsOf` gives null where that harness is not there. */
export type AskingHarness = {
  readonly run: RunProcess;
  readonly oneShotsOf: (harness: HarnessId) => Promise<OneShots | null>;
  readonly settings: Pick<RuntimeSettings, "config" | "env" | "secretNames">;
  readonly uuid: () => string;
};

export type Question = { readonly harness: HarnessId; readonly prompt: string; readonly schema: Readonly<Record<string, unknown>>; readonly workdir: string; /** Absolute; what else it may read. */ readonly alsoIn?: readonly string[]; readonly deadlineMs: number };

/** A result line with what stands around it. */
const mostBytes = 4 * 1024 * 1024;

/** Asks one question in a conversation of its own, whose id nobody keeps (ADR 0096). Never rejects for what the harness does. */
export async function askHarness({ harness, prompt, schema, workdir, alsoIn = [], deadlineMs }: Question, { run, oneShotsOf, settings, uuid }: AskingHarness): Promise<OneShotAnswer> {
  const oneShots = await oneShotsOf(harness);
  if (oneShots === null) return { ok: false, why: `harness ${harness} cannot be asked by the way`, usd: 0 };
  const { env: extra, passEnv } = settings.config.harnesses[harness];
  const env = judgeEnvironment({ env: settings.env, secretNames: settings.secretNames.filter((name) => !passEnv.includes(name)) });
  // Where our plugin is installed for the user as well, its stop hook has nothing to say here.
  const plan = oneShots.plan({ sessionId: uuid(), prompt, workdir, alsoIn, schema, env: { ...env, ...extra, LOOP_GATE: "driver" } });
  const end = await runToEnd({ argv: plan.argv, cwd: workdir, env: plan.env, input: plan.stdin, deadlineMs, mostBytes }, run);
  return end.kind === "failed" ? { ok: false, why: end.why, usd: 0 } : oneShots.answer(end);
}
