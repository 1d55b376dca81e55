import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { normaliseCheckRun, normaliseCheckSuite, normaliseStatus, normaliseWorkflowRun } from "./ci.ts";
import { normaliseDiffComment, normaliseIssueComment } from "./comment.ts";
import { normaliseControl } from "./control.ts";
import type { HostEventName, InboundEvent, Normalised, RejectedShape, Repository } from "./event.ts";
import { readActor, readRepository } from "./fields.ts";
import { normaliseIssue } from "./issue.ts";
import { normalisePullRequest } from "./pull-request.ts";
import { normaliseReview } from "./review.ts";

/** What every event of the host has in common, read once. */
export type Arrival = {
  readonly deliveryId: string;
  readonly source: "webhook" | "poll" | "cli" | "api";
  readonly event: HostEventName;
  readonly action: string;
  readonly repository: Repository;
};

/** What a normaliser of one event name returns; `null` means that the payload does not fit the name. */
export type Understood = InboundEvent | null;

/**
 * Turns the parsed body of a delivery into one of our events (service.md 6.1). Every field is checked; what the event
 * can do without may be missing. A body that does not fit its event name is `shape` (R05), a repository with a name
 * that the host would not give out is `bad-name` (W01). Pure; never throws.
 *
 * Webhook and poll carry the host's nine events, `cli` and `api` only our own `control`: nobody who can only speak
 * for the host can steer. `defaultHost` is a domain in lower case.
 */
export function normalise(delivery: Pick<Delivery, "id" | "source" | "event">, payload: unknown, settings: { readonly defaultHost: string }): Normalised {
  if (!isJsonObject(payload)) return reject("not-an-object");
  const ours = delivery.source === "cli" || delivery.source === "api";
  if (ours) return delivery.event === "control" ? normaliseControl(delivery, payload, settings.defaultHost) : reject("unknown-event");
  const event = hostEventName(delivery.event);
  if (event === null) return reject("unknown-event");
  const repository = readRepository(payload["repository"], settings.defaultHost);
  if (repository === "shape" || repository === "bad-name") return reject(repository);
  const action = payload["action"];
  if (typeof action !== "string" && (event !== "status" || action !== undefined)) return reject("shape");
  if (typeof action === "string" && action.length > longestAction) return reject("shape");
  const understood = understand({ deliveryId: delivery.id, source: delivery.source, event, action: action ?? "", repository }, payload);
  return understood === null ? reject("shape") : { ok: true, event: understood };
}

/** The event name if it is one of the nine; null else. */
export function hostEventName(name: string): HostEventName | null {
  switch (name) {
    case "issues":
    case "issue_comment":
    case "pull_request":
    case "pull_request_review":
    case "pull_request_review_comment":
    case "workflow_run":
    case "check_run":
    case "check_suite":
    case "status":
      return name;
    default:
      return null;
  }
}

const longestAction = 64;

function understand(arrival: Arrival, payload: JsonObject): Understood {
  switch (arrival.event) {
    case "issues":
      return normaliseIssue(arrival, payload, readActor(payload["sender"]));
    case "issue_comment":
      return normaliseIssueComment(arrival, payload, readActor(payload["sender"]));
    case "pull_request":
      return normalisePullRequest(arrival, payload, readActor(payload["sender"]));
    case "pull_request_review":
      return normaliseReview(arrival, payload, readActor(payload["sender"]));
    case "pull_request_review_comment":
      return normaliseDiffComment(arrival, payload, readActor(payload["sender"]));
    case "workflow_run":
      return normaliseWorkflowRun(arrival, payload);
    case "check_run":
      return normaliseCheckRun(arrival, payload);
    case "check_suite":
      return normaliseCheckSuite(arrival, payload);
    case "status":
      return normaliseStatus(arrival, payload);
  }
}

function reject(why: RejectedShape): Normalised {
  return { ok: false, why };
}
