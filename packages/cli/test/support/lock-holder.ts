import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DaemonKind } from "../../src/detach/pidfile.ts";

/**
 * A process that holds the lock of a daemon as a daemon does, and does what `script` says; it is
 * killed when the test ends.
 */
export async function holdDaemonLock(
  stateRoot: string,
  kind: DaemonKind,
  script: string,
): Promise<ChildProcess> {
  mkdirSync(join(stateRoot, "locks"), { recursive: true, mode: 0o700 });
  const lock = `globalThis.held = new (require("node:sqlite").DatabaseSync)(${JSON.stringify(join(stateRoot, "locks", `daemon-${kind}.lock`))}); held.exec("begin exclusive");`;
  const child = spawn(process.execPath, ["-e", `${lock} ${script}; process.stdout.write("up")`], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}
