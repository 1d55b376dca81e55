import type { RuntimeParts } from "@loopwork/runtime";
import { watchCommits } from "./commits.ts";
import { isFault } from "./faults.ts";
import { createStrike, type Point } from "./point.ts";
import { points } from "./points.ts";
import { createTrigger } from "./trigger.ts";
import { isMatrixGuard, matrixWithout } from "./without.ts";

/**
 * The service as `loop daemon host-webhook` runs it, that meets a fault the NTH time it comes by a
 * point and notes in FILE how often it did: `daemon.js GUARD|none [POINT FAULT NTH FILE]`.
 */
const [guard = "none", name = "", fault = "", nth = "1", file = ""] = process.argv.slice(2);
const point: Point | null = points[name] ?? null;
const strike = isFault(fault)
  ? createStrike(createTrigger(fault, Number(nth), file), watchCommits())
  : null;
if (strike !== null && name.startsWith("migrate.") && strike.trigger.pass())
  strike.commits.armMigration({
    trigger: strike.trigger,
    when: name === "migrate.before-commit" ? "before" : "after",
  });

/** The fault is nearer to the machine than the guard. */
const guarded = (parts: RuntimeParts): RuntimeParts =>
  isMatrixGuard(guard) ? matrixWithout[guard].decorate(parts) : parts;

// Only now: what the store has taken out of the platform it keeps.
const [{ loadConfig }, { unattendedIo }, { runDaemon }] = await Promise.all([
  import("@loopwork/cli/configuration/load-config"),
  import("@loopwork/cli/io/unattended-io"),
  import("@loopwork/cli/start/daemons"),
]);
const io = unattendedIo("matrix");
process.exitCode = await runDaemon({
  kind: "host-webhook",
  once: false,
  loaded: loadConfig(null, io),
  io,
  decorate: (parts) =>
    guarded(point === null || strike === null ? parts : point.decorate(parts, strike)),
});
process.exit();
