import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ItemState } from "@loopwork/core/ports";
import { eventLine, type RuntimeParts } from "@loopwork/runtime";
import { forgetful, writeHostCommand } from "../support/host-command.ts";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

/** Two started items: the first one's turn is over, the second one's does what `words` say. */
async function twoItems(
  words: string,
  {
    quietSeconds,
    decorate,
  }: { readonly quietSeconds: number; readonly decorate?: (parts: RuntimeParts) => RuntimeParts },
): Promise<{
  readonly world: World;
  readonly service: Service;
  readonly first: number;
  readonly itemOf: (number: number) => Promise<ItemState>;
}> {
  const world = await createWorld({ quietSeconds });
  writeHostCommand(world);
  const service = await world.start(decorate);
  const first = world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  world.startIssue(words);
  return {
    world,
    service,
    first,
    itemOf: (number) => service.parts.store.items.load(world.ref(number)),
  };
}

const turnsDone = (service: Service, count: number): Promise<unknown> =>
  until(async () => (await service.events("turn.done")).length === count, `${count} turns`);

/** A grant that the host tells of only after `meanwhile`, so many lines of the log later. */
async function grantToldLate(
  world: World,
  service: Service,
  on: number,
  lines: number,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  world.host.aim({ url: "http://127.0.0.1:9/", secret: "practice-secret" });
  world.host.comment(on, "loop add-collaborator @grace", "ada");
  await service.parts.store.events.append(
    Array.from({ length: lines }, () =>
      eventLine(service.parts, "host.posted", { fields: { comment: "1" } }),
    ),
  );
  await meanwhile();
  world.host.aim({ url: service.url, secret: "practice-secret" });
  await world.host.redeliver(world.host.deliveries().at(-1)?.id ?? "");
}

describe("what an agent writes on another work item than its own", () => {
  const grants =
    "{{stub:bash gh issue comment 1 --body 'loop add-collaborator @mallory'}} {{stub:hang 1200}}";
  const stops = "{{stub:bash gh issue comment 1 --body 'loop stop'}} {{stub:hang 1200}}";

  test.each([grants, stops])(
    "P06 P10 is known by the hook's record as on its own: %s",
    { timeout: 60_000 },
    async (words) => {
      const { world, service, first, itemOf } = await twoItems(words, { quietSeconds: 4 });
      await service.event(
        "delivery.decided",
        ({ reason, workItem }) => reason === "own-comment" && workItem === world.ref(first),
      );
      expect(
        await service.event("host.posted", ({ reason }) => reason === "agent-tool"),
      ).toMatchObject({ workItem: world.ref(2) });
      await turnsDone(service, 2);
      expect(await itemOf(first)).toMatchObject({
        collaborators: [],
        workItem: { control: { status: "started" } },
      });
      expect(await service.turns()).toHaveLength(2);
    },
  );

  test(
    "the stop above can fail: without the record the same words stop the other item",
    { timeout: 60_000 },
    async () => {
      const { service, first, itemOf } = await twoItems(stops, {
        quietSeconds: 1,
        decorate: forgetful,
      });
      await until(
        async () => (await itemOf(first)).workItem?.control.status === "stopped",
        "the stop",
      );
      await turnsDone(service, 2);
    },
  );

  test(
    "P06 a grant by a program of which no hook tells grants nothing there either",
    { timeout: 60_000 },
    async () => {
      const { world, service, first, itemOf } = await twoItems(grants, {
        quietSeconds: 1,
        decorate: forgetful,
      });
      const { delivery } = await service.event(
        "delivery.decided",
        ({ reason, workItem }) => reason === "grant-during-turn" && workItem === world.ref(first),
      );
      await turnsDone(service, 2);
      expect((await itemOf(first)).collaborators).toEqual([]);
      expect((await world.scene.loop("why", delivery ?? "")).out.replaceAll(/\s+/g, " ")).toContain(
        "A turn was running when this was written",
      );
      expect((await world.scene.loop("replay", "--since", "1h", "--json")).json()).toMatchObject({
        changed: [],
        unknown: [],
      });
    },
  );

  test(
    "P06 nor where it is told after the turn, behind more lines of the log than one page",
    { timeout: 60_000 },
    async () => {
      const { world, service, first, itemOf } = await twoItems("{{stub:hang 4000}}", {
        quietSeconds: 0,
      });
      await until(() => world.prompts().length === 2, "the second prompt");
      await sleep(1_100); // The host's clock counts seconds, and the first turn is to lie before the comment.
      await grantToldLate(
        world,
        service,
        first,
        1_100,
        async () =>
          void (await until(
            async () => (await service.parts.store.stats()).turns.done === 2,
            "the turn's end",
          )),
      );
      await service.event(
        "delivery.decided",
        ({ reason, workItem }) => reason === "grant-during-turn" && workItem === world.ref(first),
      );
      expect((await itemOf(first)).collaborators).toEqual([]);
    },
  );
});

describe("a person's comment on an item while an agent works on another", () => {
  test(
    "acts once the quiet time is over, which it waits out like one on the agent's own; loop why names the turn",
    { timeout: 60_000 },
    async () => {
      const { world, service, first, itemOf } = await twoItems("{{stub:hang 25000}}", {
        quietSeconds: 6,
      });
      await until(() => world.prompts().length === 2, "the second prompt", undefined, 40_000);
      await until(
        async () => (await service.parts.store.stats()).undecided === 0,
        "every decision",
      );
      world.host.comment(first, "loop stop", "ada");
      await until(
        async () => (await service.parts.store.log.undecided(9)).length === 1,
        "one that waits",
      );
      expect(
        (await world.scene.loop("why", world.ref(first))).out.replaceAll(/\s+/g, " "),
      ).toContain(
        `waits: a turn of ${world.ref(2)} runs, and its agent may have written this comment itself. It is decided once no turn runs, at the latest in `,
      );
      await until(
        async () => (await itemOf(first)).workItem?.control.status === "stopped",
        "the stop",
      );
      expect((await service.turns()).map(({ state }) => state)).toEqual(["done", "injecting"]);
    },
  );

  test.each([
    [1_100, "collaborator-granted"],
    [10_000, "grant-during-turn"],
  ])(
    "a grant that no turn ran at counts, though told behind %i lines of the log; what nobody reads to the end does not: %s",
    { timeout: 60_000 },
    async (lines, outcome) => {
      const { world, service, first, itemOf } = await twoItems("{{stub:text done}}", {
        quietSeconds: 0,
      });
      await turnsDone(service, 2);
      await sleep(1_100); // The host's clock counts seconds.
      await grantToldLate(world, service, first, lines);
      await service.event("delivery.decided", ({ reason }) => reason === outcome);
      expect((await itemOf(first)).collaborators).toHaveLength(
        outcome === "collaborator-granted" ? 1 : 0,
      );
    },
  );
});
