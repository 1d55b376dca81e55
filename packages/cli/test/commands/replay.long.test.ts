import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { openReadonlyStoreOf, openStoreOf } from "../../src/start/open.ts";
import { createScene } from "../support/scene.ts";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const decided = async (service: Service): Promise<number> =>
  (await service.events("delivery.decided")).length;

/** The service's own configuration with some text replaced, as a file somewhere else. */
function otherConfig(world: World, from: string, to: string): string {
  const file = join(world.scene.cwd, "other.yaml");
  const text = world.scene.text();
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
  return file;
}

/** Everything in the store, row by row, and every other file of the state root. */
function fingerprint(stateRoot: string): string {
  const database = new DatabaseSync(join(stateRoot, "loop.db"), { readOnly: true });
  const hash = createHash("sha256");
  for (const { name } of database
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all())
    hash.update(
      `${String(name)}\n${database
        .prepare(`select * from "${String(name)}"`)
        .all()
        .map((row) => JSON.stringify(row))
        .join("\n")}`,
    );
  database.close();
  const files = readdirSync(stateRoot, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith("loop.db-") && entry.name !== "loop.db",
  );
  for (const file of files)
    hash
      .update(`${file.parentPath}/${file.name}\n`)
      .update(readFileSync(join(file.parentPath, file.name)));
  return hash.digest("hex");
}

/**
 * A run with an issue at work, its pull request with comments and a check, people of all kinds, and
 * a closing.
 */
async function recordedRun(world: World): Promise<number> {
  const service = await world.start();
  const { host } = world;
  host.comment(host.openIssue({ title: "No label", by: "ada" }).number, "loop start", "ada");
  const number = world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  host.comment(number, "Mallory would like daisies.", "mallory");
  host.comment(number, "Please look again. {{stub:text again}}", "ada");
  await until(
    async () => (await service.turns()).filter(({ state }) => state === "done").length === 2,
    "the second turn",
  );
  await host.commit({
    branch: "roses",
    message: "roses",
    files: { "roses.md": "red\n" },
    by: "mallory",
  });
  const pull = await host.openPull({
    title: "Roses",
    body: `Closes #${number}`,
    head: "roses",
    by: "mallory",
  });
  host.comment(pull.number, "I like these. {{stub:text fine}}", "ada");
  await until(
    async () => (await service.turns()).filter(({ state }) => state === "done").length === 3,
    "the third turn",
  );
  expect(
    await world.scene.loop("sessions", "pause", "--work-item", world.ref(number)),
  ).toMatchObject({ code: 0 });
  await service.event("delivery.decided", ({ reason }) => reason === "pause-requested");
  host.comment(number, "loop resume", "ada");
  await service.event("delivery.decided", ({ reason }) => reason === "resume-requested");
  host.closeIssue(number, "ada");
  await service.event("checkout.released");
  await host.idle();
  const count = await decided(service);
  expect((await world.scene.loop("replay", "--since", "1h", "--json")).json()).toMatchObject({
    decided: count,
    same: count,
  });
  await service.stop();
  return count;
}

/**
 * The checkout of the first session is made while the event behind its start is between reading its
 * facts and being decided.
 */
function checkoutMeanwhile(parts: RuntimeParts): RuntimeParts {
  const { store, workspace } = parts;
  const read = Promise.withResolvers<void>();
  let started = false;
  const decide: typeof store.log.decide = async (seq, workItem, step) => {
    if (started && workItem !== null) {
      read.resolve();
      await until(
        async () =>
          (await store.items.load(workItem)).sessions.some(({ workdir }) => workdir !== null),
        "the checkout",
      );
    }
    return store.log.decide(seq, workItem, (item) => {
      const decided = step(item);
      started ||= decided.decision.reason === "start-requested";
      return decided;
    });
  };
  return {
    ...parts,
    store: { ...store, log: { ...store.log, decide } },
    workspace: {
      ...workspace,
      prepare: (...args) => read.promise.then(() => workspace.prepare(...args)),
    },
  };
}

test(
  "what was read before the session had a checkout is decided anew as it was, although the state that was decided on has one",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start(checkoutMeanwhile);
    const number = world.startIssue();
    world.host.label(number, "in progress", "ada");
    await service.event("turn.done");
    const count = await decided(service);
    expect((await world.scene.loop("replay", "--since", "1h", "--json")).json()).toMatchObject({
      decided: count,
      same: count,
      unknown: [],
    });
  },
);

test(
  "re-deciding the log of a real run gives identical bytes, and under another configuration exactly what it changes; nothing is done, nobody is asked",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld();
    const count = await recordedRun(world);
    const before = {
      store: fingerprint(world.stateRoot),
      asked: world.host.traffic.calls().length,
      prompts: world.prompts().length,
    };

    const same = await world.scene.loop("replay", "--since", "1h", "--json");
    expect(same.code).toBe(0);
    expect(same.json()).toMatchObject({
      decided: count,
      same: count,
      changed: [],
      unknown: [],
      undecided: 0,
      config: world.scene.configFile,
      service: world.scene.configFile,
    });
    expect(count).toBeGreaterThan(12);

    const other = otherConfig(world, "authorizedUsers: [ada]", "authorizedUsers: [ada, mallory]");
    const report = (
      await world.scene.loop("replay", "--since", "1h", "--config", other, "--json")
    ).json() as {
      decided: number;
      same: number;
      config: string;
      changed: readonly {
        event: string;
        before: object;
        after: object;
        effects: { gone: readonly object[]; added: readonly { kind: string }[] };
      }[];
      unknown: readonly object[];
    };
    expect(report).toMatchObject({ decided: count, config: other });
    expect(
      report.changed.map(({ event, before: was, after, effects }) => ({
        event,
        was,
        after,
        gone: effects.gone,
        added: effects.added.map(({ kind }) => kind),
      })),
    ).toEqual([
      {
        event: "issue_comment",
        was: { verdict: "ignored", reason: "stranger-dropped" },
        after: {
          verdict: "delivered",
          reason: "input-of-authorized",
          sentence: "An authorized user commented.",
        },
        gone: [],
        added: ["turn"],
      },
      {
        event: "pull_request",
        was: { verdict: "noted", reason: "stranger-dropped" },
        after: {
          verdict: "delivered",
          reason: "activity-of-session",
          sentence: "The work item changed.",
        },
        gone: [],
        added: ["turn"],
      },
    ]);
    expect(report.same + report.changed.length + report.unknown.length).toBe(count);

    const told = await world.scene.loop("replay", "--since", "1h", "--config", other);
    expect(told.out).toContain("ignored (stranger-dropped) → delivered (input-of-authorized)");
    expect(told.out).toContain("+ Delivers it to the session of host:practice/garden#2.");
    expect(told.out).toMatch(
      /\d+ decisions since .*: \d+ unchanged, 2 changed, 0 unknown\. Nothing was carried out\./,
    );

    const nobody = await world.scene.loop(
      "replay",
      "--since",
      "1h",
      "--config",
      otherConfig(world, "authorizedUsers: [ada]", "authorizedUsers: []"),
    );
    expect(nobody.out).toContain("started (start-requested) → ignored (stranger-dropped)");
    expect(nobody.out).toContain(
      "- Opens a session for host:practice/garden#2 with this as its first message.",
    );
    expect(nobody.out).toContain("* follows another change");

    expect({
      store: fingerprint(world.stateRoot),
      asked: world.host.traffic.calls().length,
      prompts: world.prompts().length,
    }).toEqual(before);
  },
);

test(
  "the check can fail: one more line in the event log is another fingerprint, and the store that replay reads from takes no writing",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    await (await world.start()).stop();
    const loaded = loadConfig(world.scene.configFile, world.scene);
    const [store, records] = [await openStoreOf(loaded), await openReadonlyStoreOf(loaded)];
    const before = fingerprint(world.stateRoot);
    const line = {
      time: 1,
      kind: "daemon.warning",
      level: "warn",
      instance: "default",
      workItem: null,
      delivery: null,
      reason: null,
      fields: {},
    } as const;
    await expect(records.events.append([line])).rejects.toMatchObject({
      code: "LOOP_E_STORE_READONLY",
    });
    await records.close();
    expect(fingerprint(world.stateRoot)).toBe(before);
    await store.events.append([line]);
    await store.close();
    expect(fingerprint(world.stateRoot)).not.toBe(before);
  },
);

test(
  "what nobody looked up is said to be unknown instead of being guessed",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld({ routing: "  enabled: false" });
    const service = await world.start();
    world.startIssue();
    await until(async () => (await decided(service)) >= 2, "both decisions");
    await service.stop();
    const other = otherConfig(world, "\n  enabled: false", "\n  enabled: true");
    const replayed = await world.scene.loop("replay", "--since", "1h", "--config", other);
    expect(replayed.out).toContain("\nUnknown\n");
    expect(replayed.out.replaceAll(/\s+/g, " ")).toContain(
      "(routing-disabled): It was ignored before anything was looked up, so",
    );
    const report = (
      await world.scene.loop("replay", "--since", "1h", "--config", other, "--json")
    ).json() as { unknown: readonly object[] };
    expect(report).toMatchObject({ same: 0, changed: [] });
    expect(report.unknown[0]).toMatchObject({
      question: "anything",
      before: "routing-disabled",
      event: "issues",
    });
  },
);

test("asks for a time it can read, a store that is there, and a configuration about the same host", async () => {
  const scene = createScene("state: { root: state }\n");
  expect(await scene.loop("replay")).toMatchObject({
    code: 2,
    err: expect.stringContaining("LOOP_E_USAGE"),
  });
  expect(await scene.loop("replay", "--since", "yesterday-ish")).toMatchObject({
    code: 2,
    err: expect.stringContaining("Use 30m, 2h, 7d, or a date"),
  });
  expect(await scene.loop("replay", "--since", "1h")).toMatchObject({
    code: 2,
    err: expect.stringContaining("LOOP_E_STORE_MISSING"),
  });
  expect(readdirSync(scene.dir)).not.toContain("state");
  expect(await scene.loop("replay", "--since", "1h", "--config", "nowhere.yaml")).toMatchObject({
    code: 2,
    err: expect.stringContaining("LOOP_E_CONFIG_MISSING"),
  });
  const wrong = join(scene.cwd, "wrong.yaml");
  writeFileSync(wrong, "routing: { bogus: 1 }\n");
  expect(await scene.loop("replay", "--since", "1h", "--config", wrong)).toMatchObject({
    code: 2,
    err: expect.stringContaining("LOOP_E_CONFIG"),
  });
});

test("refuses a configuration about another host", async () => {
  const world = await createWorld();
  const service = await world.start();
  await service.stop();
  const other = join(world.scene.cwd, "elsewhere.yaml");
  writeFileSync(other, "integrations: { codeHost: { host: git.example.org } }\n");
  expect(await world.scene.loop("replay", "--since", "1h", "--config", other)).toMatchObject({
    code: 2,
    err: expect.stringContaining("LOOP_E_REPLAY_HOST"),
  });
});
