import { createHmac } from "node:crypto";
import type { Delivery, WebhookTarget } from "./delivery.ts";

/** Sends one delivery and returns the status of the answer. Rejects when none comes within 10 s. */
export async function post(delivery: Delivery, target: WebhookTarget): Promise<number> {
  const answer = await fetch(target.url, {
    method: "POST",
    headers: headersOf(delivery, target.secret),
    body: delivery.body,
    signal: AbortSignal.timeout(10_000),
    redirect: "manual",
  });
  await answer.arrayBuffer();
  return answer.status;
}

function headersOf(delivery: Delivery, secret: string | null): Record<string, string> {
  const plain = {
    "content-type": "application/json",
    "user-agent": "practice-host",
    "x-github-delivery": delivery.id,
    "x-github-event": delivery.event,
  };
  return secret === null
    ? plain
    : {
        ...plain,
        "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(delivery.body).digest("hex")}`,
      };
}
