import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { until } from "./until.ts";
import type { World } from "./world.ts";

/** The service as a process of its own, which can be killed. */
export type Daemon = {
  readonly pid: number;
  /** Everything that it has written so far. */
  log(): string;
  /** Sends a signal, or none when it is expected to end by itself; resolves to code or signal. */
  end(signal: NodeJS.Signals | null): Promise<number | string>;
};

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
const crashing = fileURLToPath(new URL("./crashing-daemon.ts", import.meta.url));

/**
 * Starts `loop daemon host-webhook`; with a step, one that kills itself there. Resolves once it
 * takes deliveries.
 */
export async function startDaemon(
  world: World,
  options: { readonly crashAt?: string; readonly args?: readonly string[] } = {},
): Promise<Daemon> {
  const program =
    options.crashAt === undefined
      ? [bin, "daemon", "host-webhook", ...(options.args ?? [])]
      : [crashing, options.crashAt];
  const child = spawn(process.execPath, ["--conditions=@loopwork/source", ...program], {
    cwd: world.scene.cwd,
    env: world.scene.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stdout.on("data", (chunk) => (log += String(chunk)));
  child.stderr.on("data", (chunk) => (log += String(chunk)));
  onTestFinished(() => void end(child, "SIGKILL"));
  await until(
    async () => child.exitCode !== null || (await answers(world)),
    "the daemon",
    () => log,
    90_000,
  );
  if (child.exitCode !== null) throw new Error(`the daemon ended at once: ${log}`);
  world.host.aim({ url: world.webhookUrl, secret: "practice-secret" });
  return { pid: child.pid ?? 0, log: () => log, end: (signal) => end(child, signal) };
}

async function answers(world: World): Promise<boolean> {
  return fetch(new URL("/health", world.webhookUrl)).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function end(child: ChildProcess, signal: NodeJS.Signals | null): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    if (signal !== null) child.kill(signal);
    await exited;
  }
  return child.exitCode ?? child.signalCode ?? "?";
}
