import type { NewDelivery } from "@loopwork/core/ports";
import { expect, onTestFinished, test } from "vitest";
import { plain } from "../../src/plain-integers.ts";
import { createGapAudit } from "../../src/poller.ts";
import { serve } from "../server.ts";

test("attempts whose numbers no number holds are fetched under exactly that number, and what is stored is JSON", async () => {
  const id = "3804004623172239366";
  const server = await serve(({ path }) => {
    if (path.endsWith("/hooks?per_page=100"))
      return {
        body: '[{"id":3804004623172239001,"active":true,"config":{"url":"https://loop.example/host-webhook"}}]',
      };
    if (path.includes("/deliveries?"))
      return {
        body: `[{"id":${id},"guid":"a-1","delivered_at":"${new Date().toISOString()}","status_code":502,"event":"issues"}]`,
      };
    return {
      body: `{"id":${id},"request":{"payload":{"issue":{"id":9007199254740993,"number":7},"list":[1,9007199254740993]}}}`,
    };
  });
  onTestFinished(server.stop);
  const stored: NewDelivery[] = [];
  const records = new Map<string, string>();
  const audit = createGapAudit(
    { host: null, apiBaseUrl: `${server.url}/api/v3`, token: "t" },
    {
      inbox: {
        append: async (delivery) => (
          stored.push(delivery),
          { kind: "accepted", seq: stored.length }
        ),
      },
      find: async () => null,
      cursors: {
        get: async (_, resource) => records.get(resource) ?? null,
        put: async (_, put) =>
          Object.entries(put).forEach(([name, text]) => records.set(name, text)),
        list: async () => [],
      },
      settings: async () => ({
        repositories: ["maria/garden"],
        path: "/host-webhook",
        events: ["issues"],
      }),
      now: Date.now,
    },
  );
  expect((await audit()).repositories).toMatchObject([
    { failure: null, gaps: [{ delivery: "a-1", recovery: "fetched" }] },
  ]);
  expect(server.asked.map(({ path }) => path).at(-1)).toBe(
    `/api/v3/repos/maria/garden/hooks/3804004623172239001/deliveries/${id}`,
  );
  expect(new TextDecoder().decode(stored[0]?.body ?? new Uint8Array())).toBe(
    '{"issue":{"id":"9007199254740993","number":7},"list":[1,"9007199254740993"]}',
  );
  expect(stored[0]).toMatchObject({ id: "a-1", source: "poll", event: "issues", verified: false });
});

test("an answer without such numbers stays the very same object", () => {
  const answer = { a: [1, { b: null, c: "x" }], d: { e: true } };
  expect(plain(answer)).toBe(answer);
  expect(plain({ ...answer, f: [2n] })).toEqual({ ...answer, f: ["2"] });
});
