import { homedir } from "node:os";
import { type Io, loadConfig, runDaemon, type RuntimeParts } from "@loopwork/cli/start";
import { aheadBy, isWithout, withoutGuards } from "./guards.ts";

/** The service as `loop daemon KIND` runs it, perhaps without a guard: `daemon.ts KIND CLOCK-FILE [GUARD]`. */
const [kind, clockFile = "", guard] = process.argv.slice(2);
const io: Io = {
  version: "contract",
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
const decorate = (parts: RuntimeParts): RuntimeParts => aheadBy(clockFile, isWithout(guard) ? withoutGuards[guard](parts) : parts);
process.exitCode = await runDaemon({ kind: kind === "service" ? "service" : "host-webhook", once: false, loaded: loadConfig(null, io), io, decorate });
process.exit();
