import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileCache } from "@loopwork-tooling/practice-host";
import { onTestFinished } from "vitest";
import { main } from "../../src/program.ts";
import type { ProcessAbove } from "../../src/processes/process-identity.ts";
import type { Io } from "../../src/io/io.ts";

/**
 * A home, a working directory and a configuration of one test, and the command line run in it as a
 * person would.
 */
export type Scene = {
  readonly dir: string;
  readonly home: string;
  readonly cwd: string;
  readonly configFile: string;
  readonly env: Record<string, string>;
  configure(text: string): void;
  text(): string;
  /** Commands run below these processes from now on; whatever runs the tests counts for nothing. */
  below(processes: readonly ProcessAbove[]): void;
  /** From now on a person sits at the terminal and answers like this. */
  terminal(answer: (question: string) => string): void;
  /** What a command finds on its standard input from now on. */
  stdin(text: string): void;
  /** Runs `loop` in this process. */
  loop(...argv: string[]): Promise<Ran>;
};

export type Ran = {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  json(): unknown;
};

export function createScene(config = ""): Scene {
  const dir = mkdtempSync(join(tmpdir(), "loop-cli-"));
  onTestFinished(() =>
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  );
  const [home, cwd, configFile] = [
    join(dir, "home"),
    join(dir, "work"),
    join(dir, "cli-config.yaml"),
  ];
  mkdirSync(home);
  mkdirSync(cwd);
  writeFileSync(configFile, config);
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    LOOP_CONFIG: configFile,
    ...compileCache(),
  };
  let input = "";
  let answer: ((question: string) => string) | null = null;
  let above: readonly ProcessAbove[] = [];
  return {
    dir,
    home,
    cwd,
    configFile,
    env,
    configure: (text) => writeFileSync(configFile, text),
    text: () => readFileSync(configFile, "utf8"),
    below: (given) => void (above = given),
    terminal: (given) => void (answer = given),
    stdin: (text) => void (input = text),
    async loop(...argv) {
      let [out, err] = ["", ""];
      const io: Io = {
        version: "0.0.0-test",
        cwd,
        home,
        env,
        color: false,
        width: 100,
        interactive: answer !== null,
        out: (text) => void (out += text),
        err: (text) => void (err += text),
        readStdin: () => Promise.resolve(input),
        ask: (question) => Promise.resolve(answer?.(question) ?? ""),
        above: () => above,
      };
      const code = await main(argv, io);
      return { code, out, err, json: () => JSON.parse(out) };
    },
  };
}
