import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CriticScope } from "@loopwork/core";
import { expect, test } from "vitest";
import { recordLink } from "../support/record-link.ts";
import { dump, writeGraph, writeProgram } from "../support/small-graph.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test(
  "`loop critic run` judges the node that the work stands at now, with the diff of every recorded pull request; who gives no verdict, and what cannot be read, is told",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
      more: "critics: [{ name: careful, command: [node, critic.mjs] }, { name: silent, command: [node, -e, process.exit(3)] }]",
    });
    world.scene.configure(
      world.scene.text().replace("[practice/garden]", "[practice/garden, practice/gone]"),
    );
    const seen = join(world.scene.dir, "seen.json");
    const finding = {
      severity: "major",
      title: "The hose is too short",
      file: "hose.txt",
      line: 1,
    };
    writeProgram(
      world,
      "critic.mjs",
      `import { readFileSync, writeFileSync } from "node:fs";
const scope = readFileSync(0, "utf8");
writeFileSync(${JSON.stringify(seen)}, scope);
const found = JSON.parse(scope).pullRequests.some(({ diff }) => diff?.includes("+a short hose"));
console.log(JSON.stringify(found ? { verdict: "fail", findings: [${JSON.stringify(finding)}] } : { verdict: "pass" }));
`,
    );
    await world.host.commit({
      branch: "change",
      message: "Change",
      files: { "hose.txt": "a short hose\n" },
    });
    const pull = await world.host.openPull({ title: "Change", head: "change", by: "loop-agent" });
    const links = `{{stub:bash loop sessions link-pr --pull-request ${pull.number}}}`;
    writeGraph(world, [
      { id: "work", says: links },
      { id: "review", produces: false, scripted: "", more: ["gate: human", "scope: work-item"] },
    ]);
    const service = await world.start();
    await recordLink(service.parts, world.ref(pull.number + 1), "host:practice/gone#3");
    const number = world.startIssue("Water the garden by itself.");
    const ref = world.ref(number);
    await until(
      async () => (await service.events("graph.waits")).some(({ reason }) => reason === "approval"),
      "the gate",
      dump(service),
      120_000,
    );
    await service.stop();

    const one = await world.scene.loop("critic", "run", "careful", "--work-item", ref);
    const scope: CriticScope = JSON.parse(readFileSync(seen, "utf8"));
    expect([
      scope.node,
      scope.folder,
      scope.pullRequests.map(({ ref: each, unreadable, diff }) => [
        each,
        unreadable,
        diff?.includes("+a short hose") ?? null,
      ]),
    ]).toEqual([
      "review",
      `docs/specs/practice+garden+${number}`,
      [
        ["host:practice/gone#3", "the host shows no such pull request to this token", null],
        [`host:practice/garden#${pull.number}`, null, true],
      ],
    ]);
    expect(one.code).toBe(1);
    for (const said of [
      "major: The hose is too short (hose.txt:1), found by careful",
      "loop gave no verdict: host:practice/gone#3 could not be read",
    ])
      expect(one.out).toContain(said);

    const both = await world.scene.loop("critic", "run", "--work-item", ref, "--json");
    const { outcome, reports } = Object(both.json());
    expect([
      both.code,
      outcome,
      reports.map(({ critic, ok }: { readonly critic: string; readonly ok: boolean }) => [
        critic,
        ok,
      ]),
    ]).toEqual([
      1,
      "rework",
      [
        ["careful", true],
        ["silent", false],
        ["loop", false],
      ],
    ]);
    expect((await world.scene.loop("critic", "run", "silent", "--work-item", ref)).code).toBe(2);
    // It keeps nothing: what counts is the round that the service runs after a turn.
    expect(
      JSON.stringify((await world.scene.loop("graph", "status", ref, "--json")).json()),
    ).not.toContain("The hose is too short");
  },
);

test(
  "critics don't run in a checkout in which a turn works, unless that turn asks for it",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
      more: "critics: [{ name: careful, command: [node, critic.mjs] }]",
    });
    const ran = join(world.scene.dir, "ran");
    writeProgram(
      world,
      "critic.mjs",
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(ran)}, ""); console.log('{"verdict":"pass"}');\n`,
    );
    writeGraph(world, [{ id: "work", says: "{{stub:hang 6000}}" }]);
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");
    await until(
      async () => (await service.events("turn.started")).length > 0,
      "the turn",
      dump(service),
      60_000,
    );
    const refused = await world.scene.loop("critic", "run", "--work-item", world.ref(number));
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("LOOP_E_TURN_RUNS") });
    expect(existsSync(ran)).toBe(false);
  },
);
