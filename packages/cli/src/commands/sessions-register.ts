import { resolve } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";
import { byCommandLine } from "../steer/by-command-line.ts";
import { isSessionId, registerSession } from "../steer/register-session.ts";
import { refuseTurns } from "../steer/refuse-agents.ts";
import { type Call, Command, done, line, register, type Result, textOption } from "./command.ts";
import { workItemOption } from "./work-item-argument.ts";

/**
 * `loop sessions register` (service.md 4.3): binds a conversation that a person began to a work
 * item; best effort. Refused inside of a turn: its session is on record, and a second registration
 * could lead another item's events to this agent.
 */
class SessionsRegisterCommand extends Command {
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
    await refuseTurns(ports, "register a session; its own is on record already");
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
        "--harness is A or B",
        "A is Claude Code, B is Cursor's CLI",
      );
    const id = textOption(call, "harnessSessionId") ?? around[harness];
    if (id === undefined || !isSessionId(harness, id))
      throw new LoopError(
        "LOOP_E_USAGE",
        "the id of the conversation is missing or odd",
        "add --harness-session-id; of harness A it is a UUID, and inside of it it stands in $CLAUDE_CODE_SESSION_ID, of harness B in $CURSOR_CONVERSATION_ID",
      );
    const registered = await registerSession(
      { endpoint, harness, harnessSessionId: id, workdir },
      byCommandLine(ports),
    );
    return done(
      registered,
      line(
        `registered: events of ${registered.endpoint} now resume the conversation ${id}`,
        "good",
      ),
    );
  }
}

register("sessions register", SessionsRegisterCommand);
