import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { startProgram } from "../processes/child-process.ts";

/** A call of the client of tmux, whole. */
export type TmuxCommand = {
  readonly args: readonly string[];
  readonly input: string;
  readonly path: string;
  readonly answersWithinMs: number;
};
export type Ran = {
  readonly code: number;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
};

/**
 * Resolves to what the client said; `silent` when it did not answer in time. Rejects with the
 * system's error when there is no tmux.
 */
export type RunTmux = (command: TmuxCommand) => Promise<Ran | "silent">;

/**
 * The server inherits the environment of whoever starts it and hands it to every program: so it
 * gets next to nothing. In a process group of its own, because a signal to ours must not make a
 * question look as if it had been answered.
 */
export const runTmux: RunTmux = ({ args, input, path, answersWithinMs }) =>
  new Promise((resolve, reject) => {
    const env = ChildEnvironment.exactly({
      PATH: path,
      LANG: "C.UTF-8",
      LC_ALL: "C.UTF-8",
      TERM: "dumb",
      HOME: "/",
    });
    const child = startProgram("tmux", args, {
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    const ran = { stdout: "", stderr: "" };
    const patience = setTimeout(() => (resolve("silent"), child.kill("SIGKILL")), answersWithinMs);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (ran.stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (ran.stderr += text));
    child.stdin?.on("error", () => {}); // It ended before it read; its exit code says so.
    child.once("error", (error) => (clearTimeout(patience), reject(error)));
    child.once(
      "close",
      (code, signal) => (clearTimeout(patience), resolve({ code: code ?? 1, signal, ...ran })),
    );
    child.stdin?.end(input);
  });
