import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/** A real process that runs a module from its source; a path is seen from this folder. */
export type Child = {
  readonly process: ChildProcess;
  /** Lines of standard output so far. */
  readonly lines: readonly string[];
  /** Resolves with the next line that has not been asked for. */
  next(): Promise<string>;
  kill(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
  /** Kills it and resolves when it is gone and all that it wrote was read. */
  end(): Promise<void>;
};

export function startChild(module: string, args: readonly string[]): Child {
  const file = resolve(import.meta.dirname, module);
  const child = spawn(process.execPath, ["--conditions=@loopwork/source", file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  const reader = createInterface({ input: child.stdout });
  let asked = 0;
  reader.on("line", (line) => {
    lines.push(line);
    const wake = waiting.shift();
    if (wake !== undefined) wake(line);
  });
  const closed = once(reader, "close");
  return {
    process: child,
    lines,
    next: () => {
      const line = lines[asked];
      asked += 1;
      return line === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(line);
    },
    kill: (signal) => void child.kill(signal),
    end: async () => {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
