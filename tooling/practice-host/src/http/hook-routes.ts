import { fullName, type Hook, type Repository } from "../state.ts";
import type { Attempt, Delivery } from "../webhooks/delivery.ts";
import { type JsonObject, objectAt } from "../wire/json.ts";
import { type Answer, notFound, ok } from "./answer.ts";
import type { Call, Route } from "./route.ts";
import { inRepository, signedIn } from "./within.ts";

const prefix = "/repos/:owner/:repo/hooks/:id/deliveries";

/**
 * What a webhook has sent: the list, one with its payload, and sending it again. As on the real
 * host nothing is sent again by itself.
 */
export const hookRoutes: readonly Route[] = [
  { method: "GET", path: prefix, answer: onHook(listed) },
  {
    method: "GET",
    path: `${prefix}/:attempt`,
    answer: onHook((call, hook, repository) =>
      ofAttempt(call, hook, repository, (found) =>
        ok({
          ...entryJson(found, repository),
          url: hook.config.url,
          request: {
            headers: {
              "X-GitHub-Delivery": found.delivery.id,
              "X-GitHub-Event": found.delivery.event,
            },
            payload: found.delivery.payload,
          },
          response: { headers: {}, payload: "" },
        }),
      ),
    ),
  },
  {
    method: "POST",
    path: `${prefix}/:attempt/attempts`,
    answer: onHook((call, hook, repository) =>
      ofAttempt(call, hook, repository, ({ delivery }) => {
        void call.sent?.redeliver(delivery.id);
        return { status: 202, body: {} };
      }),
    ),
  },
];

type Sent = { readonly delivery: Delivery; readonly attempt: Attempt };

/** Newest first. Pages are told by a cursor, which means nothing to anybody but the host. */
function listed(call: Call, hook: Hook, repository: Repository): Answer {
  const all = sentBy(call, hook, repository);
  const size = Math.min(Number(call.url.searchParams.get("per_page") ?? "30"), 100);
  const cursor = call.url.searchParams.get("cursor");
  const from =
    cursor === null ? 0 : all.findIndex(({ attempt }) => attempt.id < Number(cursor.slice(3)));
  const page = from < 0 ? [] : all.slice(from, from + size);
  const last = page.at(-1);
  const next = new URL(call.url);
  next.searchParams.set("cursor", `v1_${last?.attempt.id ?? 0}`);
  return {
    ...ok(page.map((sent) => entryJson(sent, repository))),
    ...(last === undefined || from + size >= all.length
      ? {}
      : { headers: { link: `<${next.href}>; rel="next"` } }),
  };
}

function ofAttempt(
  call: Call,
  hook: Hook,
  repository: Repository,
  answer: (sent: Sent) => Answer,
): Answer {
  const found = sentBy(call, hook, repository).find(
    ({ attempt }) => String(attempt.id) === call.params["attempt"],
  );
  return found === undefined ? notFound : answer(found);
}

function sentBy(call: Call, hook: Hook, repository: Repository): readonly Sent[] {
  const ours = (call.sent?.deliveries() ?? []).filter(
    ({ payload }) => objectAt(payload["repository"])["full_name"] === fullName(repository),
  );
  const sent = ours.flatMap((delivery) =>
    delivery.attempts
      .filter(({ url }) => url === hook.config.url)
      .map((attempt) => ({ delivery, attempt })),
  );
  return sent.toSorted((a, b) => b.attempt.id - a.attempt.id);
}

function entryJson({ delivery, attempt }: Sent, repository: Repository): JsonObject {
  const status =
    attempt.status === null
      ? "failed to connect to host"
      : attempt.status < 300
        ? "OK"
        : "Invalid HTTP Response";
  return {
    id: attempt.id,
    guid: delivery.id,
    delivered_at: attempt.at,
    redelivery: attempt.why === "redelivery",
    duration: 0.1,
    status,
    status_code: attempt.status ?? 0,
    event: delivery.event,
    action: delivery.action === "" ? null : delivery.action,
    installation_id: null,
    repository_id: repository.id,
    throttled_at: null,
  };
}

function onHook(
  answer: (call: Call, hook: Hook, repository: Repository) => Answer,
): Route["answer"] {
  return inRepository((call, repository) =>
    signedIn(() => {
      const hook = repository.hooks.find(({ id }) => String(id) === call.params["id"]);
      return hook === undefined ? notFound : answer(call, hook, repository);
    })(call),
  );
}
