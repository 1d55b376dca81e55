import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

type AtWork = {
  readonly world: World;
  readonly service: Service;
  readonly number: number;
  readonly pull: number;
  asked(): number;
  said(by: string, text: string): Promise<string | null>;
};

/**
 * An issue at work, and a pull request for it that nobody recorded: only the host knows what it
 * closes.
 */
async function atWork(): Promise<AtWork> {
  const world = await createWorld();
  let asked = 0;
  const service = await world.start((parts) => ({
    ...parts,
    host: {
      ...parts.host,
      closingReferences: (ref) => ((asked += 1), parts.host.closingReferences(ref)),
    },
  }));
  const number = world.startIssue();
  await until(
    async () => (await service.turns()).some(({ state }) => state === "done"),
    "the first turn",
  );
  await world.host.commit({
    branch: `issue-${number}`,
    message: "help",
    files: { "a.txt": "help\n" },
    by: "ben",
  });
  const { number: pull } = await world.host.openPull({
    title: "Help",
    head: `issue-${number}`,
    by: "ben",
  });
  await world.host.idle();
  await until(
    async () => (await service.parts.store.stats()).undecided === 0,
    "the decision about the opening",
  );
  let heard = (await service.events("delivery.decided")).length;
  return {
    world,
    service,
    number,
    pull,
    asked: () => asked,
    async said(by, text) {
      world.host.comment(pull, text, by);
      await until(
        async () => (await service.events("delivery.decided")).length > heard,
        "the decision about the comment",
      );
      heard = (await service.events("delivery.decided")).length;
      return (await service.events("delivery.decided")).at(-1)?.reason ?? null;
    },
  };
}

test(
  "P09 what a stranger says on a pull request costs no call of the host; somebody with a grant is looked for, and heard",
  { timeout: 120_000 },
  async () => {
    const { world, service, number, pull, asked, said } = await atWork();
    const before = asked();
    expect(await said("mallory", "Closes everything, loop start")).toBe("stranger-dropped");
    expect(await said("dave", "Use rain water.")).toBe("stranger-dropped");
    expect(asked()).toBe(before);
    expect(await said("ada", "Looks good.")).toBe("input-of-authorized");
    expect(asked()).toBe(before + 1);

    expect(
      await world.scene.loop("add-collaborator", "@dave", "--work-item", world.ref(number)),
    ).toMatchObject({ code: 0 });
    world.host.comment(pull, "Use rain water, as I said.", "dave");
    await service.event("delivery.decided", ({ reason }) => reason === "input-of-collaborator");
    expect(asked()).toBe(before + 2);
    expect((await world.scene.loop("replay", "--since", "1h", "--json")).json()).toMatchObject({
      changed: [],
      unknown: [],
    });
  },
);
