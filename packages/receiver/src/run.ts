import { readFileSync } from "node:fs";
import { LoopError, readSecret, secretFault, type SecretValue } from "@loopwork/core/ports";
import { type FileInbox, openFileInbox } from "./file-inbox/file-inbox.ts";
import { type Flags, parseFlags } from "./flags.ts";
import { openCursor } from "./hand-over/cursor.ts";
import { createForwardSink } from "./hand-over/forward.ts";
import { handOver } from "./hand-over/hand-over.ts";
import { createNdjsonSink } from "./hand-over/ndjson.ts";
import { help } from "./help.ts";
import { createReceiver, type Receiver } from "./receiver.ts";

/** Bytes not handed on, over which deliveries are refused with 503. */
const maxBacklogBytes = 4 * 1024 * 1024 * 1024;

/** Runs `loop-receiver` until it is told to stop. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const flags = parseFlags(args);
    if (flags === "help") process.stdout.write(help);
    else if (flags === "version") process.stdout.write(`${version()}\n`);
    else return await serve(flags);
    return 0;
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    log(`${error.code}: ${error.message} ${error.hint}`);
    return 2;
  }
}

/** Brings the parts up, waits for an end, takes them down in reverse. */
async function serve(flags: Flags): Promise<number> {
  const inbox = await openFileInbox(flags.inbox, { maxBacklogBytes, onWarning: log });
  try {
    for (const { segment, offset, why } of inbox.damage)
      log(
        `inbox: ${why} in segment ${segment} behind byte ${offset}; everything before it was kept`,
      );
    const receiver = receiverOf(flags, inbox);
    const { address, warnings } = await receiver.listen(flags.port, flags.host);
    for (const warning of warnings) log(`warning: ${warning}`);
    log(
      `listening on http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}${flags.path}`,
    );
    return await handOverUntilStopped(flags, inbox, receiver);
  } finally {
    await inbox.close();
  }
}

function receiverOf(flags: Flags, inbox: FileInbox): Receiver {
  return createReceiver({
    inbox,
    secrets: [flags.secretEnv, flags.previousSecretEnv].flatMap((name) =>
      name === null ? [] : secretIn(name),
    ),
    path: flags.path,
    events: flags.events,
    maxBodyBytes: flags.maxBodyBytes,
    allowUnsigned: flags.allowUnsigned,
    secretName: flags.secretEnv,
    onEvent: ({ kind, delivery, event, reason }) => {
      if (kind !== "accepted")
        log([kind, event, delivery, reason].filter((part) => part !== null).join(" "));
    },
    onFault: (error) =>
      log(
        `this is a bug, please report it: ${error instanceof Error ? error.stack : String(error)}`,
      ),
  });
}

/**
 * The secret in a variable, if that is set.
 * @throws {LoopError} `LOOP_E_SECRET` when it is set to something unusable: that must not count as
 * unset.
 */
function secretIn(name: string): readonly SecretValue[] {
  const reading = readSecret(process.env[name]);
  if (reading.kind === "refused")
    throw new LoopError(
      "LOOP_E_SECRET",
      `${name} ${secretFault(reading.why)}.`,
      `Set ${name} to the webhook's secret, or unset it.`,
    );
  return reading.kind === "set" ? [reading.value] : [];
}

async function handOverUntilStopped(
  flags: Flags,
  inbox: FileInbox,
  receiver: Receiver,
): Promise<number> {
  const stopping = new AbortController();
  const signals = onSignals(() => stopping.abort());
  const handing = handOver({
    inbox,
    cursor: openCursor(flags.inbox, flags.handOver.kind),
    sink:
      flags.handOver.kind === "ndjson"
        ? createNdjsonSink(process.stdout)
        : createForwardSink({ url: flags.handOver.url, onWarning: log }),
    signal: stopping.signal,
    onWarning: log,
  });
  const end = await Promise.race([
    handing.then(
      () => null,
      (error: unknown) =>
        `handing deliveries on failed: ${error instanceof Error ? error.message : String(error)}`,
    ),
    inbox.failed.then(
      (error) => `${error.message}; start again, and what was acknowledged will be there`,
    ),
  ]);
  stopping.abort();
  await receiver.stop();
  await handing.catch(() => {});
  signals.remove();
  log(end ?? "stopped");
  return end === null ? 0 : 1;
}

/** The first signal stops in order; a second one ends at once. */
function onSignals(stop: () => void): { remove(): void } {
  let asked = false;
  const listener = (): void => {
    if (asked) process.exit(1);
    asked = true;
    stop();
  };
  process.on("SIGINT", listener).on("SIGTERM", listener);
  return { remove: () => void process.off("SIGINT", listener).off("SIGTERM", listener) };
}

function log(text: string): void {
  process.stderr.write(`loop-receiver: ${text}\n`);
}

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL(import.meta.resolve("@loopwork/receiver/package.json")), "utf8"),
  );
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}
