import { homedir } from "node:os";
import type { Io } from "./io.ts";

/**
 * This process's environment and output with nobody in front of it: it asks nothing and reads
 * nothing.
 */
export function unattendedIo(version: string): Io {
  return {
    version,
    cwd: process.cwd(),
    home: process.env["HOME"] ?? homedir(),
    env: process.env,
    color: false,
    width: 100,
    interactive: false,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readStdin: () => Promise.resolve(""),
    ask: () => Promise.resolve(""),
  };
}
