import type { Ports } from "../../ports/command-ports.ts";
import { refuseAnyAgent } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";

/** `loop learnings undo`: the files and candidates as they were before the last consolidation. */
export default class LearningsUndoCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    await refuseAnyAgent(ports, "undo a consolidation");
    const files = await (await ports.learnings()).undo();
    return done({ files }, ...files.map((path) => line(`✓ Restored ${path}`, "good")));
  }
}
