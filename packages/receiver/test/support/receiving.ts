import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryInbox, type StoredForTest } from "@loopwork/core/testing";
import { onTestFinished } from "vitest";
import {
  createReceiver,
  formatSignature,
  type Receiver,
  type ReceiverEvent,
  type ReceiverOptions,
} from "../../src/index.ts";
import { exchange, type RawAnswer, requestText } from "./raw-http.ts";

export const secret = "a secret of the tests";

export type Receiving = {
  readonly receiver: Receiver;
  readonly port: number;
  readonly stored: readonly StoredForTest[];
  readonly events: readonly ReceiverEvent[];
  readonly warnings: readonly string[];
};

/** A receiver on loopback with a memory inbox, stopped when the test ends. */
export async function receiving(options: Partial<ReceiverOptions> = {}): Promise<Receiving> {
  const inbox = createMemoryInbox();
  const events: ReceiverEvent[] = [];
  const receiver = createReceiver({
    inbox,
    secrets: [secret],
    onEvent: (event) => events.push(event),
    ...options,
  });
  const { address, warnings } = await receiver.listen(0);
  onTestFinished(() => receiver.stop());
  return { receiver, port: address.port, stored: inbox.stored, events, warnings };
}

/** Any request listener on loopback, closed when the test ends. */
export async function serving(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void server.close().closeAllConnections());
  const address = server.address();
  if (!isAddressInfo(address)) throw new Error("no port");
  return address.port;
}

export type Sent = {
  readonly id?: string | null;
  readonly event?: string | null;
  readonly body?: string;
  readonly signature?: string | null;
  readonly path?: string;
  readonly extra?: readonly (readonly [string, string])[];
};

/** The bytes of a good delivery, with what a test changes. Null leaves a header out. */
export function deliveryBytes({
  id = "d-1",
  event = "issues",
  body = `{"id":"${id}"}`,
  signature,
  path = "/host-webhook",
  extra = [],
}: Sent = {}): Buffer {
  const signed =
    signature === undefined ? formatSignature(Buffer.from(body, "latin1"), secret) : signature;
  const named: readonly (readonly [string, string | null])[] = [
    ["Host", "127.0.0.1"],
    ["Content-Type", "application/json"],
    ["X-Host-Delivery", id],
    ["X-Host-Event", event],
    ["X-Host-Signature-256", signed],
    ["Content-Length", String(body.length)],
  ];
  const replaced = new Set<string>(
    extra
      .map(([name]) => name.toLowerCase())
      .filter((name) => name === "content-type" || name === "content-length"),
  );
  const headers = named.flatMap(([name, value]) =>
    value === null || replaced.has(name.toLowerCase()) ? [] : [[name, value] as const],
  );
  return requestText(`POST ${path}`, [...headers, ...extra], body);
}

export function send(port: number, sent: Sent = {}): Promise<RawAnswer> {
  return exchange(port, deliveryBytes(sent));
}

/** Status and problem code of an answer; the code is null for what is no problem. */
export function summary(answer: RawAnswer): readonly [number, string | null] {
  if (answer.headers.get("content-type") !== "application/problem+json; charset=utf-8")
    return [answer.status, null];
  const problem: unknown = JSON.parse(answer.body);
  return [
    answer.status,
    typeof problem === "object" && problem !== null && "code" in problem
      ? String(problem.code)
      : "no code",
  ];
}

function isAddressInfo(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}
