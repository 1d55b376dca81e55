import { hostname } from "node:os";
import { formatRef, type Ref } from "@loopwork/core/ports";
import { answerCanaries } from "../canary/answer.ts";
import {
  createRuntime,
  eventLine,
  keepForgettingSaved,
  type Runtime,
  type RuntimeParts,
} from "@loopwork/runtime";
import type { Unwind } from "@loopwork/runtime/unwind";
import { openRepositoryNames, underPresentNames } from "@loopwork/runtime/steering";
import { createRunProcess } from "../processes/run-process.ts";
import { turnFiles } from "../turn-folder/turn-files.ts";
import { openBroker } from "./launch-broker.ts";
import { connectHarnesses } from "./harnesses.ts";
import { createTeamLearnings } from "./team-learnings.ts";
import { createWorkGate, lookWith } from "@loopwork/runtime/graph";
import type { Daemons, LoadedConfig } from "../configuration/load-config.ts";
import type { Log } from "../output/log.ts";
import {
  openHostOf,
  openLocksOf,
  openMarksOf,
  openStoreOf,
  openWorkspaceOf,
  systemClock,
  systemIds,
  systemTimers,
} from "./open.ts";
import type { Io } from "../io/io.ts";
import { redactorOf } from "../configuration/redactor.ts";
import { openTraces } from "./traces.ts";
import { graphFiles } from "../files/graph-files.ts";
import { smallPrograms } from "../processes/small-programs.ts";
import { type ConfigChange, watchConfig } from "../configuration/watch-config.ts";

/**
 * The composition root: the one place that knows every part by name. Read it first.
 *
 *     receiver ─▶ store (inbox) ─▶ ingest ─▶ lanes, outbox ─▶ dispatcher ─▶ handlers ─▶ workspace, harness, code host
 *
 * Parts of sibling packages are loaded in this folder and handed on as ports; nothing outside of it
 * imports a sibling.
 */
/** Every part of the runtime, open; `unwind` gets what must be closed. */
export async function openParts(
  loaded: LoadedConfig,
  daemons: Daemons,
  io: Io,
  log: Log,
  unwind: Unwind,
  onFlush?: (ms: number) => void,
): Promise<RuntimeParts> {
  const store = await openStoreOf(loaded, onFlush);
  unwind.defer("store", () => store.close());
  const names = await openRepositoryNames(store);
  const locks = await openLocksOf(loaded);
  const broker = openBroker((what) => log.say("warn", what));
  unwind.defer("broker", () => broker.close());
  const run = createRunProcess(broker.start);
  const redact = redactorOf(loaded);
  // What is found while the parts are still put together is recorded once they are.
  const ready = Promise.withResolvers<RuntimeParts>();
  const config = watchConfig(
    loaded,
    daemons,
    io,
    (change) => void ready.promise.then((parts) => recordChange(change, parts, log)),
  );
  const workspace = await openWorkspaceOf(loaded, locks, {
    settings: config.settings,
    onNote: (note) => log.say("warn", note),
    onHardened: (clone, removed, workItem) =>
      void ready.promise.then((parts) => recordHardened(clone, removed, workItem, parts)),
    runGit: broker.runGit,
  });
  unwind.defer("salvage", keepForgettingSaved(workspace, { timers: systemTimers, log: log.say }));
  const parts: RuntimeParts = {
    store,
    locks,
    run,
    programs: smallPrograms,
    files: turnFiles,
    graphFiles,
    clock: systemClock,
    timers: systemTimers,
    ids: systemIds,
    log: log.say,
    learnings: createTeamLearnings(
      loaded.paths.stateRoot,
      io.version,
      locks,
      (text) => log.say("warn", text),
      workspace,
    ),
    settings: config.settings,
    host: underPresentNames(await openHostOf(loaded), names),
    names,
    redact,
    machine: hostname(),
    marks: await openMarksOf(loaded, redact),
    workspace,
    harnesses: await connectHarnesses(config.loaded, io, run, broker.runTmux),
    gate: createWorkGate(config.settings, async () => store, lookWith(workspace, graphFiles)),
  };
  ready.resolve(parts);
  const trace = await openTraces(loaded.env, io.version, log, unwind);
  return trace(parts);
}

/** The runtime over the parts, with the answers to test deliveries. */
export function wire(parts: RuntimeParts, unwind: Unwind, mayBegin?: () => boolean): Runtime {
  return createRuntime(parts, unwind, { mayBegin, onCanary: answerCanaries(parts) });
}

/**
 * What was taken out of a clone's configuration is for people to see: a program could have run.
 */
async function recordHardened(
  clone: string,
  removed: readonly string[],
  workItem: Ref,
  parts: RuntimeParts,
): Promise<void> {
  const line = eventLine(parts, "checkout.hardened", {
    level: "warn",
    workItem: formatRef(workItem),
    fields: { clone, removed: removed.join("; ") },
  });
  await parts.store.events
    .append([line])
    .catch((error: unknown) =>
      parts.log(
        "warn",
        `${removed.join("; ")} (${clone}); the event log did not take it: ${String(error)}`,
      ),
    );
}

async function recordChange(change: ConfigChange, parts: RuntimeParts, log: Log): Promise<void> {
  if (change.kind === "untrusted") log.say("warn", change.why);
  else if (change.kind === "rejected")
    log.say("error", `the changed configuration is not taken up: ${change.why}`);
  else {
    log.say(
      "info",
      `Configuration reloaded${change.taken.length === 0 ? "" : `; in force now: ${change.taken.join(", ")}`}`,
    );
    if (change.restart.length > 0)
      log.say("warn", `Not in force until \`loop restart\`: ${change.restart.join(", ")}`);
  }
  const line =
    change.kind === "loaded"
      ? eventLine(parts, "config.loaded", {
          fields: { taken: change.taken.join(", "), restart: change.restart.join(", ") },
        })
      : eventLine(parts, "config.rejected", {
          level: change.kind === "rejected" ? "error" : "warn",
          fields: { why: change.why },
        });
  await parts.store.events.append([line]).catch(() => {});
}
