import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { selfCommand } from "../src/start/self.ts";
import { until } from "../test/support/until.ts";
import type { World } from "../test/support/world.ts";

/**
 * Somebody at a terminal: a pane of another tmux server, in which programs are run, keys pressed
 * and the screen read.
 */
export type Person = {
  /** Types `loop …` in the scene's environment. */
  loop(...argv: readonly string[]): void;
  /** Runs any program in the scene's environment. */
  run(...argv: readonly string[]): void;
  keys(...keys: readonly string[]): void;
  screen(): string;
  sees(words: string): Promise<string>;
  /** The program has ended; resolves to what is left on the screen. */
  left(): Promise<string>;
};

export function sitDown({ scene }: World): Person {
  const socket = join(scene.dir, "person");
  const tmux = (...args: readonly string[]): string =>
    spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], TERM: "xterm-256color", LANG: "C.UTF-8" },
    }).stdout;
  onTestFinished(() => void tmux("kill-server"));
  const run: Person["run"] = (...argv) => {
    tmux("kill-server");
    const env = Object.entries(scene.env).map(([name, value]) => `${name}=${value}`);
    tmux(
      "new-session",
      "-d",
      "-x",
      "160",
      "-y",
      "50",
      "-s",
      "person",
      "-c",
      scene.cwd,
      "env",
      "-i",
      "TERM=tmux-256color",
      "LANG=C.UTF-8",
      ...env,
      "sh",
      "-c",
      '"$@"; printf "left: %s\\n" $?; sleep 600',
      "sh",
      ...argv,
    );
  };
  const screen = (): string => tmux("capture-pane", "-p", "-t", "=person:");
  const sees: Person["sees"] = (words) =>
    until(
      async () => (screen().includes(words) ? screen() : null),
      `the person sees ${JSON.stringify(words)}`,
      async () => screen(),
    );
  return {
    run,
    screen,
    sees,
    loop: (...argv) => run(...selfCommand(), ...argv),
    keys: (...keys) => void tmux("send-keys", "-t", "=person:", ...keys),
    left: () => sees("left: "),
  };
}
