import type { Survey, TestCost } from "./protocol.ts";
import type { Fate, Mutant } from "./result.ts";
import { startWorker, type Load, type Worker } from "./workers.ts";

export type Fates = ReadonlyMap<string, Fate>;

/** A test may take this many times its own steps, and a floor for those that take few, before it counts as endless. */
const timesSteps = 5;
const leastSteps = 200_000;

/** A test with more steps would take most of the time, for each mutant that survives all others. */
const mostSteps = 3_000_000;

/** Only for a loop without a place for a mutant, which counts no steps; far above what any set of tests takes. */
const patienceMs = (tests: readonly TestCost[]): number => 20_000 + 20 * tests.reduce((sum, { ms }) => sum + ms, 0);

type Plan = { readonly mutant: Mutant; readonly tests: readonly number[] };

/**
 * Tries each mutant with the tests that reach it, the quickest first, in `workers` processes. Throws when a test fails with
 * no mutant on, before or after.
 */
export async function tryAll(mutants: readonly Mutant[], load: Load, workers: number, progress: (line: string) => void): Promise<Fates> {
  const first = await startWorker(load);
  const survey = await surveyOf(first);
  const leftOut = survey.tests.filter((each) => !isAsked(each));
  progress(`${survey.tests.length} tests pass with every mutant off; ${leftOut.length} are asked about none, because they hold the clock to a limit, count hundreds of examples or take over ${mostSteps} steps`);
  const { fates, plans } = planTries(mutants, survey);
  progress(`${mutants.length} mutants: ${plans.length} to try`);
  const began = performance.now();
  const queue = [...plans];
  const told = setInterval(() => progress(`${plans.length - queue.length} of ${plans.length} tried, ${survivors(fates)} survived, ${Math.round((performance.now() - began) / 1_000)} s`), 15_000);
  try {
    await Promise.all(Array.from({ length: workers }, async (_, index) => tryFrom(queue, survey, fates, load, index === 0 ? first : null)));
  } finally {
    clearInterval(told);
  }
  return fates;
}

function survivors(fates: ReadonlyMap<string, Fate>): number {
  return [...fates.values()].filter((fate) => fate === "survived").length;
}

/** Runs every test with no mutant on. A test that holds the clock to a limit may fail then: it is asked about no mutant. */
async function surveyOf(worker: Worker): Promise<Survey> {
  const survey = await worker.ask({ kind: "survey" }, 1_800_000);
  if (survey === "hung" || survey.kind !== "survey") throw new Error("the tests did not come to an end with no mutant on");
  const failed = survey.tests.filter(({ failure, clock }) => failure !== null && !clock);
  if (failed.length > 0) throw new Error(`${failed.length} tests fail with no mutant on:\n${failed.map(({ name, failure }) => `${name}: ${failure?.slice(0, 200)}`).join("\n")}`);
  if (survey.tests.length === 0) throw new Error("there are no tests");
  return survey;
}

function planTries(mutants: readonly Mutant[], survey: Survey): { fates: Map<string, Fate>; plans: readonly Plan[] } {
  const reachedBy = new Map<string, number[]>();
  for (const [index, test] of survey.tests.entries()) if (isAsked(test)) for (const id of test.reached) reachedBy.set(id, [...(reachedBy.get(id) ?? []), index]);
  const atLoad = new Set(survey.atLoad);
  const fates = new Map<string, Fate>();
  const plans: Plan[] = [];
  for (const mutant of mutants) {
    const tests = reachedBy.get(mutant.id);
    if (tests === undefined) fates.set(mutant.id, atLoad.has(mutant.id) ? "static" : "noCoverage");
    else plans.push({ mutant, tests: tests.toSorted((a, b) => (survey.tests[a]?.ms ?? 0) - (survey.tests[b]?.ms ?? 0)) });
  }
  return { fates, plans };
}

/** What is left out lowers the score: what only such a test notices counts as a survivor. */
function isAsked({ clock, whole, steps }: TestCost): boolean {
  return !clock && !whole && steps <= mostSteps;
}

/** One worker's share. A worker that hung or was spoilt is ended, and a fresh one goes on. */
async function tryFrom(queue: Plan[], survey: Survey, fates: Map<string, Fate>, load: Load, given: Worker | null): Promise<void> {
  let worker = given ?? (await startWorker(load));
  for (let plan = queue.shift(); plan !== undefined; plan = queue.shift()) {
    const costs = plan.tests.flatMap((index) => survey.tests[index] ?? []);
    const tests = plan.tests.map((index, at) => ({ index, limit: Math.max(leastSteps, timesSteps * (costs[at]?.steps ?? 0)) }));
    const answer = await worker.ask({ kind: "try", id: plan.mutant.id, tests }, patienceMs(costs));
    const tried = answer === "hung" || answer.kind !== "tried" ? null : answer;
    fates.set(plan.mutant.id, tried?.fate ?? "timeout");
    if (tried !== null && !tried.spoilt) continue;
    await worker.close();
    worker = await startWorker(load);
  }
  await surveyOf(worker);
  await worker.close();
}
