import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dump, writeGraph } from "../../support/small-graph.ts";
import { until } from "../../support/until.ts";
import { createWorld, type Service } from "../../support/world.ts";

const longestMs = 120_000;

async function turns(service: Service, count: number): Promise<void> {
  await until(
    async () => (await service.events("turn.done")).length === count,
    `${count} turns`,
    dump(service),
    longestMs,
  );
}

test(
  "a request about the graph that is not taken is refused to whoever made it, and loop why says so with what to do",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
    });
    writeGraph(world, [
      { id: "build" },
      { id: "approval", produces: false, scripted: "", more: ["gate: human", "scope: work-item"] },
    ]);
    // Pull requests have a node that may be left out, and this item is an issue.
    appendFileSync(
      join(world.scene.dir, "graphs.yaml"),
      "  pull-request:\n    nodes: [{ id: extra, optional: true }, { id: end, terminal: true }]\n    edges: [[extra, end]]\n",
    );
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");
    await turns(service, 1);
    const sent = await world.scene.loop("graph", "skip", "extra", "--work-item", world.ref(number));
    expect(sent).toMatchObject({
      code: 1,
      out: expect.stringContaining("The process graph of this item has no node with that name."),
    });
    expect(sent.out).toContain("→ Run `loop graph show`");
    const why = await world.scene.loop(
      "why",
      (await service.event("graph.not-taken")).delivery ?? "",
    );
    expect(why.out).toContain("Reason: no-such-node");
    expect(why.out).toContain(
      "What @operator said at the node approval was not taken: the graph work-item has no node extra.",
    );
    expect(why.out).toContain("Next: Run `loop graph show`");
  },
);

test(
  "where there is no graph a request about it is refused, not stored for nothing",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const number = world.startIssue("{{stub:text done}}");
    await turns(service, 1);
    expect(
      await world.scene.loop("graph", "advance", "--work-item", world.ref(number)),
    ).toMatchObject({ code: 1, out: expect.stringContaining("No process graph is configured") });
  },
);

test(
  "what a person says at a gate and is not taken stands under loop why as well",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
    });
    writeGraph(world, [
      { id: "build" },
      { id: "approval", produces: false, scripted: "", more: ["gate: human", "scope: work-item"] },
    ]);
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");
    const thread = (): string =>
      world.host
        .issue(number)
        .comments.map(({ body }) => body)
        .join("\n");
    await until(
      () => thread().includes("waits for the approval"),
      "the gate",
      dump(service),
      longestMs,
    );
    await until(
      async () =>
        (await service.events("turn.done")).every(({ time }) => Date.now() - time > 2_000) &&
        (await service.parts.store.stats()).turns.ready === 0,
      "some seconds without a turn",
      dump(service),
      longestMs,
    );
    writeFileSync(
      join(String((await service.event("checkout.prepared")).fields["workdir"]), "loose.txt"),
      "not committed",
    );
    world.host.comment(number, "approved", "ada");
    await until(
      () => thread().includes("The answer of @ada is not taken"),
      "the answer",
      dump(service),
      longestMs,
    );
    const { delivery } = await service.event("graph.not-taken");
    expect((await world.scene.loop("why", delivery ?? "")).out).toContain(
      "What @ada said at the node approval was not taken: what stands there has changed since the gate was announced.",
    );
  },
);
