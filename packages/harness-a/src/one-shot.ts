import {
  chosenArguments,
  type OneShotAnswer,
  type OneShotPlan,
  type OneShotRequest,
  type OneShots,
} from "@loopwork/core/ports";
import { asWritten, setByTheTurn } from "./command.ts";
import { reducedEnvironment } from "./strip-parent-env.ts";
import { objectOf, parseObject } from "./fields.ts";
import type { HarnessAOptions } from "./options.ts";
import { oneShotSettings, type OneShotSurroundings } from "./one-shot-settings.ts";
import { parseSessionId } from "./session-id.ts";
import { parseStreamLine } from "./stream-line.ts";

export type OneShotOptions = OneShotSurroundings & Pick<HarnessAOptions, "command" | "args">;

/** One question in a conversation of its own, of which nothing stays on disk. */
export function createOneShots(options: OneShotOptions): OneShots {
  return {
    reads: "checkout",
    settings: (place) => oneShotSettings(place, options),
    plan: (request) => planOneShot(request, options),
    answer: readAnswer,
  };
}

/**
 * The tools that there are at all are those that read, so that neither the operator's bypass nor
 * his settings give another one; what lies outside of the working directory would be asked for, and
 * nobody answers, and what is hidden from turns is denied by rules. The checkout's own settings never count here, nor is our plugin loaded: its hooks
 * belong to turns.
 */
function planOneShot(request: OneShotRequest, options: OneShotOptions): OneShotPlan {
  return {
    argv: [
      options.command,
      ...[
        "-p",
        "--output-format",
        "json",
        "--session-id",
        parseSessionId(request.sessionId),
        "--no-session-persistence",
      ],
      ...[
        "--setting-sources",
        "user",
        "--strict-mcp-config",
        "--permission-prompts",
        "none",
        "--permission-mode",
        "dontAsk",
      ],
      ...["--tools", readingTools],
      ...(request.alsoIn ?? []).flatMap((folder) => ["--add-dir", folder]),
      ...["--json-schema", JSON.stringify(request.schema)],
      ...chosenArguments(options.args, modelFlags),
      // The last one counts, and it takes the place of any before it.
      ...(request.settingsFile == null ? [] : ["--settings", request.settingsFile]),
    ],
    env: {
      ...reducedEnvironment(request.env, options.passEnv),
      ...options.env,
      ...setByTheTurn(request.env),
      ...asWritten,
      CLAUDE_CODE_MAX_RETRIES: "5",
      DISABLE_AUTOUPDATER: "1",
    },
    stdin: request.prompt,
  };
}

const readingTools = "Read,Grep,Glob";

/** Of the operator's arguments those that choose the model; the others are meant for turns. */
const modelFlags: ReadonlySet<string> = new Set(["--model", "--fallback-model", "--effort"]);

/**
 * The harness holds an answer to the schema itself, and says it apart from what was said around it.
 */
function readAnswer({ code, stdout, stderr }: Parameters<OneShots["answer"]>[0]): OneShotAnswer {
  const last = stdout.split("\n").findLast((line) => line.trim() !== "") ?? "";
  const line = parseStreamLine(last);
  if (line?.kind !== "result")
    return {
      ok: false,
      why: `the harness ended with ${code} and no answer: ${(stderr.trim() || last).slice(0, 300)}`,
      usd: 0,
    };
  const { failed, text, usd } = line.result;
  if (failed) return { ok: false, why: `the harness says: ${text.slice(0, 300)}`, usd };
  const structured = objectOf(parseObject(last)?.["structured_output"]);
  return { ok: true, text: structured === null ? text : JSON.stringify(structured), usd };
}
