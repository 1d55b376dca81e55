import { loadConfig } from "@loopwork/cli/configuration/load-config";
import { unattendedIo } from "@loopwork/cli/io/unattended-io";
import type { RuntimeParts } from "@loopwork/runtime";
import { runDaemon } from "@loopwork/cli/start/daemons";
import { aheadBy, isWithout, withoutGuards } from "./guards.ts";

/**
 * The service as `loop daemon KIND` runs it, perhaps without a guard: `daemon.ts KIND CLOCK-FILE
 * [GUARD]`.
 */
const [kind, clockFile = "", guard] = process.argv.slice(2);
const io = unattendedIo("contract");
const decorate = (parts: RuntimeParts): RuntimeParts =>
  aheadBy(clockFile, isWithout(guard) ? withoutGuards[guard](parts) : parts);
process.exitCode = await runDaemon({
  kind: kind === "service" ? "service" : "host-webhook",
  once: false,
  loaded: loadConfig(null, io),
  io,
  decorate,
});
process.exit();
