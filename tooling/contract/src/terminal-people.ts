import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { findLiveSessions } from "@loopwork/harness-a";
import type { Scene } from "./scene.ts";
import type { TerminalScene } from "./terminal-scene.ts";

/**
 * Lets somebody sit in front of the terminal meanwhile: a client in a terminal of another server.
 */
export async function withReader(
  terminal: TerminalScene,
  readOnly: boolean,
  work: () => Promise<void>,
): Promise<void> {
  const socket = `${terminal.socket}-${randomUUID().slice(0, 8)}`; // A server that is going would take the next one's call, and be gone.
  const tmux = (...args: readonly string[]): void =>
    void spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      env: { PATH: process.env["PATH"], TERM: "xterm-256color", LANG: "C.UTF-8" },
    });
  tmux(
    "new-session",
    "-d",
    "-x",
    "160",
    "-y",
    "50",
    "env",
    "-u",
    "TMUX",
    ...terminal.terminals.attachCommand(terminal.name, readOnly),
  );
  try {
    for (
      const end = performance.now() + 10_000;
      terminal.tmux("list-clients", "-t", `=${terminal.name}`) === "";
      await sleep(50)
    )
      if (performance.now() > end) throw new Error("nobody could attach");
    await work();
  } finally {
    tmux("kill-server");
    rmSync(socket, { force: true });
  }
}

/** Waits until the harness's own register says that it works. */
export async function untilBusy(scene: Scene): Promise<void> {
  for (const end = performance.now() + 10_000; ; await sleep(50)) {
    if (
      (await findLiveSessions(scene.configDir, scene.sessionId)).some(
        ({ status }) => status === "busy",
      )
    )
      return;
    if (performance.now() > end) throw new Error("the harness never said that it works");
  }
}
