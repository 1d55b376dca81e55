import { spawn, type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { run, type Ran } from "./run.ts";

const secret = "a secret of the publish check, long enough to be one";
const delivery = JSON.stringify({ zen: "Keep it logically awesome.", hook_id: 1 });

/**
 * Starts the packed receiver and sends it one signed delivery and a forged one. What went wrong,
 * each in one sentence.
 */
export async function serveReceiver(folder: string): Promise<readonly string[]> {
  const program = join(folder, "node_modules", ".bin", "loop-receiver");
  const child = spawn(program, ["--port", "0", "--inbox", join(folder, "inbox")], {
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const url = await firstMatch(child, /listening on (http:\S{1,200})/);
    if (url === null) return ["the packed loop-receiver does not say within 20 s that it listens"];
    return await sendTo(url, "the packed loop-receiver");
  } finally {
    await ended(child);
  }
}

/**
 * Starts the whole service from the packed command line, sends the same two deliveries, asks for
 * its state, stops it.
 */
export async function serveAll(folder: string): Promise<readonly string[]> {
  const [service, webhook] = [await freePort(), await freePort()];
  const config = [
    "service:",
    `  port: ${service}`,
    "webhooks:",
    "  hostWebhook:",
    "    enabled: true",
    `    port: ${webhook}`,
    "routing:",
    "  repositories: [ada/garden]",
    "  authorizedUsers: [ada]",
    "",
  ];
  writeFileSync(join(folder, "cli-config.yaml"), config.join("\n"));
  const loop = (...args: readonly string[]): Promise<Ran> =>
    run([join(folder, "node_modules", ".bin", "loop"), ...args], folder, environment(folder), 60);
  const started = await loop("start");
  try {
    if (started.code !== 0)
      return [
        `the packed loop start ended with ${started.code}: ${started.stdout}${started.stderr}`,
      ];
    const sent = await sendTo(`http://127.0.0.1:${webhook}/host-webhook`, "the packed service");
    const status = await loop("status", "--json");
    return [
      ...sent,
      ...(status.code === 0 && JSON.parse(status.stdout) !== null
        ? []
        : [`the packed loop status ended with ${status.code}: ${status.stderr}`]),
    ];
  } finally {
    await loop("stop");
  }
}

async function sendTo(url: string, what: string): Promise<readonly string[]> {
  const health = await fetch(new URL("/health", url));
  const signed = await post(url, secret);
  const forged = await post(url, `${secret}!`);
  return [
    ...(health.status === 200 ? [] : [`${what} answers ${health.status} to /health`]),
    ...(signed === 202 || signed === 200 ? [] : [`${what} answers ${signed} to a signed delivery`]),
    ...(forged === 401 || forged === 403 ? [] : [`${what} answers ${forged} to a forged delivery`]),
  ];
}

async function post(url: string, key: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "x-github-event": "ping",
    "x-github-delivery": "00000000-0000-4000-8000-000000000001",
    "x-github-hook-id": "1",
    "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(delivery).digest("hex")}`,
  };
  const answer = await fetch(url, { method: "POST", headers, body: delivery });
  await answer.arrayBuffer();
  return answer.status;
}

/**
 * The parent's environment with a home of its own, so that nothing of this person's configuration
 * takes part.
 */
function environment(folder: string): NodeJS.ProcessEnv {
  const path = `${join(process.execPath, "..")}:${process.env["PATH"] ?? ""}`;
  return {
    ...process.env,
    PATH: path,
    HOME: folder,
    LOOP_CONFIG: "",
    LOOP_HOST_WEBHOOK_SECRET: secret,
  };
}

function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string | null> {
  return new Promise((resolve) => {
    let said = "";
    const timer = setTimeout(() => resolve(null), 20_000);
    const settle = (found: string | null): void => {
      clearTimeout(timer);
      resolve(found);
    };
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = pattern.exec(said)?.[1];
      if (found !== undefined) settle(found);
    });
    child.on("exit", () => settle(null));
    child.on("error", () => settle(null));
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
    return Promise.resolve();
  return new Promise((resolve) => {
    const force = setTimeout(() => child.kill("SIGKILL"), 10_000);
    child.on("exit", () => {
      clearTimeout(force);
      resolve();
    });
    child.kill("SIGTERM");
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    });
  });
}
