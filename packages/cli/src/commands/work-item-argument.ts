import { LoopError, type Ref } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import { numberIn } from "../steer/known-ref.ts";
import { refArgument } from "../steer/ref-argument.ts";
import type { Ports } from "../ports/command-ports.ts";
import { type Call, textOption } from "../io/call.ts";

/** `--work-item`, else the work item of the turn that this runs in. */
export async function workItemOption(text: string | undefined, ports: Ports): Promise<Ref> {
  const named = text ?? ports.turn()?.workItem ?? ports.io.env["LOOP_WORK_ITEM"];
  if (named === undefined)
    throw new LoopError(
      "LOOP_E_USAGE",
      "No work item given",
      "Add --work-item host:<owner>/<repo>#<number>",
    );
  return refArgument(named, ports);
}

/** `[ref]`, else `--work-item`, of a command about the session of an issue or pull request. */
export function describeEndpoint(command: Commander): Commander {
  return command
    .argument("[ref]", "Work item or pull request")
    .option("--work-item <ref>", "Work item or pull request");
}

export async function endpointArgument(call: Call, ports: Ports): Promise<Ref> {
  return workItemOption(call.args[0] ?? textOption(call, "workItem"), ports);
}

/** A bare number names a pull request of the work item's own repository. */
export async function pullRequestArgument(text: string, workItem: Ref, ports: Ports): Promise<Ref> {
  return numberIn(text, workItem) ?? refArgument(text, ports);
}
