import { LoopError, type TurnPlan, type TurnRequest } from "@loopwork/core/ports";
import { withoutParentHarness } from "./strip-parent-env.ts";
import type { HarnessBOptions } from "./options.ts";
import { findProgram } from "./program.ts";

/**
 * What to start for one attempt. The chat was made by `create-chat`, so a first turn resumes as
 * well. `--trust` covers this workspace only and grants no tools; `--worktree` is never passed,
 * since the checkout is ours.
 */
export function planTurn(
  request: TurnRequest,
  options: Pick<HarnessBOptions, "command" | "args" | "env" | "passEnv" | "permissions" | "trust">,
): TurnPlan {
  const env = {
    ...withoutParentHarness(request.env, options.passEnv),
    ...options.env,
    ...setByTheTurn(request.env),
  };
  return {
    argv: [
      options.command ?? findProgram(env["PATH"]),
      ...[
        "-p",
        "--output-format",
        "stream-json",
        ...trustFlag(options),
        "--workspace",
        request.workdir,
        "--resume",
        request.sessionId,
      ],
      ...(options.permissions === "bypass" ? ["--force"] : []),
      ...options.args,
    ],
    env,
    stdin: request.prompt,
    closeInput: "after-write",
  };
}

/**
 * Only by this flag the harness works in a folder that nobody trusted; the operator may keep that
 * choice (`routing.harnessTrust.enabled`).
 */
export function trustFlag({ trust }: Pick<HarnessBOptions, "trust">): readonly string[] {
  return trust ? ["--trust"] : [];
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

/**
 * Refuses arguments of the operator that would break the contract of a turn; throws
 * `LOOP_E_HARNESS_ARGS`.
 */
export function checkArgs(args: readonly string[]): void {
  for (const [at, arg] of args.entries()) {
    const why =
      whyReserved(arg) ??
      (arg.startsWith("-") && arg !== "-" ? undefined : valueOrWord(args[at - 1]));
    if (why !== undefined)
      throw new LoopError(
        "LOOP_E_HARNESS_ARGS",
        `harnesses.B.args may not hold ${arg}: ${why}.`,
        "Remove it from harnesses.B.args (or harnessArgs).",
      );
  }
}

/** Several short flags may stand in one word: `-pf` is `-p -f`. */
function whyReserved(arg: string): string | undefined {
  const flags = /^-[A-Za-z]{2,}$/.test(arg)
    ? Array.from(arg.slice(1), (letter) => `-${letter}`)
    : [arg.split("=", 1)[0] ?? arg];
  return flags.map((flag) => reserved.get(flag)).find((why) => why !== undefined);
}

/** A word that is no option's value would be read as the prompt, or as a command of the program. */
function valueOrWord(before: string | undefined): string | undefined {
  const takesIt =
    before !== undefined && before.startsWith("-") && !before.includes("=") && !alone.has(before);
  return takesIt ? undefined : "the prompt goes over standard input";
}

/** Options that take no value. */
const alone: ReadonlySet<string> = new Set(["--approve-mcps", "--auto-review"]);

const ours = "loop sets it for every turn";
const elsewhere = "the turn would run in another chat or place than the one that is recorded";
const reserved: ReadonlyMap<string, string> = new Map([
  ...[
    "-p",
    "--print",
    "--output-format",
    "--stream-partial-output",
    "--trust",
    "--workspace",
    "--resume",
  ].map((flag) => [flag, ours] as const),
  ...["--continue", "-w", "--worktree"].map((flag) => [flag, elsewhere] as const),
  ...["-f", "--force", "--yolo"].map(
    (flag) => [flag, "harnesses.B.permissions decides it"] as const,
  ),
  [
    "--api-key",
    "it would stand in the list of processes; put CURSOR_API_KEY into the environment of the service",
  ],
  ["--", "the prompt goes over standard input"],
]);
