import "./hooks.ts";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Answer, FileCost, Reload, Request, TestCost } from "./protocol.ts";
import { loadFile, registered } from "./registry.ts";
import { catchLateFailures, runTest } from "./run-test.ts";
import { cpuMs, cpuNow, reaching, switchboard, TooManySteps } from "./switchboard.ts";

/**
 * A process with the planted sources and all tests loaded. It first tells what each test reaches
 * and costs, when asked to; then it tries one mutant after the other. What it may not decide
 * itself, that a test hangs without a step, the parent does.
 */
const [, , setup = "", ...rest] = process.argv;
const at = rest.indexOf("--");
const [sources, files] = [rest.slice(0, at), rest.slice(at + 1)];

/** A process is ended where what was loaded anew has filled so much of it. */
const mostBytes = 1_500_000_000;

const { reached: atLoad } = await reaching(async () => {
  await import(pathToFileURL(setup).href);
  for (const source of sources) await import(pathToFileURL(source).href);
});
const costs: FileCost[] = [];
for (const file of files) {
  const first = registered.length;
  const { reached, steps } = await reaching(() => loadFile(file));
  costs.push({ first, count: registered.length - first, steps, reached: [...reached] });
}

catchLateFailures();
let queue = Promise.resolve();
process.on("message", (request: Request) => {
  queue = queue.then(async () =>
    send(request.kind === "survey" ? await survey() : await tryMutant(request)),
  );
});
send({ kind: "ready", tests: registered.length });

async function survey(): Promise<Answer> {
  const tests: TestCost[] = [];
  for (const index of registered.keys()) {
    const few = await costOf(index, false);
    tests.push(few.failure === null ? few : await costOf(index, true));
  }
  return { kind: "survey", tests, files: costs, atLoad: [...atLoad] };
}

async function costOf(index: number, whole: boolean): Promise<TestCost> {
  const each = registered[index];
  const began = cpuNow();
  const {
    result: failure,
    reached,
    steps,
    readClock,
  } = await reaching(() => runTest(each, Number.POSITIVE_INFINITY, whole));
  return {
    name: `${path.relative(process.cwd(), each?.file ?? "")}: ${each?.name}`,
    ms: cpuMs(began),
    steps,
    reached: [...reached],
    whole,
    clock: readClock,
    failure: failure === null ? null : String(failure),
  };
}

/**
 * Stops at the first test that fails; that test must pass again with the mutant off, or this
 * process is spoilt.
 */
async function tryMutant({ id, tests, reloads }: Request & { kind: "try" }): Promise<Answer> {
  for (const { index, limit } of tests) {
    switchboard.mutant = id;
    const failure = await runTest(registered[index], limit);
    switchboard.mutant = "";
    if (failure !== null)
      return noticed(
        id,
        failure,
        index,
        (await runTest(registered[index], Number.POSITIVE_INFINITY)) !== null,
      );
  }
  for (const reload of reloads) {
    switchboard.mutant = id;
    const failure = await failureAnew(reload);
    switchboard.mutant = "";
    if (failure !== null) return noticed(id, failure, null, isLarge());
  }
  return { kind: "tried", id, fate: "survived", by: null, spoilt: isLarge() };
}

/**
 * The failure of a test file that is loaded anew, or of one of its tests; null where there is none.
 */
async function failureAnew({ file, limit, runs }: Reload): Promise<unknown> {
  const [before, offset] = [registered.length, costs[file]?.first ?? 0];
  try {
    switchboard.steps = 0;
    switchboard.limit = limit;
    await loadFile(files[file] ?? "");
    for (const { index, limit: own } of runs) {
      const failure = await runTest(registered[before + index - offset], own);
      if (failure !== null) return failure;
    }
    return null;
  } catch (error) {
    return error;
  } finally {
    switchboard.limit = Number.POSITIVE_INFINITY;
    registered.length = before;
  }
}

function noticed(id: string, failure: unknown, by: number | null, spoilt: boolean): Answer {
  return {
    kind: "tried",
    id,
    fate: failure instanceof TooManySteps ? "timeout" : "killed",
    by,
    spoilt,
  };
}

function isLarge(): boolean {
  return process.memoryUsage.rss() > mostBytes;
}

function send(answer: Answer): void {
  process.send?.(answer);
}
