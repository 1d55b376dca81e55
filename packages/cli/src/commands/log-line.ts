import type { EventKind, EventLine } from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";
import { steeredLine } from "../steer/steering-event-line.ts";

/** A line of the event log about something that a person did on the command line. */
export function commandLine(
  ports: Ports,
  kind: EventKind,
  workItem: string | null,
  fields: EventLine["fields"],
): Promise<EventLine> {
  return steeredLine(
    { clock: ports.clock, policy: () => ports.policy(), by: "cli" },
    kind,
    workItem,
    fields,
  );
}
