import { loadConfig } from "@loopwork/cli/configuration/load-config";
import { unattendedIo } from "@loopwork/cli/io/unattended-io";
import { runDaemon } from "@loopwork/cli/start/daemons";
import { isGuard, withoutGuard } from "./guards.ts";

/** The service as `loop daemon service` runs it, perhaps without a guard: `daemon.js [GUARD]`. */
const guard = process.argv[2] ?? "";
const io = unattendedIo("faults");
process.exitCode = await runDaemon({
  kind: "service",
  once: false,
  loaded: loadConfig(null, io),
  io,
  ...(isGuard(guard) ? { decorate: withoutGuard[guard] } : {}),
});
process.exit();
