import { connect } from "node:net";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { streamBounds } from "../src/http/event-stream.ts";
import { ref } from "./support/records.ts";
import { serve, type Serving, token } from "./support/serving.ts";

const quick = { ...streamBounds, lookMs: 5 };

type Heard = { readonly id: number; readonly data: { readonly id: number; readonly kind: string } };

/** Reads a stream until `count` events came; then hangs up. */
async function listen(
  serving: Serving,
  count: number,
  {
    path = "/api/v1/events/stream",
    after,
  }: { readonly path?: string; readonly after?: number } = {},
): Promise<{ readonly heard: Promise<readonly Heard[]>; readonly raw: () => string }> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await fetch(`${serving.url}${path}`, {
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${token}`,
      ...(after === undefined ? {} : { "last-event-id": String(after) }),
    },
  });
  if (response.status !== 200 || response.body === null)
    throw new Error(`${response.status} ${await response.text()}`);
  const chunks: string[] = [];
  const body = response.body;
  const read = async (): Promise<readonly Heard[]> => {
    const events: Heard[] = [];
    let rest = "";
    for await (const chunk of body) {
      const text = new TextDecoder().decode(chunk);
      chunks.push(text);
      rest += text;
      const end = text.includes("\n") ? rest.lastIndexOf("\n\n") + 2 : 0;
      if (end > 1) events.push(...eventsIn(rest.slice(0, end)));
      rest = end > 1 ? rest.slice(end) : rest;
      if (events.length >= count) return events; // Which hangs up.
    }
    throw new Error(`the stream ended after ${events.length} events`);
  };
  return { heard: read(), raw: () => chunks.join("") };
}

function eventsIn(raw: string): readonly Heard[] {
  return raw
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => {
      const fields = new Map(
        block
          .split("\n")
          .map((line): [string, string] => [
            line.slice(0, line.indexOf(":")),
            line.slice(line.indexOf(":") + 2),
          ]),
      );
      const data = fields.get("data");
      return data === undefined
        ? []
        : [{ id: Number(fields.get("id")), data: JSON.parse(data) as Heard["data"] }];
    });
}

describe("the stream of events", () => {
  test("begins with what happens next, in order, each with the id of its line", async () => {
    const serving = await serve({ streams: quick });
    const { heard } = await listen(serving, 2);
    serving.ports.records.write({ kind: "turn.queued" });
    serving.ports.records.write({ kind: "turn.started" });
    expect((await heard).map(({ id, data }) => [id, data.id, data.kind])).toEqual([
      [3, 3, "turn.queued"],
      [4, 4, "turn.started"],
    ]);
  });

  test("is resumed by Last-Event-ID without a gap and without a repetition, over many pages", async () => {
    const serving = await serve({ streams: quick });
    for (let n = 0; n < 350; n++) serving.ports.records.write();
    const { heard } = await listen(serving, 348 + 2, { after: 4 });
    serving.ports.records.write();
    serving.ports.records.write();
    expect((await heard).map(({ id }) => id)).toEqual(Array.from({ length: 350 }, (_, n) => n + 5));
  });

  test("an id of the future begins with what happens next; one that is none is refused", async () => {
    const serving = await serve({ streams: quick });
    const { heard } = await listen(serving, 1, { after: 999_999 });
    serving.ports.records.write({ kind: "lane.held" });
    expect((await heard)[0]).toMatchObject({ id: 3, data: { kind: "lane.held" } });
    expect(
      (await serving.ask("/api/v1/events/stream", { headers: { "last-event-id": "x" } })).json(),
    ).toMatchObject({ status: 400, code: "LOOP_E_INPUT" });
    expect((await serving.ask("/api/v1/events/stream?colour=red")).json()).toMatchObject({
      status: 400,
      code: "LOOP_E_INPUT",
    });
  });

  test("may be kept to a kind and a work item, and then misses none of those either", async () => {
    const serving = await serve({ streams: quick });
    const { heard } = await listen(serving, 2, {
      path: `/api/v1/events/stream?kind=turn.failed&workItem=${encodeURIComponent(ref)}`,
    });
    for (let n = 0; n < 300; n++)
      serving.ports.records.write({ kind: n === 20 || n === 280 ? "turn.failed" : "turn.done" });
    serving.ports.records.write({ kind: "turn.failed", workItem: "host:octo/shop#99" });
    expect((await heard).map(({ id }) => id)).toEqual([23, 283]);
  });

  test("A06 a line that holds line breaks stays one event", async () => {
    const serving = await serve({ streams: quick });
    const { heard, raw } = await listen(serving, 1);
    serving.ports.records.write({
      fields: { detail: "x\n\nid: 99\ndata: {}\n\n\u001b[31m\u2028" },
    });
    expect(await heard).toHaveLength(1);
    expect(raw()).toMatch(/^[\x20-\x7e\n]+$/);
  });

  test("is bounded: one more is told so, and has its place once another has gone", async () => {
    const serving = await serve({ streams: { ...quick, streams: 1 } });
    const first = await listen(serving, 1);
    expect(await serving.ask("/api/v1/events/stream")).toMatchObject({
      status: 503,
      headers: { "retry-after": "5" },
    });
    serving.ports.records.write();
    await first.heard;
    await expect.poll(async () => (await serving.ask("/api/v1/events/stream")).status).toBe(200);
  });

  test("a reader that does not read is dropped, and others go on", async () => {
    const serving = await serve({ streams: { ...quick, streams: 2, drainMs: 1_000 } });
    const { heard } = await listen(serving, 120);
    await deaf(serving);
    await expect.poll(async () => (await serving.ask("/api/v1/events/stream")).status).toBe(503);
    for (let n = 0; n < 120; n++)
      serving.ports.records.write({ fields: { detail: "x".repeat(200_000) } });
    expect(await heard).toHaveLength(120);
    const { heard: later } = await listen(serving, 1); // The place of the first.
    await expect.poll(async () => (await serving.ask("/api/v1/events/stream")).status).toBe(200);
    serving.ports.records.write();
    await later;
  }, 30_000);

  test("ends with the control plane", async () => {
    const serving = await serve({ streams: quick });
    const { heard } = await listen(serving, 1);
    heard.catch(() => {});
    await serving.close();
    await expect(heard).rejects.toThrow();
  });
});

/** A client that asks and never reads the answer. */
async function deaf(serving: Serving): Promise<void> {
  const socket = connect(serving.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.on("error", () => {});
  socket.pause();
  socket.write(
    `GET /api/v1/events/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nLast-Event-ID: 0\r\n\r\n`,
  );
}
