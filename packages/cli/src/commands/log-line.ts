import type { EventKind, EventLine } from "@loopwork/core";
import type { Ports } from "../start/ports.ts";

/** A line of the event log about something that a person did on the command line. */
export async function commandLine(ports: Ports, kind: EventKind, workItem: string | null, fields: EventLine["fields"]): Promise<EventLine> {
  const { config } = await ports.config();
  return { time: ports.clock.now(), kind, level: "info", instance: config.instance.name, workItem, delivery: null, reason: "command-line", fields };
}
