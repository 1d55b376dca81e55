import { CodeHostError } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { adopt } from "../../support/adopt.ts";
import { until } from "../../support/until.ts";
import { createWorld, type World } from "../../support/world.ts";

const refusals = (world: Awaited<ReturnType<typeof createWorld>>, number: number): number =>
  world.host.issue(number).comments.filter(({ body }) => body.includes("doesn't have the label"))
    .length;

test(
  "D01 a life that ends between a post and the note of it: the next life finds the post and posts nothing",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const forgetful = (parts: RuntimeParts): RuntimeParts => {
      const { outbox } = parts.store;
      return {
        ...parts,
        store: {
          ...parts.store,
          outbox: {
            ...outbox,
            settle: (id, result, fold, lines) =>
              lines.some(({ kind }) => kind === "host.posted")
                ? Promise.reject(new Error("killed here"))
                : outbox.settle(id, result, fold, lines),
          },
        },
      };
    };
    const first = await world.start(forgetful);
    const { number } = world.host.openIssue({
      title: "Not labelled",
      body: "x",
      labels: [],
      by: "ada",
    });
    world.host.comment(number, "loop start", "ada");
    await until(
      () => refusals(world, number) > 0,
      "the post",
      () => first.said.join("\n"),
    );
    await first.stop();

    const second = await world.start();
    await second.event("host.posted");
    expect(refusals(world, number)).toBe(1);
  },
);

test(
  "a thread that holds a post of an earlier store, with the same number, still gets the new one",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const { number } = world.host.openIssue({
      title: "Not labelled",
      body: "x",
      labels: [],
      by: "ada",
    });
    world.host.comment(
      number,
      "Something else.\n\n<!-- loop:effect-2:of-an-earlier-store -->",
      "loop-agent",
    );
    const forgetful = (parts: RuntimeParts): RuntimeParts => ({
      ...parts,
      store: {
        ...parts.store,
        outbox: {
          ...parts.store.outbox,
          due: async (now, limit) =>
            (await parts.store.outbox.due(now, limit)).map((entry) => ({
              ...entry,
              attempts: Math.max(1, entry.attempts),
            })),
        },
      },
    });
    const service = await world.start(forgetful);
    world.host.comment(number, "loop start", "ada");
    await service.event("host.posted");
    expect(refusals(world, number)).toBe(1);
  },
);

const repliesOn = (world: World, number: number): number =>
  world.host.issue(number).comments.filter(({ author }) => author.login === "loop-agent").length;

/**
 * Another instance takes the work item over just before the first settling of a reply that `when`
 * picks, as if this one had been stopped there.
 */
function adoptedMeanwhile(
  world: World,
  number: number,
  when: (note: string) => boolean,
): (parts: RuntimeParts) => RuntimeParts {
  let done = false;
  return (parts) => {
    const { outbox } = parts.store;
    const settle: typeof outbox.settle = async (id, result, fold, lines) => {
      const effect = (await outbox.pending({ limit: 99 })).find((each) => each.id === id)?.effect
        .kind;
      if (!done && effect === "reply" && when(result.note)) {
        done = true;
        await adopt(world, number);
      }
      return outbox.settle(id, result, fold, lines);
    };
    return { ...parts, store: { ...parts.store, outbox: { ...outbox, settle } } };
  };
}

test(
  "S09: a reply whose work item another instance adopts before it is posted is not posted by the old owner, at its first attempt or a later one",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld();
    const [first, later] = [1, 2];
    let refusals = 0;
    const away = (parts: RuntimeParts): RuntimeParts => ({
      ...parts,
      host: {
        ...parts.host,
        comment: (thread, ...rest) =>
          thread.number === later && refusals++ === 0
            ? Promise.reject(new CodeHostError("LOOP_E_HOST_SERVER", "away", 0))
            : parts.host.comment(thread, ...rest),
      },
    });
    const beginning = (note: string): boolean => note === "is being posted";
    const service = await world.start((parts) =>
      adoptedMeanwhile(
        world,
        first,
        beginning,
      )(adoptedMeanwhile(world, later, (note) => beginning(note) && refusals > 0)(away(parts))),
    );
    for (const number of [first, later]) {
      expect(world.startIssue("{{stub:text ok}}")).toBe(number);
      await service.event("turn.done", ({ workItem }) => workItem === world.ref(number));
      world.host.comment(number, "loop resume", "ada");
      await until(
        () => service.said.some((text) => text.includes(`reply of ${world.ref(number)} is left`)),
        "the refusal",
        async () =>
          [...service.said, ...(await service.events()).map((each) => JSON.stringify(each))].join(
            "\n",
          ),
      );
      expect(repliesOn(world, number)).toBe(0);
    }
  },
);

test(
  "S09: a reply whose work item is adopted after it was claimed and right before it is sent, is not sent by the old owner",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld();
    const late = (parts: RuntimeParts): RuntimeParts => ({
      ...parts,
      host: {
        ...parts.host,
        comment: async (thread, ...rest) => {
          await adopt(world, thread.number);
          return parts.host.comment(thread, ...rest);
        },
      },
    });
    const service = await world.start(late);
    const number = world.startIssue("{{stub:text ok}}");
    await service.event("turn.done");
    world.host.comment(number, "loop resume", "ada");
    await until(
      () => service.said.some((text) => text.includes(`reply of ${world.ref(number)} is left`)),
      "the refusal",
      () => service.said.join("\n"),
    );
    expect(repliesOn(world, number)).toBe(0);
  },
);
