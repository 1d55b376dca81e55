import { expect, test } from "vitest";
import { dump, walked, writeGraph } from "../../support/small-graph.ts";
import { until } from "../../support/until.ts";
import { createWorld } from "../../support/world.ts";

test(
  "nothing is read of a checkout for the words of somebody who is not heard",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
    });
    writeGraph(world, [{ id: "work" }]);
    let looks = 0;
    const service = await world.start((parts) => ({
      ...parts,
      workspace: {
        ...parts.workspace,
        changesOf: (workdir) => ((looks += 1), parts.workspace.changesOf(workdir)),
      },
    }));
    const number = world.startIssue("Water the garden by itself.");
    const said = (reason: string): Promise<unknown> =>
      until(
        async () =>
          (await service.events("delivery.decided")).some((line) => line.reason === reason),
        reason,
        dump(service),
      );
    await until(
      async () =>
        (await walked(service)).at(-1) === "end" &&
        (await service.parts.store.stats()).turns.ready === 0 &&
        (await service.turns()).every(({ state }) => state === "done"),
      "the end of the graph",
      dump(service),
      60_000,
    );
    const before = looks;
    // What the session did may still be looked at once or twice: a look for each of many comments
    // is told apart from that.
    for (let times = 0; times < 8; times += 1)
      world.host.comment(number, `approved ${times}`, "mallory");
    await until(
      async () =>
        (await service.events("delivery.decided")).filter(
          ({ reason }) => reason === "stranger-dropped",
        ).length === 8,
      "the stranger's words",
      dump(service),
    );
    expect(looks - before).toBeLessThan(8);
    const between = looks;
    world.host.comment(number, "What is left?", "ada");
    await said("input-of-authorized");
    expect(looks).toBeGreaterThan(between);
  },
);
