import { expect, test } from "vitest";
import { dump, walked, writeGraph, writeProgram } from "../../support/small-graph.ts";
import { until } from "../../support/until.ts";
import { createWorld } from "../../support/world.ts";

const longestMs = 120_000;

test(
  "an approval that an agent writes under its operator's login during its turn opens no gate, and the thread says why; the operator's own does afterwards",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
    });
    const url = `${world.host.apiUrl}/repos/practice/garden/issues/1/comments`;
    const post = writeProgram(
      world,
      "post.mjs",
      `import { existsSync, writeFileSync } from "node:fs";
if (existsSync(process.argv[1] + ".done")) process.exit(0);
writeFileSync(process.argv[1] + ".done", "");
const { status } = await fetch(${JSON.stringify(url)}, { method: "POST", headers: { authorization: "token practice-ada", "content-type": "application/json" }, body: JSON.stringify({ body: "approved" }) });
process.exit(status === 201 ? 0 : 1);
`,
    );
    // The first turn at the gate writes an approval.
    writeGraph(world, [
      { id: "build" },
      {
        id: "approval",
        produces: false,
        scripted: `{{stub:bash node ${post}}}`,
        more: ["gate: human", "scope: work-item"],
      },
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

    world.host.comment(number, "Is the tap closed at night?", "ada");
    const refused = await service.event("graph.not-taken");
    expect([refused.reason, refused.fields["by"]]).toEqual(["agent-at-work", "ada"]);
    expect(
      world.host
        .issue(number)
        .comments.filter(({ body, author }) => body === "approved" && author.login === "ada"),
    ).toHaveLength(1);
    await until(
      () => thread().includes("The answer of @ada is not taken: a turn ran when it was written"),
      "why",
      dump(service),
      longestMs,
    );
    expect([await service.events("graph.answered"), (await walked(service)).at(-1)]).toEqual([
      [],
      "approval",
    ]);

    // The host tells whole seconds: what was said within them of a turn's end may be the agent's.
    await until(
      async () =>
        (await service.events("turn.done")).every(({ time }) => Date.now() - time > 2_000) &&
        (await service.parts.store.stats()).turns.ready === 0 &&
        (await service.parts.store.stats()).turns.injecting === 0,
      "some seconds without a turn",
      dump(service),
      longestMs,
    );
    world.host.comment(number, "approved", "ada");
    await until(
      async () => (await walked(service)).at(-1) === "end",
      "the end of the graph",
      dump(service),
      longestMs,
    );
  },
);
