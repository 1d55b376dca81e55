import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

/**
 * Makes a pipe. Whoever reads it by waiting for a writer is let go after a few seconds, so that a
 * test fails where it would hang; `wasRead` says whether somebody did.
 */
export function makePipe(file: string): { wasRead(): Promise<boolean> } {
  const mark = `${file}.was-read`;
  execFileSync("mkfifo", [file]);
  const release = 'sleep 3; echo freed > "$1"; : > "$2"';
  const writer = spawn("/bin/sh", ["-c", release, "sh", file, mark], { detached: true });
  onTestFinished(() => {
    try {
      process.kill(-(writer.pid ?? 0), "SIGKILL");
    } catch {
      // Somebody read the pipe, and its writer is gone.
    }
  });
  return {
    async wasRead() {
      await sleep(300);
      return existsSync(mark);
    },
  };
}
