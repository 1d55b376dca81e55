import { examples } from "./fast-check.ts";
import { type RegisteredTest, running } from "./registry.ts";
import { switchboard, TooManySteps } from "./switchboard.ts";

/** How many examples of a property are enough, unless the test counts them. */
const fewExamples = 50;

let failedLate: unknown = null;

/** From here on, what fails behind a test's back is that test's failure. */
export function catchLateFailures(): void {
  process.on("uncaughtException", (error) => (failedLate = error));
  process.on("unhandledRejection", (error) => (failedLate = error));
}

/**
 * The failure of a test that goes on for at most `limit` steps, or null. A test that is not there
 * any more fails.
 */
export async function runTest(
  test: RegisteredTest | undefined,
  limit: number,
  whole = false,
): Promise<unknown> {
  if (test === undefined) return new Error("there is no such test");
  running.file = test.file;
  failedLate = null;
  examples.most = whole ? Number.POSITIVE_INFINITY : fewExamples;
  switchboard.steps = 0;
  switchboard.limit = limit;
  try {
    const result = test.run();
    if (result instanceof Promise) await result;
    return switchboard.steps > limit
      ? new TooManySteps("it went on after it was stopped")
      : failedLate;
  } catch (error) {
    return switchboard.steps > limit
      ? new TooManySteps("stopped")
      : (error ?? new Error("threw nothing"));
  } finally {
    for (const undo of running.undo.splice(0)) undo();
    switchboard.limit = Number.POSITIVE_INFINITY;
  }
}
