import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";
import { type Call, Command, register, type Result } from "./command.ts";

/**
 * `loop hook <event>`: called by the plugin inside of a harness. `pre-tool` writes the tool ledger, by which a crash is
 * judged (decisions.md 4); `post-tool` tells the dispatcher what the agent posted by tools of its own (decisions.md 5); the rest
 * says how a conversation in a terminal goes on (ADR 0073). It never fails a session: whatever happens, it exits 0.
 */
class HookCommand extends Command {
  override describe(command: Commander): void {
    command.argument("<event>", "pre-tool, post-tool, or what happened in a terminal: session-start, stop, stop-failure, session-end, permission");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const [event] = call.args;
    if (event === "pre-tool") {
      const { appendToolUse } = await import("../start/hook-records.ts");
      appendToolUse(await ports.io.readStdin(), ports.io.env, ports.clock.now());
    } else if (event === "post-tool") await tellPosts(await ports.io.readStdin(), ports);
    else if (isTerminalEvent(event)) {
      const { appendEvent } = await import("../start/hook-records.ts");
      ports.io.out(appendEvent(event, await ports.io.readStdin(), ports.io.env, ports.clock.now()));
    }
    return { exit: 0, data: {}, view: [] };
  }
}

register("hook", HookCommand);

type TerminalEventName = "session-start" | "stop" | "stop-failure" | "session-end" | "permission";

function isTerminalEvent(event: string | undefined): event is TerminalEventName {
  return event === "session-start" || event === "stop" || event === "stop-failure" || event === "session-end" || event === "permission";
}

/** Most calls of tools post nothing; those must cost no more than the look that finds that out. */
async function tellPosts(stdin: string, ports: Ports): Promise<void> {
  const turnDir = addressParts.some((part) => stdin.includes(part)) ? (ports.turn()?.turnDir ?? null) : null;
  if (turnDir === null) return;
  const [{ postsOf }, { askDispatcher }] = await Promise.all([import("@loopwork/core"), import("../runtime/turn/requests.ts")]);
  const posts = postsOf(toolUseOf(stdin));
  if (posts.length === 0) return;
  // An answer that is late changes nothing: the request is kept and carried out, and the session must go on.
  await askDispatcher(turnDir, `${ports.clock.now()}-${ports.ids.uuid()}`, { kind: "posted", posts }, answerWithinMs).catch(() => {});
}

const addressParts = ["issuecomment-", "discussion_r", "pullrequestreview-"];
const answerWithinMs = 2_000;

/** What the harness tells of a tool that ran, or that failed half-way; nothing where it tells something else. */
function toolUseOf(stdin: string): { readonly tool: string; readonly input: unknown; readonly output: unknown } {
  const call = new Map<string, unknown>(Object.entries(parse(stdin)));
  const tool = call.get("tool_name");
  return { tool: typeof tool === "string" ? tool : "", input: call.get("tool_input"), output: call.get("tool_response") ?? call.get("error") };
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
