import type { JsonObject } from "./parse-payload.ts";
import type { CiEvent } from "./event.ts";
import { idText, text, time } from "./fields.ts";
import { type Moment, part } from "./event-key.ts";
import type { Arrival } from "./normalise.ts";

/**
 * Keys of the four events of checks:
 *
 *     check-run:<id>:completed:<conclusion>:<completed_at>         also for a run that was created complete
 *     check-suite:<id>:completed:<conclusion>:<updated_at>         a suite that is run again completes again
 *     workflow-run:<id>:<attempt>:completed:<conclusion>           the attempt tells completions apart, its time still moves
 *     status:<id>                                                  the host makes a new one for each change
 *     <the same>:<action>:<time>                                   created, requested, in_progress
 *     <the same>:<action>:<delivery id>                            asked for again: each time counts, none can be polled
 */
export function checkRunMoment(arrival: Arrival, payload: JsonObject): Moment {
  const run = part(payload, "check_run");
  const done = checkRunPhase(arrival, run) === "completed";
  const startedAt = time(run["started_at"]);
  const at = done ? (time(run["completed_at"]) ?? startedAt) : startedAt;
  return { at, key: keyOf(arrival, `check-run:${idText(run["id"])}`, done, run, at) };
}

export function checkSuiteMoment(arrival: Arrival, payload: JsonObject): Moment {
  const suite = part(payload, "check_suite");
  const at = time(suite["updated_at"]);
  return {
    at,
    key: keyOf(
      arrival,
      `check-suite:${idText(suite["id"])}`,
      arrival.action === "completed",
      suite,
      at,
    ),
  };
}

export function workflowRunMoment(arrival: Arrival, payload: JsonObject): Moment {
  const run = part(payload, "workflow_run");
  const at = time(run["updated_at"]);
  const attempt = `workflow-run:${idText(run["id"])}:${idText(run["run_attempt"]) ?? "1"}`;
  if (arrival.action === "completed")
    return { at, key: `${attempt}:completed:${text(run["conclusion"]) ?? "none"}` };
  return { at, key: keyOf(arrival, attempt, false, run, at) };
}

export function statusMoment(_arrival: Arrival, payload: JsonObject): Moment {
  return {
    at: time(payload["updated_at"]) ?? time(payload["created_at"]),
    key: `status:${idText(payload["id"])}`,
  };
}

/** A run may be created complete; any other action but its completion asks for it. */
export function checkRunPhase({ action }: Arrival, run: JsonObject): CiEvent["check"]["phase"] {
  if (action !== "created") return action === "completed" ? "completed" : "queued";
  const status = run["status"];
  return status === "completed" ? "completed" : status === "in_progress" ? "running" : "queued";
}

function keyOf(
  arrival: Arrival,
  subject: string,
  done: boolean,
  raw: JsonObject,
  at: string | null,
): string {
  if (done)
    return `${subject}:completed:${text(raw["conclusion"]) ?? "none"}:${at ?? arrival.deliveryId}`;
  const again = arrival.action === "rerequested" || arrival.action === "requested_action";
  return `${subject}:${arrival.action}:${again ? arrival.deliveryId : (at ?? arrival.deliveryId)}`;
}
