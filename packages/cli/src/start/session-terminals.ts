import { promptText, type Session } from "@loopwork/core/ports";
import { mkdirSync } from "node:fs";
import { createHarnessA, parseTerminalTurn, terminalName } from "@loopwork/harness-a";
import { ChildEnvironment, turnEnvironment } from "@loopwork/runtime/child-environment";
import { startProgram } from "../processes/child-process.ts";
import { type LoadedConfig, runtimeSettings } from "../configuration/load-config.ts";
import { harnessAOptions } from "./harnesses.ts";
import type { SessionTerminals } from "../ports/command-ports.ts";
import type { Io } from "../io/io.ts";
import { createRunProcess } from "../processes/run-process.ts";
import { openTerminalsOf } from "./terminals.ts";

/** The terminals of sessions, for a person who wants to sit in front of one. */
export function openSessionTerminals(loaded: LoadedConfig, io: Pick<Io, "home">): SessionTerminals {
  const terminals = openTerminalsOf(loaded);
  return {
    isOpen: async ({ harnessSessionId }) => {
      const found = await terminals.find(terminalName(harnessSessionId));
      return found?.ours === true && found.alive;
    },
    async open(session) {
      const plan = planOf(session, loaded, io);
      if (plan === null) return;
      mkdirSync(plan.folder, { recursive: true, mode: 0o700 }); // Its hooks write there, and by it the terminal is ended later.
      await terminals.open(plan);
    },
    attach: ({ harnessSessionId }, readOnly) =>
      onThisTerminal(terminals.attachCommand(terminalName(harnessSessionId), readOnly), loaded.env),
  };
}

/** The harness as a turn would start it, without a message. */
function planOf(
  session: Session & { readonly workdir: string },
  loaded: LoadedConfig,
  io: Pick<Io, "home">,
) {
  const options = harnessAOptions(() => loaded, io, createRunProcess(), openTerminalsOf(loaded));
  const settings = runtimeSettings(loaded);
  const env = turnEnvironment(
    {
      env: settings.env,
      secretNames: settings.secretNames,
      passEnv: options.passEnv,
      extra: options.env,
      binDir: settings.binDir,
    },
    {
      instance: settings.policy.instance.name,
      workItem: session.workItem,
      session: session.harnessSessionId,
      turn: 0,
      turnDir: settings.turnsDir,
      configFile: settings.configFile,
      driverAsks: false,
    },
  );
  const plan = createHarnessA(options).turns.plan({
    mode: session.begun ? "resume" : "start",
    sessionId: session.harnessSessionId,
    receipt: crypto.randomUUID(),
    prompt: promptText("-"),
    workdir: session.workdir,
    turnDir: settings.turnsDir,
    env,
  });
  const turn = parseTerminalTurn(plan.stdin);
  return turn === null
    ? null
    : {
        folder: turn.folder,
        name: turn.name,
        title: turn.title,
        argv: turn.argv,
        cwd: turn.workdir,
        env: plan.env,
      };
}

/** Hands this process's terminal to a program; resolves to its exit code. */
function onThisTerminal(
  [program, ...args]: readonly [string, ...string[]],
  env: LoadedConfig["env"],
): Promise<number> {
  return new Promise((resolve, reject) => {
    // Without TMUX, by which it refuses a terminal inside of a terminal; ours is another server.
    const child = startProgram(program, args, {
      stdio: "inherit",
      env: ChildEnvironment.tool(env),
    });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
