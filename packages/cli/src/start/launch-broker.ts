import type { ChildProcess } from "node:child_process";
import { type Broker, createBroker } from "../broker/broker.ts";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { compileCacheFolder } from "../files/compile-cache.ts";
import { ownProgram } from "../files/own-package.ts";
import { startProgram } from "../processes/child-process.ts";
import { runGit } from "./run-git.ts";

/** The broker of a daemon. Where none can be had, what it would do is done here. */
export function openBroker(onLost: (what: string) => void = () => {}): Broker {
  return createBroker({ runGit, onLost, launch: launchBroker });
}

/**
 * In a process group of its own, so that no signal to ours ends it, and without any variable of
 * ours but where compiled code is kept: each child is given its own. It ends with our end of the
 * channel.
 */
function launchBroker(): ChildProcess {
  const compiled = compileCacheFolder();
  const entry = ownProgram("start/broker-entry");
  const args = entry.endsWith(".ts") ? ["--conditions=@loopwork/source", entry] : [entry];
  return startProgram(process.execPath, args, {
    env: ChildEnvironment.exactly(compiled === null ? {} : { NODE_COMPILE_CACHE: compiled }),
    cwd: "/",
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
}
