import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync } from "node:fs";
import type { ChildIdentity, ProcessPlan } from "@loopwork/core/ports";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { startProgram } from "./child-process.ts";
import { openForOutput } from "../files/plain-file.ts";
import { identityOf } from "./process-identity.ts";

/** What it takes to start a child; deadlines and bounds are whoever's who watches it. */
export type StartPlan = Pick<ProcessPlan, "argv" | "cwd" | "env" | "stdoutFile" | "stderrFile">;

/** How a child ended; both are null where nobody could collect it. */
export type Exit = { readonly code: number | null; readonly signal: string | null };

/** A child that exists; it leads a process group of its own, and nothing was written to it yet. */
export type StartedChild = {
  readonly identity: ChildIdentity;
  readonly exit: Promise<Exit>;
  readonly input: ChildInput;
};

/**
 * Standard input of a child. Writing settles when the system has taken all of it, or the child
 * takes no more.
 */
export type ChildInput = { write(text: string): Promise<void>; end(): void };

/**
 * A way to start children. Rejects with the system's error, its code included, when the program
 * cannot be run.
 */
export type StartChild = (plan: StartPlan) => Promise<StartedChild>;

/**
 * Starts a child of this very process, which stands still meanwhile: for as long as copying its
 * memory's tables takes.
 */
export async function startChild(plan: StartPlan): Promise<StartedChild> {
  const opened: number[] = [];
  const open = (file: string): number => {
    const descriptor = openForOutput(file);
    opened.push(descriptor);
    return descriptor;
  };
  try {
    const [program, ...args] = plan.argv;
    const child = startProgram(program, args, {
      cwd: plan.cwd,
      env: ChildEnvironment.planned(plan),
      stdio: ["pipe", open(plan.stdoutFile), open(plan.stderrFile)],
      detached: true,
    });
    await once(child, "spawn");
    const pid = child.pid ?? 0;
    return {
      identity: identityOf(pid) ?? { pid, startTime: "ended-at-once" },
      exit: exitOf(child),
      input: inputOf(child),
    };
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}

function inputOf({ stdin }: ChildProcess): ChildInput {
  stdin?.on("error", () => {}); // EPIPE: the child ended before it read; its outcome says so.
  return {
    end: () => void stdin?.end(),
    async write(text) {
      if (!stdin || stdin.destroyed) return;
      await new Promise<void>((resolve) => stdin.write(text, () => resolve()));
    },
  };
}
