import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { placeOf } from "@loopwork/cli/terminal/place";
import { createTmux } from "@loopwork/cli/terminal/tmux";
import type { Terminals } from "@loopwork/core/ports";
import type { EndedAttempt, RunningAttempt } from "@loopwork/core/testing";
import { type HarnessAOptions, terminalName } from "@loopwork/harness-a";
import type { AttemptOptions, Scene } from "./scene.ts";

const built = fileURLToPath(new URL("../../../packages/cli/dist/bin.js", import.meta.url));
const source = fileURLToPath(new URL("../../../packages/cli/src/bin.ts", import.meta.url));
const waitMs = 30_000;

/**
 * A row's scene with terminals: its own tmux server, ended with it, and the real `loop` for hooks
 * and driver.
 */
export type TerminalScene = {
  readonly terminals: Terminals;
  readonly name: string;
  /** The adapter's options for turns in the terminal. */
  readonly options: Partial<HarnessAOptions>;
  readonly socket: string;
  begin(prompt: string, attempt?: AttemptOptions): Promise<RunningAttempt>;
  turn(prompt: string, attempt?: AttemptOptions): Promise<EndedAttempt>;
  /** Waits until the terminal shows the words; rejects with what it shows instead. */
  shows(words: string): Promise<string>;
  /** What it shows now, without escape sequences. */
  text(): Promise<string>;
  tmux(...args: readonly string[]): string;
};

/** Runs the check with terminals, and ends their server whatever happens. */
export async function inTerminal(
  scene: Scene,
  check: (terminal: TerminalScene) => Promise<void>,
  setUp: (scene: Scene) => Promise<void> = settleIn,
): Promise<void> {
  const place = placeOf(path.join(scene.dir, "state"));
  const tmux = (...args: readonly string[]): string =>
    spawnSync("tmux", ["-S", place.socket, ...args], { encoding: "utf8" }).stdout;
  try {
    await setUp(scene);
    await check(createTerminalScene(scene, place, tmux));
  } finally {
    tmux("kill-server");
  }
}

function createTerminalScene(
  scene: Scene,
  place: ReturnType<typeof placeOf>,
  tmux: TerminalScene["tmux"],
): TerminalScene {
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  const terminals = createTmux(place, process.env["PATH"]);
  const bin = writeLoop(scene);
  const name = terminalName(scene.sessionId);
  const options = {
    terminal: {
      terminals,
      folder: place.folder,
      driver: [path.join(bin, "loop"), "terminal-turn"] as const,
      runsTurns: true,
    },
  };
  const inside = (attempt: AttemptOptions = {}): AttemptOptions => ({
    ...attempt,
    env: {
      PATH: `${bin}:${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
      TERM: "xterm-256color",
      ...attempt.env,
    },
    options: { ...options, ...attempt.options },
  });
  const text = async (): Promise<string> => tmux("capture-pane", "-p", "-t", `=${name}:`);
  return {
    terminals,
    name,
    options,
    socket: place.socket,
    tmux,
    text,
    begin: (prompt, attempt) => scene.begin(prompt, inside(attempt)),
    turn: (prompt, attempt) => scene.turn(prompt, inside(attempt)),
    async shows(words) {
      for (const until = performance.now() + waitMs; performance.now() < until; await sleep(50))
        if ((await text()).includes(words)) return text();
      throw new Error(`the terminal does not show ${JSON.stringify(words)} but:\n${await text()}`);
    },
  };
}

/**
 * What a person who uses the harness has done once: the welcome, and the key. Trust is left to the
 * adapter under test.
 */
export async function settleIn(scene: Scene): Promise<void> {
  const known = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: ["sk-ant-dummy-0000"], rejected: [] },
  };
  scene.write("config/.claude.json", JSON.stringify(known));
  const trusted = await scene.adapter().trust.prepare({
    workdir: scene.workdir,
    workspaceRoot: null,
    scope: "directory",
    bypass: false,
    env: scene.environment(),
  });
  if (trusted.kind === "failed") throw new Error(`trust was not written: ${trusted.why}`);
}

/**
 * The command line itself as `loop`, as it was built, else from source: what hooks and driver call.
 */
function writeLoop(scene: Scene): string {
  const bin = path.join(scene.dir, "loop-bin");
  mkdirSync(bin, { recursive: true });
  const file = path.join(bin, "loop");
  const words = existsSync(built) ? `'${built}'` : `--conditions=@loopwork/source '${source}'`;
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' ${words} "$@"\n`);
  chmodSync(file, 0o755);
  return bin;
}

/** Messages of people on record, as the model gets them. */
export function saidIn(scene: Scene): readonly string[] {
  return scene.transcript().flatMap((line) => {
    const message: unknown = line["message"];
    const content =
      typeof message === "object" && message !== null && "content" in message
        ? message.content
        : null;
    return line["type"] === "user" && line["isMeta"] !== true && typeof content === "string"
      ? [content]
      : [];
  });
}
