import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ContenderSettings } from "./contenders/contender.ts";

/** A contender that runs. */
export type ServerProcess = {
  readonly port: number;
  /** CPU time of the process so far, user and system, in milliseconds. */
  cpuMs(): number;
  rssMiB(): number;
  stop(): Promise<void>;
};

const startMs = 30_000;
const ticksPerSecond = 100;

/**
 * Starts a contender and lets it pass the gate: a good signature is taken, a bad one is refused.
 */
export async function startServer(
  script: string,
  settings: ContenderSettings,
  nodeFlags: readonly string[],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...nodeFlags, script, JSON.stringify(settings)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = (): Promise<void> => stopChild(child);
  try {
    const port = await portOf(child, script);
    await passGate(port, settings.secret, script);
    return { port, cpuMs: () => cpuMsOf(child.pid), rssMiB: () => rssMiBOf(child.pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function portOf(child: ChildProcess, script: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(
      () => reject(new Error(`${script} was not ready after ${startMs} ms`)),
      startMs,
    );
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const ready = /^ready ([0-9]{1,5})$/m.exec(text);
      if (ready !== null) {
        clearTimeout(timer);
        resolve(Number(ready[1]));
      }
    });
    child.on("error", reject);
    child.on("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`${script} ended with ${code} before it was ready`));
    });
  });
}

/** A benchmark of something that does not do the work is worth nothing. */
async function passGate(port: number, secret: string, script: string): Promise<void> {
  const body = JSON.stringify({ action: "created", gate: script });
  const good = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const bad = `sha256=${createHmac("sha256", `${secret}x`).update(body).digest("hex")}`;
  const taken = await post(port, body, good, "gate-good");
  const refused = await post(port, body, bad, "gate-bad");
  if (taken < 200 || taken > 299 || refused < 400 || refused > 499)
    throw new Error(`${script} answers ${taken} to a good signature and ${refused} to a bad one`);
}

async function post(port: number, body: string, signature: string, id: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/044aadd",
    "x-github-event": "issue_comment",
    "x-github-delivery": id,
    "x-hub-signature-256": signature,
  };
  const response = await fetch(`http://127.0.0.1:${port}/host-webhook`, {
    method: "POST",
    body,
    headers,
  });
  await response.arrayBuffer();
  return response.status;
}

/** Fields 14 and 15 of /proc/PID/stat; the name in field 2 may hold blanks. */
function cpuMsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

function rssMiBOf(pid: number | undefined): number {
  const line = /^VmRSS:\s{1,20}([0-9]{1,12}) kB$/m.exec(
    readFileSync(`/proc/${pid}/status`, "latin1"),
  );
  return Number(line?.[1] ?? 0) / 1024;
}

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.on("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
