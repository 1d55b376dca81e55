import { createCodeHost } from "@loopwork/codehost";
import { CodeHostError, type OutboxEntry, type RefText, verbatimPost } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { hostFailure } from "../../../../runtime/src/handlers/host-failure.ts";
import { createWorld } from "../../support/world.ts";

const thread = { host: null, owner: "practice", repo: "garden", number: 1 };
const entry = (attempts: number): OutboxEntry => ({
  id: 1,
  workItem: "host:practice/garden#1" as RefText,
  deliveryId: "d-1",
  effect: { kind: "reply", thread, text: verbatimPost("hello") },
  attempts,
  createdAt: 0,
});

/** The error as the client itself makes it: it says how long waiting helps. */
async function awayError(): Promise<CodeHostError> {
  const error: unknown = await createCodeHost({
    host: null,
    apiBaseUrl: "http://127.0.0.1:9",
    token: "t",
  })
    .comment(thread, verbatimPost("hello"))
    .catch((reason: unknown) => reason);
  if (error instanceof CodeHostError) return error;
  throw new Error("somebody listens there");
}

/**
 * Minutes for which a post is tried while each try fails like this, and the rests between the tries
 * in seconds.
 */
async function triesAt(
  error: CodeHostError,
): Promise<{ readonly minutes: number; readonly rests: readonly number[] }> {
  const { parts } = await (await createWorld()).start();
  const still = { ...parts, clock: { ...parts.clock, now: () => 0 } };
  const rests: number[] = [];
  for (let attempts = 0; attempts < 100; attempts += 1) {
    const carried = hostFailure(error, entry(attempts), still);
    if (carried.kind !== "again")
      return { minutes: rests.reduce((sum, rest) => sum + rest, 0) / 60, rests };
    rests.push(carried.notBefore / 1000);
  }
  throw new Error("it is tried for ever");
}

test(
  "a post outlives hours of a host that is away, and is tried ever more slowly",
  { timeout: 60_000 },
  async () => {
    const { minutes, rests } = await triesAt(await awayError());
    expect(rests[0]).toBe(30);
    expect(rests.at(-1)).toBe(15 * 60);
    expect(rests.every((rest, n) => rest >= (rests[n - 1] ?? 0))).toBe(true);
    expect(minutes).toBeGreaterThan(3 * 60);
  },
);

test("a limit is waited out for as long as the host asks", { timeout: 60_000 }, async () => {
  expect(
    (await triesAt(new CodeHostError("LOOP_E_HOST_LIMIT", "slow down", 3_600_000))).rests[0],
  ).toBe(3600);
});
