import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { formatSignature } from "../../src/index.ts";
import { onTestFinished } from "vitest";
import { secret } from "./receiving.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** A running `loop-receiver` of its own process. */
export type Bin = {
  readonly child: ChildProcess;
  /**
   * Everything on standard output so far; stays empty with `readOutput: false`, when nobody reads
   * it.
   */
  output(): string;
  log(): string;
  /** Port it listens on; rejects when it ends first. */
  readonly port: Promise<number>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
};

export type BinOptions = {
  readonly readOutput?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
};

export function startBin(
  args: readonly string[],
  {
    readOutput = true,
    env = { LOOP_HOST_WEBHOOK_SECRET: secret },
    nodeFlags = [],
  }: BinOptions = {},
): Bin {
  const { LOOP_HOST_WEBHOOK_SECRET: _, ...inherited } = process.env;
  const child = spawn(
    process.execPath,
    ["--conditions=@loopwork/source", ...nodeFlags, main, ...args],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...inherited, ...env } },
  );
  let output = "";
  let log = "";
  if (readOutput) child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on("exit", (code, signal) => resolve({ code, signal })),
  );
  const port = new Promise<number>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      const found = /listening on http:\/\/127\.0\.0\.1:([0-9]{1,5})/.exec(log);
      if (found !== null) resolve(Number(found[1]));
    });
    void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${log}`)));
  });
  port.catch(() => {});
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, output: () => output, log: () => log, port, ended };
}

/** Posts a signed delivery; resolves with the status, or null when the receiver went away. */
export async function post(
  port: number,
  id: string,
  body: string = JSON.stringify({ id }),
): Promise<number | null> {
  try {
    const headers = {
      "content-type": "application/json",
      "x-host-delivery": id,
      "x-host-event": "issues",
      "x-host-signature-256": formatSignature(Buffer.from(body), secret),
    };
    const response = await fetch(`http://127.0.0.1:${port}/host-webhook`, {
      method: "POST",
      body,
      headers,
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}
