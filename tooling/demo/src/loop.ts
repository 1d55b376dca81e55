import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Scene } from "./scene.ts";

const execute = promisify(execFile);

/** One line of `loop events --follow --json`. */
export type StoryEvent = {
  readonly kind: string;
  readonly reason: string | null;
  readonly workItem: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** The real command line, run as a person would. */
export type Loop = {
  start(): Promise<void>;
  stop(): Promise<void>;
  follow(): AsyncIterable<StoryEvent>;
  /** Output of a command, a line each; empty when it fails. */
  lines(args: readonly string[]): Promise<readonly string[]>;
  logTail(): Promise<readonly string[]>;
};

export function createLoop(scene: Scene): Loop {
  const followers: ChildProcess[] = [];
  const run = (args: readonly string[]): Promise<{ readonly stdout: string }> =>
    execute(process.execPath, [scene.loopBin, ...args], { env: scene.env, cwd: scene.scratch });
  return {
    async start() {
      await run(["start"]);
    },
    async stop() {
      for (const follower of followers) follower.kill("SIGTERM");
      await run(["stop"]).catch(() => {});
    },
    follow() {
      const child = spawn(process.execPath, [scene.loopBin, "events", "--follow", "--json"], {
        env: scene.env,
        cwd: scene.scratch,
        stdio: ["ignore", "pipe", "ignore"],
      });
      followers.push(child);
      return eventsOf(child);
    },
    lines: async (args) =>
      (await run(args).catch(() => ({ stdout: "" }))).stdout
        .split("\n")
        .filter((line) => line !== ""),
    logTail: async () =>
      (await readFile(join(scene.stateRoot, "logs", "service.log"), "utf8").catch(() => ""))
        .split("\n")
        .slice(-20),
  };
}

async function* eventsOf(child: ChildProcess): AsyncGenerator<StoryEvent> {
  if (child.stdout === null) return;
  for await (const line of createInterface({ input: child.stdout })) {
    const event: unknown = JSON.parse(line);
    if (isStoryEvent(event)) yield event;
  }
}

function isStoryEvent(value: unknown): value is StoryEvent {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    typeof value.kind === "string" &&
    "fields" in value &&
    typeof value.fields === "object"
  );
}
