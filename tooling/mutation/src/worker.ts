import "./hooks.ts";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { examples } from "./fast-check.ts";
import { registered, running, enterFile } from "./registry.ts";
import { cpuMs, cpuNow, switchboard, TooManySteps } from "./switchboard.ts";
import type { Answer, Request, Run, TestCost } from "./protocol.ts";

/**
 * A process with the planted sources and all tests loaded. It first tells what each test reaches and costs, when asked to;
 * then it tries one mutant after the other. What it may not decide itself, that a test hangs without a step, the parent does.
 */
/** How many examples of a property are enough, unless the test counts them. */
const fewExamples = 50;

const [, , setup = "", ...files] = process.argv;
let failedLate: unknown = null;
process.on("uncaughtException", (error) => (failedLate = error));
process.on("unhandledRejection", (error) => (failedLate = error));

const atLoad = new Set<string>();
switchboard.reached = atLoad;
await import(pathToFileURL(setup).href);
for (const file of files) {
  enterFile(file);
  await import(pathToFileURL(file).href);
}
switchboard.reached = null;

let queue = Promise.resolve();
process.on("message", (request: Request) => {
  queue = queue.then(async () => send(request.kind === "survey" ? await survey() : await tryMutant(request)));
});
send({ kind: "ready", tests: registered.length });

async function survey(): Promise<Answer> {
  const tests: TestCost[] = [];
  for (const [index, each] of registered.entries()) {
    const few = await costOf(index, false);
    const { failure, ...cost } = few.failure === null ? few : await costOf(index, true);
    tests.push({ name: `${path.relative(process.cwd(), each.file)}: ${each.name}`, ...cost, failure: failure === null ? null : String(failure) });
  }
  return { kind: "survey", tests, atLoad: [...atLoad] };
}

async function costOf(index: number, whole: boolean): Promise<Omit<TestCost, "name" | "failure"> & { readonly failure: unknown }> {
  const reached = new Set<string>();
  switchboard.reached = reached;
  switchboard.readClock = false;
  const began = cpuNow();
  const failure = await runTest({ index, limit: Number.POSITIVE_INFINITY }, whole);
  switchboard.reached = null;
  return { ms: cpuMs(began), steps: switchboard.steps, reached: [...reached], whole, clock: switchboard.readClock, failure };
}

/** Stops at the first test that fails; that test must pass again with the mutant off, or this process is spoilt. */
async function tryMutant({ id, tests }: Request & { kind: "try" }): Promise<Answer> {
  for (const run of tests) {
    switchboard.mutant = id;
    const failure = await runTest(run);
    switchboard.mutant = "";
    if (failure === null) continue;
    const spoilt = (await runTest({ ...run, limit: Number.POSITIVE_INFINITY })) !== null;
    return { kind: "tried", id, fate: failure instanceof TooManySteps ? "timeout" : "killed", by: run.index, spoilt };
  }
  return { kind: "tried", id, fate: "survived", by: null, spoilt: false };
}

/** The failure of a test, or null. */
async function runTest({ index, limit }: Run, whole = false): Promise<unknown> {
  const each = registered[index];
  if (each === undefined) throw new Error(`there is no test ${index}`);
  running.file = each.file;
  failedLate = null;
  examples.most = whole ? Number.POSITIVE_INFINITY : fewExamples;
  switchboard.steps = 0;
  switchboard.limit = limit;
  try {
    const result = each.run();
    if (result instanceof Promise) await result;
    return switchboard.steps > limit ? new TooManySteps("it went on after it was stopped") : failedLate;
  } catch (error) {
    return switchboard.steps > limit ? new TooManySteps("stopped") : (error ?? new Error("threw nothing"));
  } finally {
    switchboard.limit = Number.POSITIVE_INFINITY;
  }
}

function send(answer: Answer): void {
  process.send?.(answer);
}
