import { createHash } from "node:crypto";
import { canaryBody, canaryEvent, canaryId, canaryPurpose, canaryWords } from "@loopwork/core";
import { describe, expect, test } from "vitest";
import type { Marks } from "@loopwork/runtime";
import { until } from "../support/until.ts";
import { createWorld, type Service } from "../support/world.ts";

const canary = { nonce: "0b54f5a2-9f4e-4d5e-8a3f-1c2d3e4f5a6b", sentAt: 1_767_225_600_000 };

async function decided(service: Service, id: string, text: string): Promise<string> {
  const body = new TextEncoder().encode(text);
  await service.parts.store.append({
    id,
    source: "webhook",
    event: canaryEvent,
    verified: true,
    receivedAt: Date.now(),
    digest: createHash("sha256").update(body).digest("hex"),
    body,
    ignored: null,
    allowReplay: true,
  });
  service.dispatcher.poke();
  return (await until(async () => service.parts.store.log.decision(id), "the decision")).decision
    .reason;
}

describe("a delivery that says it is a canary", () => {
  test("counts as one when it carries our marker for just that, and the service says what it found", async () => {
    const service = await (await createWorld()).start();
    expect(
      await decided(
        service,
        canaryId(canary),
        canaryBody(service.parts.marks.sign(canaryWords(canary), canaryPurpose)),
      ),
    ).toBe("canary");
    expect(await service.event("canary.answered")).toMatchObject({
      delivery: canaryId(canary),
      workItem: null,
    });
    expect(await service.turns()).toEqual([]);
  });

  test("is rejected like every unknown event without the marker, with another one of ours, or copied under another id", async () => {
    const service = await (await createWorld()).start();
    const { marks } = service.parts;
    expect(await decided(service, canaryId(canary), canaryBody(canaryWords(canary)))).toBe(
      "payload-rejected",
    );
    const second = { ...canary, nonce: canary.nonce.replace("0b", "1b") };
    expect(
      await decided(
        service,
        canaryId(second),
        canaryBody(marks.sign(canaryWords(second), "effect-1")),
      ),
    ).toBe("payload-rejected");
    const third = { ...canary, nonce: canary.nonce.replace("0b", "2b") };
    expect(
      await decided(
        service,
        canaryId(third),
        canaryBody(marks.sign(canaryWords(canary), canaryPurpose)),
      ),
    ).toBe("payload-rejected");
    expect(await service.events("canary.answered")).toEqual([]);
  });

  test.each([
    ["the key", "another one's words", (marks: Marks): Marks => ({ ...marks, isOurs: () => true })],
    [
      "what the marker was made for",
      "a marker for something else",
      (marks: Marks): Marks => ({ ...marks, marker: () => "" }),
    ],
  ])(
    "without the look at %s, %s would pass, so that the test above can fail",
    async (_guard, what, off) => {
      const forged = (marks: Marks): string =>
        what === "a marker for something else"
          ? marks.sign(canaryWords(canary), "effect-1")
          : marks
              .sign(
                canaryWords({ ...canary, nonce: canary.nonce.replace("0b", "1b") }),
                canaryPurpose,
              )
              .replace("1b54", "0b54");
      const world = await createWorld();
      const guarded = await world.start();
      expect(
        await decided(guarded, canaryId(canary), canaryBody(forged(guarded.parts.marks))),
      ).toBe("payload-rejected");
      const open = await (
        await createWorld()
      ).start((parts) => ({ ...parts, marks: off(parts.marks) }));
      const real = open.parts.marks;
      expect(await decided(open, canaryId(canary), canaryBody(forged({ ...real })))).toBe("canary");
    },
  );
});
