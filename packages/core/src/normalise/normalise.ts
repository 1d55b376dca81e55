import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import type { Delivery } from "../delivery/delivery.ts";
import {
  normaliseCheckRun,
  normaliseCheckSuite,
  normaliseStatus,
  normaliseWorkflowRun,
} from "./ci.ts";
import { normaliseDiffComment, normaliseIssueComment } from "./comment.ts";
import { normaliseControl } from "./control.ts";
import type { KnownAs } from "../work-item/repository-names.ts";
import type { InboundEvent, Normalised, RejectedShape, Repository } from "./event.ts";
import { hostEventName, type HostEventName } from "./host-events.ts";
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

/**
 * What is read of a delivery beside its body. Without `receivedAt` a request of our own has no
 * time.
 */
export type Arrived = Pick<Delivery, "id" | "source" | "event"> &
  Partial<Pick<Delivery, "receivedAt">>;

/**
 * What a normaliser of one event name returns; `null` means that the payload does not fit the name.
 */
export type Understood = InboundEvent | null;

/**
 * Turns the parsed body of a delivery into one of our events. Every field is checked; what the
 * event can do without may be missing. A body that does not fit its event name is `shape`, a
 * repository with a name that the host would not give out is `bad-name`. Pure; never throws.
 *
 * Webhook and poll carry the host's nine events, `cli` and `api` only our own `control`: nobody who
 * can only speak for the host can steer. `defaultHost` is a domain in lower case; `knownAs` finds
 * repositories that have another name here than there.
 */
export function normalise(
  delivery: Arrived,
  payload: unknown,
  settings: { readonly defaultHost: string; readonly knownAs?: KnownAs | null },
): Normalised {
  if (!isJsonObject(payload)) return reject("not-an-object");
  const ours = delivery.source === "cli" || delivery.source === "api";
  if (ours)
    return delivery.event === "control"
      ? normaliseControl(delivery, payload, settings.defaultHost)
      : reject("unknown-event");
  const name = hostEventName(delivery.event);
  if (name === null) return reject("unknown-event");
  const repository = readRepository(
    payload["repository"],
    settings.defaultHost,
    settings.knownAs ?? null,
  );
  if (repository === "shape" || repository === "bad-name") return reject(repository);
  const action = payload["action"] ?? (name === "status" ? "" : null);
  if (typeof action !== "string" || action.length > longestAction) return reject("shape");
  const event = understand[name](
    { deliveryId: delivery.id, source: delivery.source, event: name, action, repository },
    payload,
  );
  return event === null ? reject("shape") : { ok: true, event };
}

const longestAction = 64;

const understand: Readonly<
  Record<HostEventName, (arrival: Arrival, payload: JsonObject) => Understood>
> = {
  issues: normaliseIssue,
  issue_comment: normaliseIssueComment,
  pull_request: normalisePullRequest,
  pull_request_review: normaliseReview,
  pull_request_review_comment: normaliseDiffComment,
  workflow_run: normaliseWorkflowRun,
  check_run: normaliseCheckRun,
  check_suite: normaliseCheckSuite,
  status: normaliseStatus,
};

function reject(why: RejectedShape): Normalised {
  return { ok: false, why };
}
