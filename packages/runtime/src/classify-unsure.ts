import {
  classifierPrompt,
  classifierSchema,
  type ClassifierVerdict,
  parseClassifierVerdict,
  type Unsure,
} from "@loopwork/core/learnings";
import { type AskingHarness, askHarness } from "./graph/ask-harness.ts";

/**
 * Where a classifier runs, and how its harness is asked; `now` in milliseconds of any clock that
 * goes on.
 */
export type ClassifierParts = AskingHarness & {
  readonly workdir: string;
  readonly now: () => number;
};

/**
 * What a classifier said, by the id of the earliest candidate; why it said nothing of the others,
 * and what it cost.
 */
export type Classified = {
  readonly verdicts: ReadonlyMap<string, ClassifierVerdict>;
  readonly silent: readonly string[];
  readonly usd: number;
};

/** A consolidation waits for no more questions than these. */
const mostQuestions = 5;

/**
 * Asks a harness, a message each, what candidates mean that the service is not sure of
 * (`learnings.classifier`, ADR 0025). What is no answer of the form, or comes too late, is none,
 * and what loses least is done. Never rejects for what the harness does.
 */
export async function classifyUnsure(
  unsure: readonly Unsure[],
  parts: ClassifierParts,
): Promise<Classified> {
  const until = parts.now() + parts.settings.config.learnings.classifier.deadlineSeconds * 1000;
  const verdicts = new Map<string, ClassifierVerdict>();
  const silent = unsure
    .slice(mostQuestions)
    .map(({ text }) => `${JSON.stringify(text)}: more than ${mostQuestions} questions`);
  let usd = 0;
  for (const each of unsure.slice(0, mostQuestions)) {
    const said = await askAbout(each, until - parts.now(), parts);
    usd += said.usd;
    const [id] = each.candidates;
    if (typeof said.verdict === "string")
      silent.push(`${JSON.stringify(each.text)}: ${said.verdict}`);
    else if (id !== undefined) verdicts.set(id, said.verdict);
  }
  return { verdicts, silent, usd };
}

async function askAbout(
  unsure: Unsure,
  deadlineMs: number,
  parts: ClassifierParts,
): Promise<{ readonly verdict: ClassifierVerdict | string; readonly usd: number }> {
  if (deadlineMs <= 0) return { verdict: "no time was left", usd: 0 };
  const { learnings, routing } = parts.settings.config;
  const ids = unsure.retrieved.map(({ id }) => id);
  for (;;) {
    const prompt = classifierPrompt(unsure, parts.uuid().replaceAll("-", ""));
    if (prompt === null) continue;
    const answer = await askHarness(
      {
        harness: learnings.classifier.harness ?? routing.defaultHarness,
        promptAt: () => prompt,
        schema: classifierSchema(ids),
        place: { workdir: parts.workdir, artifacts: null },
        deadlineMs,
      },
      parts,
    );
    if (!answer.ok) return { verdict: answer.why, usd: answer.usd };
    const { withoutFence } = await import("@loopwork/core");
    return { verdict: parseClassifierVerdict(withoutFence(answer.text), ids), usd: answer.usd };
  }
}
