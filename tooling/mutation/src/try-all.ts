import type { Reload, Run, Survey, TestCost } from "./protocol.ts";
import type { Fate, Mutant } from "./result.ts";
import { startWorker, type Load, type Worker } from "./workers.ts";

export type Fates = ReadonlyMap<string, Fate>;

/**
 * A test may take this many times its own steps, and a floor for those that take few, before it
 * counts as endless.
 */
const timesSteps = 5;
const leastSteps = 200_000;

/** A test with more steps would take most of the time, for each mutant that survives all others. */
const mostSteps = 3_000_000;

/**
 * Only for a loop without a place for a mutant, which counts no steps; far above what any set of
 * tests takes.
 */
const patienceMs = (tests: readonly TestCost[]): number =>
  20_000 + 20 * tests.reduce((sum, { ms }) => sum + ms, 0);

/**
 * `files` compute something with the mutant's place before any test runs, so that they are loaded
 * anew with the mutant on.
 */
type Plan = {
  readonly mutant: Mutant;
  readonly tests: readonly number[];
  readonly files: readonly number[];
};

/**
 * Tries each mutant with the tests that reach it, the quickest first, in `workers` processes.
 * Throws when a test fails with no mutant on, before or after.
 */
export async function tryAll(
  mutants: readonly Mutant[],
  load: Load,
  workers: number,
  progress: (line: string) => void,
): Promise<Fates> {
  const first = await startWorker(load);
  const survey = await surveyOf(first);
  const leftOut = survey.tests.filter((each) => !isAsked(each));
  progress(
    `${survey.tests.length} tests pass with every mutant off; ${leftOut.length} are asked about none, because they hold the clock to a limit, count hundreds of examples or take over ${mostSteps} steps`,
  );
  const { fates, plans } = planTries(mutants, survey);
  progress(`${mutants.length} mutants: ${plans.length} to try`);
  const began = performance.now();
  const queue = [...plans];
  const told = setInterval(
    () =>
      progress(
        `${plans.length - queue.length} of ${plans.length} tried, ${survivors(fates)} survived, ${Math.round((performance.now() - began) / 1_000)} s`,
      ),
    15_000,
  );
  try {
    await Promise.all(
      Array.from({ length: workers }, async (_, index) =>
        tryFrom(queue, survey, fates, load, index === 0 ? first : null),
      ),
    );
  } finally {
    clearInterval(told);
  }
  return fates;
}

function survivors(fates: ReadonlyMap<string, Fate>): number {
  return [...fates.values()].filter((fate) => fate === "survived").length;
}

/**
 * Runs every test with no mutant on. A test that holds the clock to a limit may fail then: it is
 * asked about no mutant.
 */
async function surveyOf(worker: Worker): Promise<Survey> {
  const survey = await worker.ask({ kind: "survey" }, 1_800_000);
  if (survey === "hung" || survey.kind !== "survey")
    throw new Error("the tests did not come to an end with no mutant on");
  const failed = survey.tests.filter(({ failure, clock }) => failure !== null && !clock);
  if (failed.length > 0)
    throw new Error(
      `${failed.length} tests fail with no mutant on:\n${failed.map(({ name, failure }) => `${name}: ${failure?.slice(0, 200)}`).join("\n")}`,
    );
  if (survey.tests.length === 0) throw new Error("there are no tests");
  return survey;
}

function planTries(
  mutants: readonly Mutant[],
  survey: Survey,
): { fates: Map<string, Fate>; plans: readonly Plan[] } {
  const byTest = reachedBy(survey.tests.map((test) => (isAsked(test) ? test.reached : [])));
  const byFile = reachedBy(survey.files.map(({ reached }) => reached));
  const atLoad = new Set(survey.atLoad);
  const fates = new Map<string, Fate>();
  const plans: Plan[] = [];
  for (const mutant of mutants) {
    const [tests, files] = [byTest.get(mutant.id) ?? [], byFile.get(mutant.id) ?? []];
    if (tests.length + files.length === 0)
      fates.set(mutant.id, atLoad.has(mutant.id) ? "static" : "noCoverage");
    else
      plans.push({
        mutant,
        files,
        tests: tests.toSorted((a, b) => (survey.tests[a]?.ms ?? 0) - (survey.tests[b]?.ms ?? 0)),
      });
  }
  return { fates, plans };
}

/** By mutant, the numbers of those that reach it. */
function reachedBy(
  reached: readonly (readonly string[])[],
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, ids] of reached.entries())
    for (const id of ids) found.set(id, [...(found.get(id) ?? []), index]);
  return found;
}

/** What is left out lowers the score: what only such a test notices counts as a survivor. */
function isAsked({ clock, whole, steps }: TestCost): boolean {
  return !clock && !whole && steps <= mostSteps;
}

/** One worker's share. A worker that hung or was spoilt is ended, and a fresh one goes on. */
async function tryFrom(
  queue: Plan[],
  survey: Survey,
  fates: Map<string, Fate>,
  load: Load,
  given: Worker | null,
): Promise<void> {
  let worker = given ?? (await startWorker(load));
  for (let plan = queue.shift(); plan !== undefined; plan = queue.shift()) {
    const tests = plan.tests.map((index) => runOf(index, survey));
    const reloads = plan.files.map((file) => reloadOf(file, survey));
    const costs = [...tests, ...reloads.flatMap(({ runs }) => runs)].flatMap(
      ({ index }) => survey.tests[index] ?? [],
    );
    const answer = await worker.ask(
      { kind: "try", id: plan.mutant.id, tests, reloads },
      patienceMs(costs),
    );
    const tried = answer === "hung" || answer.kind !== "tried" ? null : answer;
    fates.set(plan.mutant.id, tried?.fate ?? "timeout");
    if (tried !== null && !tried.spoilt) continue;
    await worker.close();
    worker = await startWorker(load);
  }
  await passAgain(worker, survey);
  await worker.close();
}

function runOf(index: number, { tests }: Survey): Run {
  return { index, limit: limitOf(tests[index]?.steps ?? 0) };
}

function reloadOf(file: number, survey: Survey): Reload {
  const { first, count, steps } = survey.files[file] ?? { first: 0, count: 0, steps: 0 };
  const own = Array.from({ length: count }, (_, n) => first + n);
  return {
    file,
    limit: limitOf(steps),
    runs: own.filter((index) => isAskedAt(index, survey)).map((index) => runOf(index, survey)),
  };
}

function isAskedAt(index: number, { tests }: Survey): boolean {
  const test = tests[index];
  return test !== undefined && isAsked(test);
}

const limitOf = (steps: number): number => Math.max(leastSteps, timesSteps * steps);

/** A process that ran hundreds of mutants must still be the one that it was. */
async function passAgain(worker: Worker, survey: Survey): Promise<void> {
  const tests = survey.tests.flatMap((test, index) =>
    isAsked(test) ? [{ index, limit: Number.MAX_SAFE_INTEGER }] : [],
  );
  const answer = await worker.ask({ kind: "try", id: "", tests, reloads: [] }, 1_800_000);
  if (answer === "hung" || answer.kind !== "tried" || answer.fate !== "survived")
    throw new Error(`after all mutants, with none on, a test fails: ${JSON.stringify(answer)}`);
}
