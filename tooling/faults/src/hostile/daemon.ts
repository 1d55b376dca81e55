import { loadConfig, runDaemon, unattendedIo } from "@loopwork/cli/start";
import { isPlanted, planted } from "./planted.ts";
import { sizeOfProcess, startProbe } from "./probe.ts";

/** The service as `loop daemon service` runs it, watched from within by whoever started it: `daemon.js [PLANTED]`. What is planted stands in front of a port. */
const name = process.argv[2] ?? "";
startProbe((sample) => process.send?.({ sample }));
process.on("message", () => {
  globalThis.gc?.();
  process.send?.({ rest: sizeOfProcess() });
});
process.on("disconnect", () => process.exit(3)); // Nobody is there any more who would end it.
const io = unattendedIo("faults");
process.exitCode = await runDaemon({ kind: "service", once: false, loaded: loadConfig(null, io), io, ...(isPlanted(name) ? { decorate: planted[name].decorate } : {}) });
process.exit();
