import { LoopError, parseRef, type Ref } from "@loopwork/core";
import type { Ports } from "../start/ports.ts";

/** A ref as typed; rejects with how to write one. */
export function refArgument(text: string): Ref {
  const ref = parseRef(text);
  if (ref === null) throw new LoopError("LOOP_E_REF", `${JSON.stringify(text.slice(0, 200))} is no reference`, "write it as host:<owner>/<repo>#<number>");
  return ref;
}

/** `--work-item`, else the work item of the turn that this runs in (decisions.md 5). */
export function workItemOption(text: string | undefined, ports: Ports): Ref {
  const named = text ?? ports.turn()?.workItem ?? ports.io.env["LOOP_WORK_ITEM"];
  if (named === undefined) throw new LoopError("LOOP_E_USAGE", "which work item is meant?", "add --work-item host:<owner>/<repo>#<number>");
  return refArgument(named);
}

/** A bare number names a pull request of the work item's own repository (service.md 4.3). */
export function pullRequestArgument(text: string, workItem: Ref): Ref {
  const number = text.startsWith("#") ? text.slice(1) : text;
  return /^\d{1,10}$/.test(number) ? refArgument(`host:${workItem.host === null ? "" : `${workItem.host}/`}${workItem.owner}/${workItem.repo}#${number}`) : refArgument(text);
}

/** Commands that steer or configure are for people, not for the agent whose turn this is (decisions.md 5). */
export function refuseInsideTurn(ports: Ports, what: string): void {
  if (ports.turn() !== null) throw new LoopError("LOOP_E_INSIDE_TURN", `an agent's turn may not ${what}`, "say with `loop ask` what you need; a person decides");
}
