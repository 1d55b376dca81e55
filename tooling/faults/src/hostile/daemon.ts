import { loadConfig } from "@loopwork/cli/configuration/load-config";
import { unattendedIo } from "@loopwork/cli/io/unattended-io";
import type { RuntimeParts } from "@loopwork/runtime";
import { runDaemon } from "@loopwork/cli/start/daemons";
import { isPlanted, planted } from "./planted.ts";
import { sizeOfProcess, startProbe } from "./probe.ts";
import { forgettingAfter } from "../soak/retention.ts";
import { standingStill } from "../soak/standing.ts";

/**
 * The service as `loop daemon service` runs it, watched from within by whoever started it:
 * `daemon.js [PLANTED|standing [RETENTION_MS]]`. What is planted stands in front of a port, and so
 * does what makes the days of retention that short.
 */
const [name = "", retentionMs = ""] = process.argv.slice(2);
const decorate = decoratorOf();
startProbe((sample) => process.send?.({ sample }));
process.on("message", () => {
  globalThis.gc?.();
  process.send?.({ rest: sizeOfProcess() });
});
process.on("disconnect", () => process.exit(3)); // Nobody is there any more who would end it.
const io = unattendedIo("faults");
process.exitCode = await runDaemon({
  kind: "service",
  once: false,
  loaded: loadConfig(null, io),
  io,
  ...(decorate === null ? {} : { decorate }),
});
process.exit();

function decoratorOf(): ((parts: RuntimeParts) => RuntimeParts) | null {
  if (isPlanted(name)) return planted[name].decorate;
  const shortened = retentionMs === "" ? null : forgettingAfter(Number(retentionMs));
  if (name !== "standing") return shortened;
  return (parts) => standingStill(shortened === null ? parts : shortened(parts));
}
