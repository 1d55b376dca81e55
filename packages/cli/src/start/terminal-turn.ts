import { writeSync } from "node:fs";
import { dirname } from "node:path";
import {
  type DriveParts,
  driveTurn,
  findLiveSessions,
  parseTerminalTurn,
  Stopped,
  type TerminalTurn,
} from "@loopwork/harness-a";
import { createTmux } from "../terminal/tmux.ts";
import { placeOfFolder } from "../terminal/place.ts";

/**
 * Drives one attempt in a terminal: the child that the runtime starts in the harness's place. Reads
 * the attempt from the first line of `input`; a daemon that died before it wrote that line leaves a
 * driver that reads nothing and does nothing.
 */
export async function runTerminalTurn(
  input: AsyncIterable<Buffer>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const turn = parseTerminalTurn(await firstLine(input));
  if (turn === null) return 1;
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  return driveTurn(turn, partsOf(turn, env, stop.signal));
}

function partsOf(
  turn: TerminalTurn,
  env: Readonly<Record<string, string | undefined>>,
  stop: AbortSignal,
): DriveParts {
  const terminals = createTmux(placeOfFolder(dirname(turn.folder)), env["PATH"]);
  return {
    terminals,
    env: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    now: () => performance.now() + performance.timeOrigin,
    sleep: (ms) => sleepUnless(stop, ms),
    print: (line) => void writeSync(1, `${line}\n`),
    async status() {
      const terminal = await terminals.find(turn.name);
      const live = await findLiveSessions(turn.configDir, turn.sessionId);
      return (live.find(({ pid }) => pid === terminal?.pid) ?? live[0])?.status ?? null;
    },
  };
}

/** The first line, without waiting for the end of the input. */
async function firstLine(input: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) {
    const end = chunk.indexOf(10);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function sleepUnless(stop: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const told = (): void => {
      clearTimeout(timer);
      reject(new Stopped("the attempt was told to end"));
    };
    const timer = setTimeout(() => {
      stop.removeEventListener("abort", told);
      resolve();
    }, ms);
    if (stop.aborted) told();
    else stop.addEventListener("abort", told, { once: true });
  });
}
