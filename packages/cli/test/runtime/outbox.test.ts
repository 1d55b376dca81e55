import { createHmac, randomUUID } from "node:crypto";
import { CodeHostError } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

/**
 * A start on an item without the label is refused with one comment and one reaction: what the
 * outbox carries.
 */
function refusedStart(world: World): number {
  const { number } = world.host.openIssue({ title: "No label", by: "ada" });
  world.host.comment(number, "loop start", "ada");
  return number;
}

const replies = (world: World, number: number): number =>
  world.host.issue(number).comments.filter(({ author }) => author.login === "loop-agent").length;
const settled = async (service: Service): Promise<boolean> =>
  (await service.parts.store.stats()).pendingEffects === 0 &&
  (await service.events("delivery.decided")).some(({ reason }) => reason === "not-armed");

/** Something in front of the host's client. */
const withHost =
  (over: (host: RuntimeParts["host"]) => Partial<RuntimeParts["host"]>) =>
  (parts: RuntimeParts): RuntimeParts => ({
    ...parts,
    host: { ...parts.host, ...over(parts.host) },
  });

describe("posts of the service", () => {
  test(
    "are made at most once, also when the service dies between posting and writing that down",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const first = await startDaemon(world, { crashAt: "post.before-record" });
      const number = refusedStart(world);
      expect(await first.end(null)).toBe("SIGKILL");
      expect(replies(world, number)).toBe(1);

      const second = await world.start();
      await until(
        () => settled(second),
        "the outbox",
        async () => JSON.stringify(await second.events()),
      );
      expect(replies(world, number)).toBe(1);
    },
  );

  test("wait for a host that is away", { timeout: 60_000 }, async () => {
    const world = await createWorld();
    let away = true;
    const service = await world.start(
      withHost((host) => ({
        comment: (...args) =>
          away
            ? Promise.reject(new CodeHostError("LOOP_E_HOST_UNREACHABLE", "no route", 300))
            : host.comment(...args),
      })),
    );
    const number = refusedStart(world);
    await until(
      async () =>
        (await service.parts.store.stats()).pendingEffects > 0 &&
        (await service.events("delivery.decided")).length > 1,
      "the waiting reply",
    );
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(replies(world, number)).toBe(0);
    away = false;
    await until(() => settled(service), "the outbox");
    expect(replies(world, number)).toBe(1);
  });

  test("that the host refuses fail, and the event log says so", { timeout: 60_000 }, async () => {
    const world = await createWorld();
    const service = await world.start(
      withHost(() => ({
        comment: () =>
          Promise.reject(new CodeHostError("LOOP_E_HOST_REFUSED", "the thread is locked")),
      })),
    );
    refusedStart(world);
    expect(await service.event("host.failed")).toMatchObject({
      reason: "LOOP_E_HOST_REFUSED",
      fields: { effect: "reply", detail: "the thread is locked" },
    });
    await until(() => settled(service), "the outbox");
  });
});

test(
  "R14 a store that is away answers 503, never 2xx; probes still hear ok",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    await service.parts.store.close();
    const body = JSON.stringify({ action: "opened" });
    const signature = `sha256=${createHmac("sha256", "practice-secret").update(body).digest("hex")}`;
    const answer = await fetch(service.url, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-host-event": "issues",
        "x-host-delivery": randomUUID(),
        "x-host-signature-256": signature,
      },
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).not.toBeNull();
    expect((await fetch(new URL("/health", service.url))).status).toBe(200);
  },
);
