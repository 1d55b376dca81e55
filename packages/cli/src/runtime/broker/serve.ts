import { startChild, type StartedChild, type StartPlan } from "../start-child.ts";
import type { Asked, Said } from "./messages.ts";

/** Starts children for whoever is at the other end, and tells how they end. Keeps nothing of those that have ended. */
export function serveBroker(say: (said: Said) => void): (asked: Asked) => void {
  const children = new Map<number, StartedChild>();

  async function start(id: number, plan: StartPlan): Promise<void> {
    try {
      const child = await startChild(plan);
      children.set(id, child);
      say({ kind: "started", id, identity: child.identity });
      const exit = await child.exit;
      children.delete(id);
      say({ kind: "exited", id, exit });
    } catch (error) {
      say({ kind: "refused", id, code: codeOf(error), message: error instanceof Error ? error.message : String(error) });
    }
  }

  async function write(id: number, text: string): Promise<void> {
    await children.get(id)?.input.write(text);
    say({ kind: "written", id });
  }

  return (asked) => {
    if (asked.kind === "ping") say({ kind: "pong" });
    else if (asked.kind === "start") void start(asked.id, asked.plan);
    else if (asked.kind === "write") void write(asked.id, asked.text);
    else children.get(asked.id)?.input.end();
  };
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
