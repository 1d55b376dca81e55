import { readdir, readFile, readlink, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Ends what a killed harness left running for its sandbox: a `socat` whose socket stands in the
 * attempt's own temporary folder. Only this user's processes count, and only by that path: no other
 * folder has it.
 */
export async function endLeftProcesses(
  tmpDir: string,
  uid: number,
  procDir = "/proc",
): Promise<void> {
  const pids = (await readdir(procDir).catch(() => [])).filter((name) => /^\d{1,10}$/.test(name));
  for (const pid of pids) if (await isLeft(path.join(procDir, pid), tmpDir, uid)) end(Number(pid));
}

async function isLeft(entry: string, tmpDir: string, uid: number): Promise<boolean> {
  const words = (await readFile(path.join(entry, "cmdline"), "utf8").catch(() => "")).split("\0");
  if (!words.some((word) => word.startsWith(`UNIX-LISTEN:${tmpDir}/`))) return false;
  const program = path.basename(await readlink(path.join(entry, "exe")).catch(() => ""));
  return (
    /^socat\d?$/.test(program) &&
    (await stat(entry).then(
      (found) => found.uid === uid,
      () => false,
    ))
  );
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}
