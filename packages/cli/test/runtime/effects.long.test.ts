import { expect, test } from "vitest";
import { createOneByOne } from "../../../runtime/src/effects.ts";
import type { RuntimeParts } from "@loopwork/runtime";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test(
  "a host that takes its time over a comment delays no decision and no turn, and hears one call at a time",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    let [calls, most, asked, slow] = [0, 0, 0, true];
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const counted = async <T>(call: () => Promise<T>): Promise<T> => {
      most = Math.max(most, ++calls);
      return call().finally(() => (calls -= 1));
    };
    const slowHost = (parts: RuntimeParts): RuntimeParts => ({
      ...parts,
      host: {
        ...parts.host,
        react: (...args) => counted(() => parts.host.react(...args)),
        comment: (...args) =>
          counted(async () => {
            asked++;
            if (slow) await answered;
            return parts.host.comment(...args);
          }),
      },
    });
    const service = await world.start(slowHost);
    const { number } = world.host.openIssue({ title: "No label", by: "ada" });
    world.host.comment(number, "loop start", "ada");
    await until(() => asked > 0, "the reply under way");

    world.startIssue("{{stub:text done}}");
    await service.event("turn.done");
    expect((await service.parts.store.stats()).pendingEffects).toBeGreaterThan(0);
    expect(
      world.host.issue(number).comments.filter(({ author }) => author.login === "loop-agent"),
    ).toEqual([]);

    const drained = service.dispatcher.drain();
    slow = false;
    answer();
    expect(await drained).toBe(true);
    expect(
      world.host.issue(number).comments.filter(({ author }) => author.login === "loop-agent"),
    ).toHaveLength(1);
    expect((await service.parts.store.stats()).pendingEffects).toBe(0);
    expect(most).toBe(1);
  },
);

test("a stop waits for the effect under way and begins no other", { timeout: 60_000 }, async () => {
  const world = await createWorld();
  let [asked, recorded] = [0, 0];
  let answer: () => void = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const slowHost = (parts: RuntimeParts): RuntimeParts => {
    const { outbox } = parts.store;
    const settle: typeof outbox.settle = (...args) =>
      outbox.settle(...args).then((settled) => ((recorded += 1), settled));
    const react: RuntimeParts["host"]["react"] = async (...args) => {
      asked++;
      await answered;
      return parts.host.react(...args);
    };
    return {
      ...parts,
      host: { ...parts.host, react },
      store: { ...parts.store, outbox: { ...outbox, settle } },
    };
  };
  const service = await world.start(slowHost);
  for (const title of ["one", "two"]) {
    const { number } = world.host.openIssue({ title, by: "ada" });
    world.host.comment(number, "loop start", "ada");
  }
  await until(() => asked > 0, "the reaction under way");
  const before = recorded;
  let stopped = false;
  const stopping = service.stop().then(() => (stopped = true));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(stopped).toBe(false);
  answer();
  await stopping;
  expect({ asked, recorded: recorded - before }).toEqual({ asked: 1, recorded: 1 });
});

test("work that is handed over runs one after the other, also past one that fails", async () => {
  const apart = createOneByOne();
  const said: string[] = [];
  const step = (name: string, ms: number) => async (): Promise<string> => {
    said.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, ms));
    said.push(`${name} ends`);
    if (name === "b") throw new Error("b fails");
    return name;
  };
  expect(
    await Promise.allSettled([apart(step("a", 20)), apart(step("b", 1)), apart(step("c", 1))]),
  ).toMatchObject([{ value: "a" }, { status: "rejected" }, { value: "c" }]);
  expect(said).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});
