import {
  chosenArguments,
  type OneShotAnswer,
  type OneShotPlan,
  type OneShotRequest,
  type OneShots,
} from "@loopwork/core/ports";
import { setByTheTurn, trustFlag } from "./command.ts";
import { reducedEnvironment } from "./strip-parent-env.ts";
import type { HarnessBOptions } from "./options.ts";
import { findProgram } from "./program.ts";
import { parseResult } from "./result.ts";

export type OneShotOptions = Pick<
  HarnessBOptions,
  "command" | "args" | "env" | "passEnv" | "trust"
>;

/**
 * One question in a new chat, by the documents of harness B: its mode `ask` reads and changes
 * nothing. Every conversation loads rules and hooks of the workspace, and no option keeps them out,
 * so that it is shown a copy without them.
 */
export function createOneShots(options: OneShotOptions): OneShots {
  return { reads: "copy", plan: (request) => planOneShot(request, options), answer: readAnswer };
}

/**
 * Without `--resume` a chat of its own begins, and `--force` is never passed, whatever the
 * permissions of turns.
 */
function planOneShot(request: OneShotRequest, options: OneShotOptions): OneShotPlan {
  const env = {
    ...reducedEnvironment(request.env, options.passEnv),
    ...options.env,
    ...setByTheTurn(request.env),
  };
  return {
    argv: [
      options.command ?? findProgram(env["PATH"]),
      ...[
        "-p",
        "--output-format",
        "json",
        "--mode",
        "ask",
        ...trustFlag(options),
        "--workspace",
        request.workdir,
      ],
      ...chosenArguments(options.args, modelFlags),
    ],
    env,
    stdin: request.prompt,
  };
}

/** Of the operator's arguments the one that chooses the model; the others are meant for turns. */
const modelFlags: ReadonlySet<string> = new Set(["--model"]);

/** A failure prints no JSON at all, whatever the exit code. */
function readAnswer({ code, stdout, stderr }: Parameters<OneShots["answer"]>[0]): OneShotAnswer {
  const result =
    stdout
      .split("\n")
      .map(parseResult)
      .findLast((line) => line !== null) ?? null;
  if (result === null)
    return {
      ok: false,
      why: `the harness ended with ${code} and no answer: ${`${stdout}\n${stderr}`.trim().slice(0, 300)}`,
      usd: 0,
    };
  return result.failed
    ? { ok: false, why: `the harness says: ${result.text.slice(0, 300)}`, usd: 0 }
    : { ok: true, text: result.text, usd: 0 };
}
