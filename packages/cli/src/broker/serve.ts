import type { RunGit } from "@loopwork/core/ports";
import { startChild, type StartedChild, type StartPlan } from "../processes/start-child.ts";
import type { RunTmux } from "../terminal/run-tmux.ts";
import type { Asked, Said } from "./messages.ts";

/** What a broker runs to its end by itself. */
export type Runs = { readonly runGit: RunGit; readonly runTmux: RunTmux };

/**
 * Starts children for whoever is at the other end, and tells how they end. Keeps nothing of those
 * that have ended.
 */
export function serveBroker(
  say: (said: Said) => void,
  { runGit, runTmux }: Runs,
): (asked: Asked) => void {
  const children = new Map<number, StartedChild>();

  async function start(id: number, plan: StartPlan): Promise<Said> {
    const child = await startChild(plan);
    children.set(id, child);
    say({ kind: "started", id, identity: child.identity });
    const exit = await child.exit;
    children.delete(id);
    return { kind: "exited", id, exit };
  }

  /** Says the last there is to say, or why there is nothing. */
  async function sayLast(id: number, last: Promise<Said>): Promise<void> {
    say(
      await last.catch((error: unknown) => ({
        kind: "refused",
        id,
        code: codeOf(error),
        message: error instanceof Error ? error.message : String(error),
      })),
    );
  }

  async function write(id: number, text: string): Promise<void> {
    await children.get(id)?.input.write(text);
    say({ kind: "written", id });
  }

  return (asked) => {
    switch (asked.kind) {
      case "ping":
        return say({ kind: "pong" });
      case "start":
        return void sayLast(asked.id, start(asked.id, asked.plan));
      case "write":
        return void write(asked.id, asked.text);
      case "end-input":
        return children.get(asked.id)?.input.end();
      case "git":
        return void sayLast(
          asked.id,
          runGit(asked.plan).then((printed) => ({ kind: "git-printed", id: asked.id, printed })),
        );
      case "tmux":
        return void sayLast(
          asked.id,
          runTmux(asked.command).then((ran) => ({ kind: "tmux-ran", id: asked.id, ran })),
        );
    }
  };
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : null;
}
