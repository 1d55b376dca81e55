import type { EventKind, EventLine } from "@loopwork/core/ports";
import type { SteeringPorts } from "./steering-ports.ts";

/**
 * A line of the event log about something that a person did without the code host; its reason says
 * by which way.
 */
export async function steeredLine(
  { clock, policy, by }: Pick<SteeringPorts, "clock" | "policy" | "by">,
  kind: EventKind,
  workItem: string | null,
  fields: EventLine["fields"],
): Promise<EventLine> {
  return {
    time: clock.now(),
    kind,
    level: "info",
    instance: (await policy()).instance.name,
    workItem,
    delivery: null,
    reason: by === "cli" ? "command-line" : "api",
    fields,
  };
}
