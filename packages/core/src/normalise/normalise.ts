import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { normaliseCheckRun, normaliseCheckSuite, normaliseStatus, normaliseWorkflowRun } from "./ci.ts";
import { normaliseDiffComment, normaliseIssueComment } from "./comment.ts";
import { normaliseControl } from "./control.ts";
import type { KnownAs } from "../work-item/repository-names.ts";
import type { HostEventName, InboundEvent, Normalised, RejectedShape, Repository } from "./event.ts";
import { readRepository } from "./repository.ts";
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

/** What is read of a delivery beside its body. Without `receivedAt` a request of our own has no time. */
export type Arrived = Pick<Delivery, "id" | "source" | "event"> & Partial<Pick<Delivery, "receivedAt">>;

/** What a normaliser of one event name returns; `null` means that the payload does not fit the name. */
export type Understood = InboundEvent | null;

/**
 * Turns the parsed body of a delivery into one of our events (service.md 6.1). Every field is checked; what the event
 * can do without may be missing. A body that does not fit its event name is `shape` (R05), a repository with a name
 * that the host would not give out is `bad-name` (W01). Pure; never throws.
 *
 * Webhook and poll carry the host's nine events, `cli` and `api` only our own `control`: nobody who can only speak
 * for the host can steer. `defaultHost` is a domain in lower case; `knownAs` finds repositories that have another name
 * here than there (S04).
 */
export function normalise(delivery: Arrived, payload: unknown, settings: { readonly defaultHost: string; readonly knownAs?: KnownAs | null }): Normalised {
  if (!isJsonObject(payload)) return reject("not-an-object");
  const ours = delivery.source === "cli" || delivery.source === "api";
  if (ours) return delivery.event === "control" ? normaliseControl(delivery, payload, settings.defaultHost) : reject("unknown-event");
  const known = hostEvents.get(delivery.event);
  if (known === undefined) return reject("unknown-event");
  const repository = readRepository(payload["repository"], settings.defaultHost, settings.knownAs ?? null);
  if (repository === "shape" || repository === "bad-name") return reject(repository);
  const action = payload["action"] ?? (known.name === "status" ? "" : null);
  if (typeof action !== "string" || action.length > longestAction) return reject("shape");
  const event = known.understand({ deliveryId: delivery.id, source: delivery.source, event: known.name, action, repository }, payload);
  return event === null ? reject("shape") : { ok: true, event };
}

/** The event name if it is one of the nine; null else. */
export function hostEventName(name: string): HostEventName | null {
  return hostEvents.get(name)?.name ?? null;
}

const longestAction = 64;

type HostEvent = { readonly name: HostEventName; readonly understand: (arrival: Arrival, payload: JsonObject) => Understood };

const hostEvents: ReadonlyMap<string, HostEvent> = new Map(
  (
    [
      { name: "issues", understand: normaliseIssue },
      { name: "issue_comment", understand: normaliseIssueComment },
      { name: "pull_request", understand: normalisePullRequest },
      { name: "pull_request_review", understand: normaliseReview },
      { name: "pull_request_review_comment", understand: normaliseDiffComment },
      { name: "workflow_run", understand: normaliseWorkflowRun },
      { name: "check_run", understand: normaliseCheckRun },
      { name: "check_suite", understand: normaliseCheckSuite },
      { name: "status", understand: normaliseStatus },
    ] satisfies readonly HostEvent[]
  ).map((each) => [each.name, each]),
);

function reject(why: RejectedShape): Normalised {
  return { ok: false, why };
}
