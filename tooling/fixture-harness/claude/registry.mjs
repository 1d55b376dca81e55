import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * The list of live sessions: one file per process, removed on a clean exit and left behind by a
 * SIGKILL.
 */
export function registerSession(configDir, { sessionId, cwd, version }) {
  const folder = path.join(configDir, "sessions");
  const file = path.join(folder, `${process.pid}.json`);
  const entry = {
    pid: process.pid,
    sessionId,
    cwd,
    startedAt: Date.now(),
    procStart: processStart(),
    version,
    kind: "interactive",
    entrypoint: "sdk-cli",
    status: "idle",
  };
  mkdirSync(folder, { recursive: true });
  const write = (status) => writeFileSync(file, JSON.stringify({ ...entry, status }));
  write("idle");
  return { setStatus: write, remove: () => rmSync(file, { force: true }) };
}

/** Field 22 of the kernel's line about this process, behind the name, which may hold blanks. */
function processStart() {
  try {
    const line = readFileSync(`/proc/${process.pid}/stat`, "utf8");
    return line.slice(line.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return null;
  }
}
