import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waitingNow } from "@loopwork/runtime/records";
import { dump, writeGraph, writeProgram } from "../../support/small-graph.ts";
import { until } from "../../support/until.ts";
import { createWorld, type Service } from "../../support/world.ts";

async function waits(service: Service): Promise<unknown> {
  await until(
    async () => (await service.events("graph.waits")).length > 0,
    "somebody is told",
    dump(service),
    60_000,
  );
  const { waiting } = await waitingNow(
    service.parts.store,
    service.parts.settings().config,
    Date.now(),
  );
  return waiting.map(({ reason, detail }) => [reason, detail]);
}

test(
  "checks that never settle, as each run changes what it looked at, are put before people",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing:
        "  graph: { specDir: docs/specs, definition: graphs.yaml, hooks: [{ node: build, command: [node, hook.mjs] }] }",
    });
    writeGraph(world, [{ id: "build" }]);
    writeProgram(
      world,
      "hook.mjs",
      'import { execFileSync } from "node:child_process"; execFileSync("git", ["commit", "-q", "--allow-empty", "-m", "again"]);',
    );
    const service = await world.start();
    world.startIssue("Water the garden by itself.");
    expect(await waits(service)).toEqual([
      ["unfinished", "the checks of build have not run on what stands there now"],
    ]);
  },
);

test(
  "a graph that cannot be looked at after a turn is put before people, with what is wrong",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
    });
    writeGraph(world, [{ id: "build" }, { id: "more" }]);
    const service = await world.start((parts) => ({
      ...parts,
      gate: { check: () => Promise.resolve({ kind: "complete" }) },
      workspace: {
        ...parts.workspace,
        headOf: async (workdir) =>
          (await parts.store.events.list({ kind: "turn.started", limit: 1 })).length > 0
            ? Promise.reject(new Error("the disk is gone"))
            : parts.workspace.headOf(workdir),
      },
    }));
    world.startIssue("Water the garden by itself.");
    expect(await waits(service)).toEqual([
      ["unfinished", "where the work stands could not be found out: the disk is gone"],
    ]);
  },
);

test(
  "a definition that cannot be used any more when a turn has ended is put before people, with its error and what to do",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
    });
    const file = join(world.scene.dir, "graphs.yaml");
    const broken = writeProgram(
      world,
      "break.mjs",
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(file)}, "version: 1\\n");`,
    );
    writeGraph(world, [{ id: "build", says: `{{stub:bash node ${broken}}}` }]);
    const service = await world.start();
    world.startIssue("Water the garden by itself.");
    expect(await waits(service)).toEqual([
      [
        "unfinished",
        "the process graph cannot be used: line 1: graphs: there is no graph work-item; the graph of an issue is always needed",
      ],
    ]);
  },
);

test(
  "so is one that never could be used, though nothing of a graph is on record of the item",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
    });
    writeFileSync(join(world.scene.dir, "graphs.yaml"), "version: 1\n");
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");
    expect(await waits(service)).toEqual([
      ["unfinished", expect.stringContaining("the process graph cannot be used: line 1")],
    ]);
    // Mended, the work goes on from its entry with the next word, and nothing waits any more.
    writeGraph(world, [{ id: "build" }]);
    world.host.comment(number, "Go on, please.", "ada");
    await until(
      async () =>
        (await service.events("graph.moved")).map(({ fields }) => fields["node"]).join() ===
        "build,end",
      "the way",
      dump(service),
      60_000,
    );
    expect(
      (await waitingNow(service.parts.store, service.parts.settings().config, Date.now())).waiting,
    ).toEqual([]);
  },
);
