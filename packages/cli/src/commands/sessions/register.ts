import { resolve } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { byCommandLine } from "../../steer/by-command-line.ts";
import { isSessionId, registerSession } from "../../steer/register-session.ts";
import { refuseTurns } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import { type Call, textOption } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { workItemOption } from "../work-item-argument.ts";

/**
 * `loop sessions register`: binds a conversation that a person began to a work item; best effort.
 * Refused inside of a turn: its session is on record, and a second registration could lead another
 * item's events to this agent.
 */
export default class SessionsRegisterCommand extends Command {
  override describe(command: Commander): void {
    command
      .option("--work-item <ref>", "Issue or pull request the conversation works on")
      .option(
        "--harness <A|B>",
        "Harness of the conversation: A is Claude Code, B is Cursor (default: the one this runs in, or A)",
      )
      .option(
        "--harness-session-id <id>",
        "The harness's ID of the conversation (default: $CLAUDE_CODE_SESSION_ID or $CURSOR_CONVERSATION_ID)",
      )
      .option("--workdir <dir>", "Directory it works in (default: the current one)");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseTurns(ports, "register another session");
    const endpoint = await workItemOption(textOption(call, "workItem"), ports);
    const around = {
      A: ports.io.env["CLAUDE_CODE_SESSION_ID"],
      B: ports.io.env["CURSOR_CONVERSATION_ID"],
    };
    const harness =
      textOption(call, "harness") ?? (around.A === undefined && around.B !== undefined ? "B" : "A");
    const workdir = resolve(ports.io.cwd, textOption(call, "workdir") ?? "."); // A daemon has another working directory.
    if (harness !== "A" && harness !== "B")
      throw new LoopError(
        "LOOP_E_USAGE",
        `Invalid --harness ${JSON.stringify(harness.slice(0, 40))}: expected A or B`,
        "Use A for Claude Code, B for Cursor",
      );
    const id = textOption(call, "harnessSessionId") ?? around[harness];
    if (id === undefined || !isSessionId(harness, id))
      throw new LoopError(
        "LOOP_E_USAGE",
        "The conversation's ID is missing or invalid",
        "Add --harness-session-id. For Claude Code it is a UUID: see $CLAUDE_CODE_SESSION_ID. For Cursor, see $CURSOR_CONVERSATION_ID.",
      );
    const registered = await registerSession(
      { endpoint, harness, harnessSessionId: id, workdir },
      byCommandLine(ports),
    );
    return done(
      registered,
      line(`✓ Registered: events of ${registered.endpoint} now resume conversation ${id}`, "good"),
    );
  }
}
