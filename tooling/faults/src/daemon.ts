import { homedir } from "node:os";
import { type Io, loadConfig, runDaemon } from "@loopwork/cli/start";
import { isGuard, withoutGuard } from "./guards.ts";

/** The service as `loop daemon service` runs it, perhaps without a guard: `daemon.js [GUARD]`. */
const guard = process.argv[2] ?? "";
const io: Io = {
  version: "faults",
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
process.exitCode = await runDaemon({ kind: "service", once: false, loaded: loadConfig(null, io), io, ...(isGuard(guard) ? { decorate: withoutGuard[guard] } : {}) });
process.exit();
