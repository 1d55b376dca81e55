import { LoopError, type TurnPlan, type TurnRequest } from "@loopwork/core/ports";
import { withoutParentHarness } from "./strip-parent-env.ts";
import { ledgerVariables } from "./ledger.ts";
import type { HarnessAOptions } from "./options.ts";
import { permissionFlags } from "./permissions.ts";
import { isUuid, parseSessionId } from "./session-id.ts";

export type CommandOptions = Pick<
  HarnessAOptions,
  | "command"
  | "args"
  | "env"
  | "passEnv"
  | "permissions"
  | "allowedTools"
  | "hostCommands"
  | "projectSettings"
  | "pluginDir"
>;

/**
 * What to start for one attempt. One process takes one message, whose uuid is the receipt; standard
 * input stays open until the harness is through with it, because a second line would be merged into
 * the running turn.
 */
export function planTurn(request: TurnRequest, options: CommandOptions): TurnPlan {
  if (!isUuid(request.receipt))
    throw new Error(`a receipt must be a UUID, got ${JSON.stringify(request.receipt)}`);
  const session = parseSessionId(request.sessionId);
  return {
    argv: [
      options.command,
      "-p",
      ...[
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--verbose",
        "--replay-user-messages",
      ],
      ...[request.mode === "start" ? "--session-id" : "--resume", session],
      ...(options.projectSettings ? [] : ["--setting-sources", "user", "--strict-mcp-config"]),
      ...["--permission-prompts", "none"],
      ...permissionFlags(options),
      ...(request.alsoIn ?? []).flatMap((folder) => ["--add-dir", folder]),
      ...["--plugin-dir", options.pluginDir],
      ...options.args,
      // The last one counts, and it takes the place of any before it.
      ...(request.sandbox == null ? [] : ["--settings", request.sandbox.settingsFile]),
    ],
    env: {
      ...withoutParentHarness(request.env, options.passEnv),
      ...options.env,
      ...setByTheTurn(request.env),
      ...ownVariables,
      ...asWritten,
      ...sandboxVariables(request),
      ...ledgerVariables(request),
    },
    stdin: `${messageLine(request)}\n`,
    closeInput: "after-result",
  };
}

/**
 * The eager flush puts our message on disk before the model sees it, which is what makes "absent"
 * provable. The harness's own retries end soon: waiting is our scheduler's work.
 */
const ownVariables: Readonly<Record<string, string>> = {
  CLAUDE_CODE_EAGER_FLUSH: "1",
  CLAUDE_CODE_MAX_RETRIES: "2",
  DISABLE_AUTOUPDATER: "1",
};

/**
 * A prompt is text, and the model gets it as it is written: no file that it mentions is read into
 * it, no word of it is a switch. It holds nothing of the kind (`promptText`); this is the second
 * lock. Names of branches and subjects of commits, which strangers choose in a pull request's head,
 * would stand beside it as the harness's own words.
 */
export const asWritten: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
  CLAUDE_CODE_DISABLE_ULTRATHINK: "1",
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
};

/** The sandbox has its own network, which Node's `fetch` finds by this variable alone. */
function sandboxVariables({ sandbox }: TurnRequest): Record<string, string> {
  return sandbox == null ? {} : { TMPDIR: sandbox.tmpDir, NODE_USE_ENV_PROXY: "1" };
}

/**
 * What the operator's variables may not take away: who the session is, and a PATH that begins with
 * our `loop`.
 */
export function setByTheTurn(env: TurnRequest["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name === "PATH" || name.startsWith("LOOP_")),
  );
}

function messageLine(request: TurnRequest): string {
  return JSON.stringify({
    type: "user",
    message: { role: "user", content: request.prompt },
    parent_tool_use_id: null,
    uuid: request.receipt,
  });
}

/**
 * Refuses arguments of the operator that would break the contract of a turn; throws
 * `LOOP_E_HARNESS_ARGS`.
 */
export function checkArgs(args: readonly string[]): void {
  for (const arg of args) {
    const why = reserved.get(arg.split("=", 1)[0] ?? arg);
    if (why !== undefined)
      throw new LoopError(
        "LOOP_E_HARNESS_ARGS",
        `harnesses.A.args may not hold ${arg}: ${why}.`,
        "Remove it from harnesses.A.args (or harnessArgs).",
      );
    if (arg === "--")
      throw new LoopError(
        "LOOP_E_HARNESS_ARGS",
        "harnesses.A.args may not hold --: the prompt goes over standard input.",
        "Remove it from harnesses.A.args (or harnessArgs).",
      );
  }
}

const ours = "loop sets it for every turn";
const elsewhere =
  "the turn would run in another session, place or mode than the one that is recorded";
const reserved: ReadonlyMap<string, string> = new Map([
  ...[
    "-p",
    "--print",
    "--input-format",
    "--output-format",
    "--replay-user-messages",
    "--session-id",
    "-r",
    "--resume",
    "--permission-prompts",
  ].map((flag) => [flag, ours] as const),
  ...[
    "-c",
    "--continue",
    "--fork-session",
    "--from-pr",
    "--no-session-persistence",
    "-w",
    "--worktree",
    "--tmux",
    "--bg",
    "--background",
    "--cloud",
    "--teleport",
    "--desktop",
  ].map((flag) => [flag, elsewhere] as const),
  ["--settings", "it would take the place of the sandbox's settings"],
  ["--setting-sources", "harnesses.A.projectSettings decides it"],
]);
