import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatPortableRecord, parsePortableRecord, type PortableRecord } from "@loopwork/core";
import type { RefText } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { formatRecords, parseRecords } from "../../src/steer/records-file.ts";
import { createScene, type Scene } from "../support/scene.ts";
import { until } from "../support/until.ts";
import { createWorld, startService } from "../support/world.ts";

/** Another machine of the same people: a home, a state root and a store of its own. */
function elsewhere(text: string, env: Readonly<Record<string, string>>): Scene {
  const scene = createScene(text);
  Object.assign(scene.env, env, { HOME: scene.home, LOOP_CONFIG: scene.configFile });
  return scene;
}

test(
  "records move to another machine by a file: the next word there begins a session, and what is written again is the same to the byte",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({ more: "instance: { name: north }" });
    const service = await world.start();
    const ref = world.ref(world.startIssue("{{stub:text watered}}"));
    await until(
      async () => (await service.turns()).some(({ state }) => state === "done"),
      "the first turn",
    );
    await world.host.commit({
      branch: "issue-1",
      message: "Water",
      files: { "watered.txt": "yes\n" },
      by: "loop-agent",
    });
    await service.stop();
    const exported = await world.scene.loop("work-items", "export");
    expect(exported.out).toContain(`ref: ${ref}`);
    expect(exported.out).not.toContain(world.scene.dir);
    const out = join(world.scene.cwd, "out.yaml");
    writeFileSync(out, "what stood there", { mode: 0o644 });
    expect(await world.scene.loop("work-items", "export", ref, "--out", "out.yaml")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^✓ Exported 1 work item to .*out\.yaml\n$/),
    });
    expect([
      readFileSync(out, "utf8"),
      statSync(out).mode & 0o777,
      readdirSync(world.scene.cwd),
    ]).toEqual([exported.out, 0o600, ["out.yaml"]]);
    expect(
      await world.scene.loop("work-items", "export", "--out", "nowhere/out.yaml"),
    ).toMatchObject({ code: 2, err: expect.stringContaining("LOOP_E_RECORDS_UNWRITABLE") });

    const south = elsewhere(
      world.scene.text().replace("name: north", "name: south"),
      world.scene.env,
    );
    const file = join(south.dir, "items.yaml");
    writeFileSync(file, exported.out);
    expect(await south.loop("work-items", "import", file, "--take")).toMatchObject({
      code: 0,
      out: `✓ ${ref}\n`,
    });
    expect((await south.loop("work-items", "export")).out).toBe(
      exported.out.replaceAll("instance: north", "instance: south"),
    );
    expect((await south.loop("events", "--type", "work-item.imported", "--json")).out).toContain(
      '"from": "north"',
    );
    expect(await south.loop("work-items", "import", file, "--take")).toMatchObject({
      code: 0,
      out: `= ${ref} is already here, unchanged\n`,
    });

    const there = await startService(south, world.host, (parts) => parts);
    world.host.comment(1, "and {{stub:text the roses}}", "ada");
    await until(
      async () => (await there.turns()).some(({ state }) => state === "done"),
      "the word is worked on there",
      async () => JSON.stringify(await there.events(), null, 1),
    );
    const [before, begun] = world.prompts();
    expect(begun?.text).toContain("the roses");
    expect(begun?.session).not.toBe(before?.session);
    expect(begun?.text).toContain("The earlier conversation about this work item is lost");
    const { workdir } = (await there.parts.store.items.load(ref)).sessions[0] ?? {};
    expect([
      workdir?.startsWith(south.dir),
      existsSync(join(workdir ?? "", "watered.txt")),
    ]).toEqual([true, true]);
    expect(await south.loop("work-items", "import", file, "--replace")).toMatchObject({
      code: 1,
      out: expect.stringContaining("is running here"),
    });
  },
);

test(
  "an item of which a turn has not ended here is left alone, though no session is on record",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    // Nobody takes the lane, so that the turn waits; then the item is stopped in the record alone,
    // as a stop that is not carried out yet.
    const service = await world.start((parts) => ({
      ...parts,
      store: { ...parts.store, lanes: { ...parts.store.lanes, take: () => Promise.resolve(null) } },
    }));
    const ref = world.ref(world.startIssue());
    await until(
      async () => (await service.turns()).some(({ state }) => state === "ready"),
      "the turn waits",
    );
    const exported = (await world.scene.loop("work-items", "export")).out;
    await service.parts.store.items.update(ref, (item) => ({
      after: {
        ...item,
        sessions: [],
        workItem:
          item.workItem === null
            ? null
            : { ...item.workItem, control: { ...item.workItem.control, status: "stopped" } },
      },
      lines: [],
    }));
    world.scene.stdin(exported);
    expect(await world.scene.loop("work-items", "import", "-", "--replace")).toMatchObject({
      code: 1,
      out: expect.stringContaining(`${ref} is running here`),
    });
  },
);

test("what is no record is refused as a whole, with each problem and its place", async () => {
  const scene = createScene("state: { root: state }\n");
  const says = async (text: string): Promise<string> => {
    scene.stdin(text);
    const ran = await scene.loop("work-items", "import", "-");
    expect(ran.code).toBe(2);
    return ran.err;
  };
  expect(await says("- version: 1\n  workItem: { ref: nonsense }\n")).toMatch(
    /\[0\]\.workItem\.ref: must be a ref[^]*\[0\]\.workItem\.title: must be a text/,
  );
  expect(await says("version: 1")).toContain("the file: must be a list of records");
  expect(await says("- &a [x]\n- *a\n")).toContain("line 2, [1]: an alias stands here");
  expect(await says("- {a: 1, a: 2}")).toContain("line 1, [0].a: the key stands there twice");
  expect(await says("- !secret x\n")).toContain("line 1, [0]: the tag");
  expect(await says("[]\n---\n[]\n")).toContain("more than one document");
  expect(await says("- ".repeat(5000))).toContain("line 1: values are nested too deep");
  expect(await says("[".repeat(5000))).toContain("line 1: values are nested too deep");
  expect(await says(Array.from({ length: 60 }, () => "- 1\n").join(""))).toMatch(
    /\[49\]: must be an object\n +and 10 more/,
  );
  expect((await scene.loop("work-items", "import", "nowhere.yaml")).err).toContain(
    "Can't read nowhere.yaml",
  );
  expect(await scene.loop("work-items", "export", "ada/garden#1")).toMatchObject({
    code: 1,
    out: expect.stringContaining("Nothing is on record for host:ada/garden#1"),
  });
  expect((await scene.loop("work-items", "export", "--json")).json()).toEqual([]);
  scene.stdin("[]");
  expect(await scene.loop("work-items", "import", "-")).toMatchObject({
    code: 0,
    out: "The file has no work items\n",
  });
});

test("a record stands in a file once, and any words come back as they were", async () => {
  const text = formatRecords([
    record("ada/garden#1", "'q': # \u2028\n- [x] \u0007 é *a &b !c"),
    record("ada/garden#2", "007"),
    record("ada/garden#3", "~"),
  ]);
  const read = parseRecords(text);
  expect(formatRecords(read.flatMap((item) => formatPortableRecord(item) ?? []))).toBe(text);
  expect(
    formatRecords(
      parseRecords(JSON.stringify(parse(text))).flatMap((item) => formatPortableRecord(item) ?? []),
    ),
  ).toBe(text);

  const scene = createScene("state: { root: state }\n");
  scene.stdin(
    formatRecords([
      record("ada/garden#1", "one"),
      record("ada/garden#2", "two"),
      record("ADA/garden#1", "another"),
    ]),
  );
  expect(await scene.loop("work-items", "import", "-")).toMatchObject({
    code: 2,
    err: expect.stringContaining("[2].workItem.ref: duplicates [0]"),
  });
  expect((await scene.loop("work-items", "export", "--json")).json()).toEqual([]);
});

test(
  "many keys and a file over the bounds are refused within a moment",
  { timeout: 20_000 },
  () => {
    expect(() =>
      parseRecords(`- ${Array.from({ length: 40_000 }, (_, n) => `k${n}: 1`).join("\n  ")}\n`),
    ).toThrow("The file is not an export");
    expect(() => parseRecords(" ".repeat(16 * 1024 * 1024 + 1))).toThrow(
      "The file is not an export",
    );
  },
);

function record(ref: string, title: string): PortableRecord {
  const made = parsePortableRecord({
    version: 1,
    workItem: { ...emptyWorkItem, ref: `host:${ref}`, title },
    pullRequests: [],
    collaborators: [{ login: "grace", id: null, grantedBy: "ada", at: 1 }],
  });
  const formatted = made.ok ? formatPortableRecord(made.item) : null;
  if (formatted === null) throw new Error(JSON.stringify(made));
  return { ...formatted, workItem: { ...formatted.workItem, ref: `host:${ref}` as RefText } };
}

const control = {
  status: "idle",
  instance: null,
  requestedBy: null,
  source: null,
  deliveryId: null,
  at: null,
  before: null,
};
const emptyWorkItem = {
  hostId: null,
  repositoryId: null,
  type: "issue",
  url: null,
  cloneUrl: null,
  defaultBranch: "main",
  open: true,
  armed: false,
  labels: ["b", "a"],
  control,
  closeDeferred: false,
  spend: { turns: 0, usd: 0.1, minutes: 1e-7 },
  hostUpdatedAt: null,
};

test.each([{ CLAUDECODE: "1" }, { CURSOR_AGENT: "1" }])(
  "P07 no agent imports, also none that a person began: records hold grants (%o)",
  async (signs) => {
    const scene = createScene("state: { root: state }\n");
    Object.assign(scene.env, signs);
    scene.stdin("[]");
    const ran = await scene.loop("work-items", "import", "-");
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain("LOOP_E_INSIDE_TURN");
  },
);
