import { isAbsolute } from "node:path";
import type {
  HarnessId,
  OneShotAnswer,
  OneShotRequest,
  OneShots,
  PromptText,
  RunProcess,
  Workspace,
} from "@loopwork/core/ports";
import type { RuntimeSettings } from "../parts.ts";
import type { SmallPrograms } from "../small-programs.ts";
import { ChildEnvironment, judgingHarnessEnvironment } from "../child-environment.ts";
import { withQuestionSettings } from "./question-settings.ts";
import { atShownPlace, type ShownPlace } from "./shown-place.ts";

/**
 * What asking a harness by the way needs; `oneShotsOf` gives null where that harness is not there.
 */
export type AskingHarness = {
  readonly run: RunProcess;
  readonly oneShotsOf: (harness: HarnessId) => Promise<OneShots | null>;
  readonly copyOf: Workspace["copyOf"];
  readonly programs: SmallPrograms;
  readonly settings: Pick<
    RuntimeSettings,
    "config" | "env" | "secretNames" | "sandbox" | "scratchDir"
  >;
  readonly uuid: () => string;
};

/** `place` is what the question is about; `promptAt` words it for where it is asked. */
export type Question = {
  readonly harness: HarnessId;
  readonly promptAt: (place: ShownPlace) => PromptText;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly place: ShownPlace;
  readonly deadlineMs: number;
};

/** A result line with what stands around it. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Asks one question in a conversation of its own, whose id nobody keeps (ADR 0024). Never rejects
 * for what the harness does.
 */
export async function askHarness(question: Question, parts: AskingHarness): Promise<OneShotAnswer> {
  const { harness } = question;
  const oneShots = await parts.oneShotsOf(harness);
  if (oneShots === null)
    return { ok: false, why: `harness ${harness} cannot be asked by the way`, usd: 0 };
  const { scratchDir } = parts.settings;
  const answer = await atShownPlace(
    oneShots.reads,
    question.place,
    parts.copyOf,
    scratchDir,
    parts.programs,
    (place) => askAt(place, question, oneShots, parts),
  );
  return typeof answer === "string"
    ? {
        ok: false,
        why: `no copy of the checkout could be made for harness ${harness}, which would load its rules and hooks: ${answer}`,
        usd: 0,
      }
    : answer;
}

async function askAt(
  place: ShownPlace,
  question: Question,
  oneShots: OneShots,
  parts: AskingHarness,
): Promise<OneShotAnswer> {
  const { harness } = question;
  const { settings } = parts;
  const { env: extra, passEnv } = settings.config.harnesses[harness];
  const { workdir, artifacts } = place;
  // Where our plugin is installed for the user as well, its stop hook has nothing to say here.
  const env = {
    ...judgingHarnessEnvironment(settings, passEnv),
    ...extra,
    LOOP_GATE: "driver",
  };
  const alsoIn = artifacts !== null && isAbsolute(artifacts) ? [artifacts] : [];
  const around = { workdir, alsoIn, env };
  const answer = await withQuestionSettings(
    harness,
    around,
    oneShots,
    settings,
    parts.programs,
    (settingsFile) =>
      askWith({ ...around, settingsFile }, question.promptAt(place), question, oneShots, parts),
  );
  return typeof answer === "string" ? { ok: false, why: answer, usd: 0 } : answer;
}

async function askWith(
  around: Pick<OneShotRequest, "workdir" | "alsoIn" | "env" | "settingsFile">,
  prompt: PromptText,
  { schema, deadlineMs }: Question,
  oneShots: OneShots,
  { run, settings, uuid, programs }: AskingHarness,
): Promise<OneShotAnswer> {
  const plan = oneShots.plan({ ...around, sessionId: uuid(), prompt, schema });
  const end = await programs.runToEnd(
    {
      argv: plan.argv,
      cwd: around.workdir,
      env: ChildEnvironment.planned(plan),
      input: plan.stdin,
      deadlineMs,
      mostBytes,
      scratchDir: settings.scratchDir,
    },
    run,
  );
  return end.kind === "ended" ? oneShots.answer(end) : { ok: false, why: end.why, usd: 0 };
}
