import type { EventKind, EventLevel, EventLine } from "@loopwork/core/ports";
import type { RuntimeParts } from "./parts.ts";

type Rest = {
  readonly level?: EventLevel;
  readonly workItem?: string | null;
  readonly delivery?: string | null;
  readonly reason?: string | null;
  readonly fields?: EventLine["fields"];
};

/**
 * One line for the event log, stamped with this instance and the present time; no secret stands in
 * its fields.
 */
export function eventLine(
  parts: Pick<RuntimeParts, "clock" | "settings" | "redact">,
  kind: EventKind,
  rest: Rest = {},
): EventLine {
  return {
    time: parts.clock.now(),
    kind,
    level: rest.level ?? "info",
    instance: parts.settings().policy.instance.name,
    workItem: rest.workItem ?? null,
    delivery: rest.delivery ?? null,
    reason: rest.reason ?? null,
    fields: redacted(rest.fields ?? {}, parts),
  };
}

function redacted(
  fields: EventLine["fields"],
  { redact }: Pick<RuntimeParts, "redact">,
): EventLine["fields"] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? redact(value) : value,
    ]),
  );
}
