import { LoopError } from "@loopwork/core/ports";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { runProgram } from "../processes/child-process.ts";

/**
 * Who keeps a daemon running: systemd's unit or launchd's agent of that name. `file` is its own;
 * launchd forgets an agent that was stopped.
 */
export type Supervisor = {
  readonly by: "systemd" | "launchd";
  readonly name: string;
  readonly file?: string;
};

type Verb = "start" | "stop" | "restart";

/** Set in units that `loop service install` writes, to `<by>:<name>`. */
export const supervisorVariable = "LOOP_SUPERVISOR";

const answerWithinMs = 90_000;

export function parseSupervisor(text: string | null | undefined): Supervisor | null {
  const [, by, name] = /^(systemd|launchd):([A-Za-z0-9@._-]{1,200})$/.exec(text ?? "") ?? [];
  return name === undefined ? null : { by: by === "launchd" ? "launchd" : "systemd", name };
}

/**
 * What a supervisor is told, as a command. Without that it would start again what is stopped, or
 * never know of what is started.
 */
function supervisorCommand(
  { by, name, file = "" }: Supervisor,
  verb: Verb,
  uid: number,
): readonly [string, ...string[]] {
  if (by === "systemd") return ["systemctl", "--user", verb, name];
  if (verb === "start") return ["launchctl", "bootstrap", `gui/${uid}`, file];
  const target = `gui/${uid}/${name}`;
  return verb === "stop"
    ? ["launchctl", "bootout", target]
    : ["launchctl", "kickstart", "-k", target];
}

/** Resolves when the supervisor has done it. Rejects with `LOOP_E_SUPERVISOR`. */
export function tellSupervisor(
  supervisor: Supervisor,
  verb: Verb,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  return runSupervisor(supervisorCommand(supervisor, verb, process.getuid?.() ?? 0), env);
}

export async function runSupervisor(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { error, stderr } = await runProgram(program, args, {
    env: ChildEnvironment.tool(env, ["DBUS_SESSION_BUS_ADDRESS"]),
    timeout: answerWithinMs,
  });
  if (error === null) return;
  throw new LoopError(
    "LOOP_E_SUPERVISOR",
    `\`${[program, ...args].join(" ")}\` failed: ${stderr.trim().split("\n", 1)[0] || error.message}`,
    "Run it yourself in a session of this user to see what it says",
  );
}
