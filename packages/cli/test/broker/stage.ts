import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type BrokerOptions, createBroker } from "../../src/broker/broker.ts";
import { createRunProcess } from "../../src/processes/run-process.ts";
import { runGit } from "../../src/start/run-git.ts";

const entry = fileURLToPath(new URL("../../src/start/broker-entry.ts", import.meta.url));

/** Brokers whose processes can be got at; all end with the test. */
export function stage(options: Partial<BrokerOptions> = {}) {
  const launched: ChildProcess[] = [];
  const told: string[] = [];
  const launch = (): ChildProcess => {
    const made = spawn(process.execPath, ["--conditions=@loopwork/source", entry], {
      env: {},
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      serialization: "advanced",
    });
    launched.push(made);
    return made;
  };
  const broker = createBroker({
    runGit,
    launch,
    onLost: (what) => void told.push(what),
    ...options,
  });
  onTestFinished(() => broker.close());
  return { broker, launched, told, run: createRunProcess(broker.start) };
}

/** The parent of a process, by the fields after its name. */
export function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
