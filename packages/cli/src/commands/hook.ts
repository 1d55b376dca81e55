import type { Command as Commander } from "commander";
import type { Ports } from "../ports/command-ports.ts";
import { Command } from "./command.ts";
import type { Call } from "../io/call.ts";
import type { Result } from "../output/result.ts";

/**
 * `loop hook <event>`: called by the plugin inside of a harness. `pre-tool` writes the tool ledger,
 * by which a crash is judged; `post-tool` tells the dispatcher what the agent posted by tools of
 * its own, and records the pull requests that it opened; `session-start` reminds, `stop` asks
 * whether the work is complete; and in a terminal the rest says how its conversation goes on (ADR
 * 0019). It never fails a session: whatever happens, it exits 0.
 */
export default class HookCommand extends Command {
  override describe(command: Commander): void {
    command.argument(
      "<event>",
      "Event: pre-tool, post-tool, session-start, stop, stop-failure, session-end or permission",
    );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    try {
      const [event] = call.args;
      if (isEvent(event)) ports.io.out(await hear(event, await ports.io.readStdin(), ports));
    } catch (error) {
      ports.io.err(nothingDone(error));
    }
    return { exit: 0, data: {}, view: [] };
  }
}

const events = [
  "pre-tool",
  "post-tool",
  "session-start",
  "stop",
  "stop-failure",
  "session-end",
  "permission",
] as const;
type HookEvent = (typeof events)[number];

function isEvent(event: string | undefined): event is HookEvent {
  return events.some((known) => known === event);
}

function nothingDone(error: unknown): string {
  return `loop: hook failed, continuing without it: ${error instanceof Error ? error.message : String(error)}\n`;
}

/** Puts the event on record where it belongs, and resolves to what the harness is answered. */
async function hear(event: HookEvent, stdin: string, ports: Ports): Promise<string> {
  const { appendEvent, appendToolUse } = await import("../start/hook-records.ts");
  const [{ env }, at] = [ports.io, ports.clock.now()];
  switch (event) {
    case "pre-tool":
      appendToolUse(stdin, env, at);
      return "";
    case "post-tool":
      return answered(event, stdin, ports);
    case "session-start":
      appendEvent(event, stdin, env, at);
      return answered(event, stdin, ports);
    case "stop": {
      // A turn in a terminal ends with its `stop`, so one that is kept from stopping is not on
      // record, and whoever cannot be asked keeps none.
      const kept = await answered(event, stdin, ports).catch((error: unknown) => {
        ports.io.err(nothingDone(error));
        return "";
      });
      return kept === "" ? appendEvent(event, stdin, env, at) : kept;
    }
    default:
      return appendEvent(event, stdin, env, at);
  }
}

/** What takes longer than five seconds the harness ends; nothing here waits that long by itself. */
async function answered(
  event: "post-tool" | "session-start" | "stop",
  stdin: string,
  ports: Ports,
): Promise<string> {
  return (await import("../hook/answer.ts")).answerHook(event, stdin, ports);
}
