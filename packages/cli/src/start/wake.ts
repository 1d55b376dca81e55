import { mkdirSync, utimesSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * How a command that stored something wakes a dispatcher of another process: it touches a file in a
 * folder that the daemon watches. Only a hint that saves up to two seconds; the store is what is
 * believed, and a dispatcher looks there by itself.
 */
export function watchWake(stateRoot: string, poke: () => void): () => void {
  try {
    mkdirSync(folderOf(stateRoot), { recursive: true, mode: 0o700 });
    const watcher = watch(folderOf(stateRoot), { persistent: false }, () => poke());
    watcher.on("error", () => watcher.close()); // A file system that cannot be watched costs the hint alone.
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

export function wake(stateRoot: string, now: number): void {
  try {
    mkdirSync(folderOf(stateRoot), { recursive: true, mode: 0o700 });
    const file = join(folderOf(stateRoot), "touched");
    writeFileSync(file, "", { flag: "a", mode: 0o600 });
    utimesSync(file, now / 1000, now / 1000);
  } catch {
    // Without the hint it takes a moment longer.
  }
}

function folderOf(stateRoot: string): string {
  return join(stateRoot, "wake");
}
