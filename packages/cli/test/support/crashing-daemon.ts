import { loadConfig } from "../../src/configuration/load-config.ts";
import { runDaemon } from "../../src/start/daemons.ts";
import { unattendedIo } from "../../src/io/unattended-io.ts";
import type { RuntimeParts } from "@loopwork/runtime";

/**
 * A daemon that kills itself at one step of its first turn, by something put in front of a port:
 * `crashing-daemon.ts STEP`.
 */
const die = (): never => {
  process.kill(process.pid, "SIGKILL");
  throw new Error("the process outlived its own end");
};

const steps: Readonly<Record<string, (parts: RuntimeParts) => RuntimeParts>> = {
  "inject.begun": (parts) => ({
    ...parts,
    store: {
      ...parts.store,
      lanes: {
        ...parts.store.lanes,
        begin: async (...args) => (await parts.store.lanes.begin(...args), die()),
      },
    },
  }),
  "inject.spawned": (parts) => ({
    ...parts,
    run: {
      ...parts.run,
      spawn: async (plan) =>
        plan.argv.includes("--print") || plan.argv.includes("-p")
          ? (await parts.run.spawn(plan), die())
          : parts.run.spawn(plan),
    },
  }),
  "inject.prompted": (parts) => ({
    ...parts,
    run: {
      ...parts.run,
      async spawn(plan) {
        const child = await parts.run.spawn(plan);
        return {
          ...child,
          write: async (text) => (
            await child.write(text),
            child.endInput(),
            setTimeout(die, 150),
            undefined
          ),
        };
      },
    },
  }),
  "post.before-record": (parts) => ({
    ...parts,
    store: {
      ...parts.store,
      outbox: {
        ...parts.store.outbox,
        settle: (...args) =>
          args[1].state === "done" && args[1].note.startsWith("comment ")
            ? die()
            : parts.store.outbox.settle(...args),
      },
    },
  }),
  "done.before": (parts) => ({
    ...parts,
    store: { ...parts.store, lanes: { ...parts.store.lanes, settle: () => die() } },
  }),
};

const io = { ...unattendedIo("test"), out: () => {} };
const decorate = steps[process.argv[2] ?? ""];
if (decorate === undefined)
  throw new Error(
    `there is no step ${process.argv[2]}; there are ${Object.keys(steps).join(", ")}`,
  );
await runDaemon({ kind: "host-webhook", once: false, loaded: loadConfig(null, io), io, decorate });
