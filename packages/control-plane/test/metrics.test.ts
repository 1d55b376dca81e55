import { expect, test } from "vitest";
import { serve } from "./support/serving.ts";

/** The samples of an exposition; throws at a line that is none. */
function samplesIn(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
  return new Map(
    lines.map((line) => {
      const [, name, value] = /^([a-z_]+(?:\{[^}]*\})?) ([0-9.e+-]+)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`no sample: ${line}`);
      return [name, Number(value)];
    }),
  );
}

test("what happened is counted, and what is on record is asked of the store", async () => {
  const serving = await serve();
  const { metrics } = serving;
  metrics.delivery("webhook", "accepted", "", 0.002);
  metrics.delivery("webhook", "accepted", "", 0.2);
  metrics.delivery("poll", "duplicate", "id", 0.001);
  metrics.delivery("webhook", "ignored", "ping", 0.001);
  metrics.refused("LOOP_E_SIGNATURE_WRONG");
  metrics.dispatched(3);
  metrics.turn("done");
  metrics.turn("failed");
  metrics.flushed(0.0001);
  const answer = await serving.ask("/metrics");
  expect(answer).toMatchObject({
    status: 200,
    headers: { "content-type": expect.stringContaining("text/plain") },
  });
  const samples = samplesIn(answer.text);
  expect(Object.fromEntries([...samples].filter(([name]) => !name.includes("_bucket")))).toEqual({
    'loop_deliveries_total{source="webhook",outcome="accepted",reason=""}': 2,
    'loop_deliveries_total{source="poll",outcome="duplicate",reason="id"}': 1,
    'loop_deliveries_total{source="webhook",outcome="ignored",reason="ping"}': 1,
    'loop_refused_requests_total{code="LOOP_E_SIGNATURE_WRONG"}': 1,
    'loop_accept_seconds_sum{source="webhook"}': 0.202,
    'loop_accept_seconds_count{source="webhook"}': 2,
    loop_dispatch_seconds_sum: 3,
    loop_dispatch_seconds_count: 1,
    loop_store_flush_seconds_sum: 0.0001,
    loop_store_flush_seconds_count: 1,
    'loop_turn_attempts_total{state="done"}': 1,
    'loop_turn_attempts_total{state="failed"}': 1,
    'loop_turns{state="ready"}': 1,
    'loop_turns{state="injecting"}': 0,
    'loop_turns{state="done"}': 5,
    'loop_turns{state="failed"}': 0,
    'loop_turns{state="uncertain"}': 2,
    'loop_turns{state="dropped"}': 0,
    'loop_lanes{state="held"}': 1,
    'loop_lanes{state="leased"}': 2,
    loop_undecided_deliveries: 3,
    loop_pending_effects: 4,
    'loop_build_info{version="1.2.3"}': 1,
  });
  expect(samples.get('loop_accept_seconds_bucket{le="0.0025",source="webhook"}')).toBe(1);
  expect(samples.get('loop_dispatch_seconds_bucket{le="5"}')).toBe(1);
});

test("two control planes of one process count apart", async () => {
  const [one, other] = [await serve(), await serve()];
  one.metrics.turn("done");
  expect((await other.ask("/metrics")).text).not.toContain(
    'loop_turn_attempts_total{state="done"} 1',
  );
});

test("without metrics there is no such route, and the document does not name it", async () => {
  const serving = await serve({ metrics: null });
  expect(await serving.ask("/metrics")).toMatchObject({ status: 404 });
  expect((await serving.ask("/api/v1/openapi.json")).text).not.toContain("/metrics");
});
