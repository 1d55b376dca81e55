import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { StoredEvent } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test } from "vitest";
import { groupExists } from "../../../src/processes/process-identity.ts";
import { startDaemon } from "../../support/daemon.ts";
import { dump, judged, writeGraph, writeProgram } from "../../support/small-graph.ts";
import { until } from "../../support/until.ts";
import { createWorld, type World } from "../../support/world.ts";

const longestMs = 240_000;

/** Says that it runs, with a child of its own, and goes on for ever until somebody lets it pass. */
const patient = `import { spawn } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";
const kept = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
appendFileSync(process.argv[1] + ".log", process.pid + "\\n");
setInterval(() => {
  if (!existsSync(process.argv[1] + ".pass")) return;
  kept.kill();
  console.log('{"verdict":"pass"}');
  process.exit(0);
}, 20);
`;

const hooked =
  "  graph: { specDir: docs/specs, definition: graphs.yaml, hooks: [{ node: build, command: [node, hook.mjs] }, { node: build, command: [node, hook.mjs] }] }";

describe("what judges after a turn", () => {
  test(
    "is ended with all that it started when its work item is stopped; nothing else of the round begins, and nothing of it counts",
    { timeout: 300_000 },
    async () => {
      const world = await createWorld({ chosen: true, routing: hooked });
      writeGraph(world, [{ id: "build" }]);
      const file = writePatient(world, "hook.mjs");
      const service = await world.start();
      const number = world.startIssue("Water the garden by itself.");
      const [group] = await until(
        () => Promise.resolve(running(file, 1)),
        "the hook",
        dump(service),
        longestMs,
      );
      world.host.comment(number, "loop stop", "ada");
      await until(
        async () => (await service.events("session.closed")).length === 1,
        "the end of the session",
        dump(service),
        longestMs,
      );
      expect(groupExists(Number(group))).toBe(false);
      expect(running(file, 1)).toHaveLength(1);
      expect(await judged(service)).toEqual([
        {
          node: "build",
          what: "hooks",
          reason: "called-off",
          detail:
            "the work was stopped while they ran; they were ended, and nothing of them counts",
        },
      ]);
      expect(
        (await service.parts.store.items.load(world.ref(number))).workItem?.graph?.signals,
      ).toEqual([]);
    },
  );

  test(
    "is ended by a stop of the service; the next one says so and lets it run again, once",
    { timeout: 300_000 },
    async () => {
      const world = await createWorld({
        chosen: true,
        routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
        more: "critics: [{ name: careful, command: [node, critic.mjs] }]",
      });
      writeGraph(world, [{ id: "build", more: ["critics: all"] }]);
      const file = writePatient(world, "critic.mjs");
      const first = await startDaemon(world);
      const number = world.startIssue("Water the garden by itself.");
      const [group] = await until(
        () => Promise.resolve(running(file, 1)),
        "the critic",
        first.log,
        longestMs,
      );
      await first.end("SIGTERM");
      expect(groupExists(Number(group))).toBe(false);
      await passesAtLast(
        world,
        number,
        file,
        "the service was stopped while they ran; they were ended, and run again when it is there",
      );
    },
  );

  test(
    "is ended by the next daemon where one was killed, before it runs again, and the log says so",
    { timeout: 300_000 },
    async () => {
      const world = await createWorld({
        chosen: true,
        routing:
          "  graph: { specDir: docs/specs, definition: graphs.yaml, hooks: [{ node: build, command: [node, hook.mjs] }] }",
      });
      writeGraph(world, [{ id: "build" }]);
      const file = writePatient(world, "hook.mjs");
      const first = await startDaemon(world);
      const number = world.startIssue("Water the garden by itself.");
      const [group] = await until(
        () => Promise.resolve(running(file, 1)),
        "the hook",
        first.log,
        longestMs,
      );
      await first.end("SIGKILL");
      expect(groupExists(Number(group))).toBe(true);
      await passesAtLast(
        world,
        number,
        file,
        "the service was killed while they ran; what was left of them was ended, and they run again",
      );
      expect(groupExists(Number(group))).toBe(false);
    },
  );

  test(
    "has one deadline together, whatever each of them has: then they are ended, and people are told",
    { timeout: 300_000 },
    async () => {
      const world = await createWorld({
        chosen: true,
        routing: hooked.replace("specDir:", "deadlineSeconds: 3, specDir:"),
      });
      writeGraph(world, [{ id: "build" }]);
      const file = writePatient(world, "hook.mjs");
      const service = await world.start();
      world.startIssue("Water the garden by itself.");
      const line = await service.event("graph.waits");
      const why =
        "hooks and critics took longer than 3 s together (routing.graph.deadlineSeconds); they were ended, and nothing of this round counts";
      expect(line.fields).toMatchObject({ node: "build", detail: why });
      expect(await judged(service)).toEqual([
        { node: "build", what: "hooks", reason: "called-off", detail: why },
      ]);
      expect((running(file, 0) ?? []).filter((group) => groupExists(Number(group)))).toEqual([]);
      await until(
        async () => (await service.events("turn.done")).length === 1,
        "the end of the turn",
        dump(service),
        longestMs,
      );
    },
  );
});

/**
 * Starts a daemon that must run it once more, lets that pass, and looks what the log says of both.
 */
async function passesAtLast(
  world: World,
  number: number,
  file: string,
  interrupted: string,
): Promise<void> {
  const next = await startDaemon(world);
  await until(() => Promise.resolve(running(file, 2)), "the second run", next.log, longestMs);
  writeFileSync(`${file}.pass`, "");
  const events = async (): Promise<readonly StoredEvent[]> =>
    JSON.parse(
      (await world.scene.loop("events", "--json", "--work-item", world.ref(number))).out,
    ) as readonly StoredEvent[];
  await until(
    async () =>
      (await events()).some(
        ({ kind, fields }) => kind === "graph.moved" && fields["node"] === "end",
      ),
    "the end of the graph",
    next.log,
    longestMs,
  );
  const said = (await events())
    .filter(({ kind }) => kind === "graph.judged")
    .map(({ reason, fields }) => [reason, fields["detail"]]);
  expect(said).toEqual([
    ["called-off", interrupted],
    ["passed", ""],
  ]);
  expect(running(file, 2)).toHaveLength(2);
  await next.end("SIGTERM");
}

/** A program that waits, and ends with its test at the latest. */
function writePatient(world: World, name: string): string {
  const file = writeProgram(world, name, patient);
  onTestFinished(() => {
    for (const group of (running(file, 0) ?? []).map(Number))
      if (groupExists(group)) process.kill(-group, "SIGKILL");
  });
  return file;
}

/** Groups of the runs so far; null while there are fewer. */
function running(file: string, atLeast: number): readonly string[] | null {
  const log = `${file}.log`;
  const groups = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  return groups.length >= atLeast ? groups : null;
}
