import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeScratch } from "../scratch.ts";
import type { FromGenerator, Shot, ShotResult } from "./generator.ts";
import { startServer } from "./server-process.ts";

/** What one shot at one contender gave. */
export type Sample = {
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssMiB: number;
  readonly bad: number;
  readonly generatorCpu: number;
};

export type Generator = {
  readonly secret: string;
  shoot(shot: Shot, whenWarm: () => void): Promise<ShotResult>;
  stop(): void;
};

const generatorScript = fileURLToPath(new URL("./generator.ts", import.meta.url));
const signedAhead = 150_000;

/** Starts the load generator, a process of its own, and waits until its pool is signed. */
export async function startGenerator(nodeFlags: readonly string[]): Promise<Generator> {
  const secret = randomBytes(20).toString("hex");
  const child = fork(generatorScript, [secret, String(signedAhead)], { execArgv: [...nodeFlags] });
  await messageFrom(child, "ready");
  return {
    secret,
    shoot: async (shot, whenWarm) => {
      const result = messageFrom(child, "result");
      const warm = messageFrom(child, "warm");
      child.send(shot);
      await warm;
      whenWarm();
      return (await result).result;
    },
    stop: () => child.disconnect(),
  };
}

/**
 * How long to measure, and with how many connections; before that, warming up takes twice as long,
 * but 4 seconds at most: by then all code is compiled.
 */
export type Aim = { readonly connections: number; readonly seconds: number };

/** One shot at one contender, started afresh with an empty folder. */
export async function measureOnce(
  script: string,
  generator: Generator,
  { connections, seconds }: Aim,
  flushDelayUs: number,
  nodeFlags: readonly string[],
): Promise<Sample> {
  const shot = {
    connections,
    warmUpMs: Math.min(4_000, seconds * 2_000),
    measureMs: seconds * 1_000,
  };
  const directory = makeScratch("receiver-");
  try {
    const server = await startServer(
      script,
      { secret: generator.secret, directory, flushDelayUs },
      nodeFlags,
    );
    try {
      let cpuBefore = 0;
      const result = await generator.shoot({ ...shot, port: server.port }, () => {
        cpuBefore = server.cpuMs();
      });
      const cpuMs = server.cpuMs() - cpuBefore;
      return {
        requestsPerSecond: (result.requests * 1000) / result.elapsedMs,
        cpuMicrosPerRequest: (cpuMs * 1000) / Math.max(1, result.requests),
        p50Ms: result.p50Ms,
        p99Ms: result.p99Ms,
        rssMiB: server.rssMiB(),
        bad: result.bad,
        generatorCpu: result.cpuShare,
      };
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function messageFrom<K extends FromGenerator["kind"]>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<FromGenerator, { readonly kind: K }>> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromGenerator): void => {
      if (!isKind(message, kind)) return;
      child.off("message", onMessage).off("exit", onExit);
      resolve(message);
    };
    const onExit = (code: number | null): void =>
      reject(new Error(`the load generator ended with ${code}`));
    child.on("message", onMessage).on("exit", onExit);
  });
}

function isKind<K extends FromGenerator["kind"]>(
  message: FromGenerator,
  kind: K,
): message is Extract<FromGenerator, { readonly kind: K }> {
  return message.kind === kind;
}
