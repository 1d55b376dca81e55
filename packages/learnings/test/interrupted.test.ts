import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  addCandidate,
  bringBack,
  carryOut,
  finishInterrupted,
  planConsolidation,
  readBook,
  readQueue,
  undoFiles,
} from "../src/index.ts";
import { indexFile, now, planOf, World } from "./support/world.ts";

const text = "Start the database before the integration tests";

/** Consolidates in a process of its own, which ends where a file can't be written. */
async function endedAt(path: string, world: World): Promise<void> {
  for (let times = 0; times < 3; times += 1)
    await addCandidate(world.places.queue, world.candidate(text));
  const pipe = join(world.root, `${path}.loop-tmp`);
  mkdirSync(dirname(pipe), { recursive: true });
  execFileSync("mkfifo", [pipe]);
  const script = fileURLToPath(new URL("./support/consolidate-here.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    [
      "--conditions=@loopwork/source",
      script,
      world.root,
      JSON.stringify(world.places),
      String(now),
    ],
    { stdio: "ignore" },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const code = await new Promise((resolve) => child.on("exit", resolve));
  expect(code).not.toBe(0);
  expect(existsSync(join(world.root, indexFile))).toBe(true);
  rmSync(pipe);
}

describe("a consolidation that ended between the index and a detail", { timeout: 60_000 }, () => {
  test("is finished the next time, whole", async () => {
    const world = new World();
    await endedAt("docs/learnings/learning-001.md", world);
    await expect(readBook(world.root)).rejects.toMatchObject({ code: "LOOP_E_LEARNINGS_FILE" });
    expect(await finishInterrupted(world.root, world.places)).toEqual([
      "docs/learnings/learning-001.md",
    ]);
    expect((await readBook(world.root)).book.learnings).toMatchObject([
      { id: 1, text, status: "active", seen: 3 },
    ]);
    expect((await readQueue(world.places.queue)).candidates).toEqual([]);
    expect(await finishInterrupted(world.root, world.places)).toEqual([]);
  });

  test("can be undone instead", async () => {
    const world = new World();
    await endedAt("docs/learnings/learning-001.md", world);
    expect(await undoFiles(world.root, world.places)).toEqual([indexFile]);
    expect(await finishInterrupted(world.root, world.places)).toEqual([]);
    expect(existsSync(join(world.root, indexFile))).toBe(false);
    expect((await readQueue(world.places.queue)).candidates).toHaveLength(3);
  });

  test("is left alone where somebody mended it since, and what it took is in the queue still", async () => {
    const world = new World();
    await endedAt("docs/learnings/learning-001.md", world);
    writeFileSync(join(world.root, indexFile), "# Learnings\n");
    expect(await finishInterrupted(world.root, world.places)).toEqual([]);
    expect(world.files()).toEqual([indexFile]);
    expect((await readQueue(world.places.queue)).candidates).toHaveLength(3);
  });
});

test("each checkout of a repository has a last consolidation of its own, until it is gone", async () => {
  const [one, other] = [new World(), new World()];
  const shared = { ...other.places, journal: one.places.journal };
  await one.learn(text);
  for (let times = 0; times < 3; times += 1)
    await addCandidate(
      other.places.queue,
      other.candidate("Rotate the signing keys every quarter"),
    );
  await carryOut(other.root, shared, await planOf(other));
  expect(readdirSync(one.places.journal)).toHaveLength(2);
  expect(await undoFiles(one.root, one.places)).toContain(indexFile);
  rmSync(other.root, { recursive: true });
  await one.learn("Never commit generated files");
  expect(readdirSync(one.places.journal)).toHaveLength(1);
});

test("two branches that are open at once give no id twice", async () => {
  const [one, other] = [new World(), new World()];
  await one.learn(text);
  for (let times = 0; times < 3; times += 1)
    await addCandidate(
      other.places.queue,
      other.candidate("Rotate the signing keys every quarter"),
    );
  const shared = { ...other.places, ids: one.places.ids };
  await carryOut(other.root, shared, await planOf({ root: other.root, places: shared }));
  expect(other.files()).toEqual(["docs/learnings/learning-002.md", indexFile]);
});

describe("learnings whose list is lost are not ended", () => {
  test.each([
    ["the index is gone", (world: World) => rmSync(join(world.root, indexFile))],
    [
      "the index lost its block",
      (world: World) => world.write(indexFile, "# Learnings\n\nWords of ours.\n"),
    ],
    [
      "a topic is gone that the index leads to",
      (world: World) =>
        world.write(
          indexFile,
          world.read(indexFile).replace("<!-- /loop", "- more: topics/testing.md (3)\n<!-- /loop"),
        ),
    ],
  ])("where %s", async (_, lose) => {
    const world = new World();
    await world.learn(text);
    lose(world);
    await expect(planOf(world)).rejects.toMatchObject({
      code: "LOOP_E_LEARNINGS_FILE",
      hint: expect.stringContaining("git"),
    });
  });

  test("where the block is empty, somebody emptied it", async () => {
    const world = new World();
    await world.learn(text);
    world.write(indexFile, world.read(indexFile).replace(/- \[001\].*\n/u, ""));
    expect((await readBook(world.root)).book.learnings).toMatchObject([
      { id: 1, status: "retired" },
    ]);
  });
});

describe("what was carried into a checkout that is gone", () => {
  const carrying = async (): Promise<{
    readonly world: World;
    readonly places: World["places"] & { readonly carried: string };
  }> => {
    const world = new World();
    const places = { ...world.places, carried: join(world.places.journal, "..", "carried") };
    for (const run of ["a", "b", "c"])
      await addCandidate(places.queue, world.candidate(text, { run }));
    cpSync(world.root, `${world.root}-kept`, { recursive: true });
    await carryOut(world.root, places, await planOf(world));
    expect((await readQueue(places.queue)).candidates).toEqual([]);
    rmSync(world.root, { recursive: true });
    return { world, places };
  };

  test("comes back, also where something else was learned in the same runs", async () => {
    const { world, places } = await carrying();
    const elsewhere = new World();
    for (const run of ["a", "b", "c"])
      await addCandidate(
        elsewhere.places.queue,
        elsewhere.candidate("Rotate the signing keys every quarter", { run }),
      );
    await elsewhere.consolidate();
    const { book } = await readBook(elsewhere.root);
    expect(await bringBack(places.carried, places.queue, book)).toEqual([]);
    expect((await readQueue(world.places.queue)).candidates).toHaveLength(3);
    expect(readdirSync(places.carried)).toEqual([]);
  });

  test("is known where it was taken in as known already, in other words", async () => {
    const world = new World();
    await world.learn("Do not use default exports; use named exports");
    const places = { ...world.places, carried: join(world.places.journal, "..", "carried") };
    await addCandidate(places.queue, world.candidate("No default exports"));
    const { plan, ...rest } = await planOf(world);
    expect(plan.changes).toMatchObject([{ kind: "seen" }]);
    await carryOut(world.root, places, { plan, ...rest });
    cpSync(world.root, `${world.root}-merged`, { recursive: true });
    rmSync(world.root, { recursive: true });
    await bringBack(places.carried, places.queue, (await readBook(`${world.root}-merged`)).book);
    expect((await readQueue(places.queue)).candidates).toEqual([]);
  });

  test("is known where somebody who was asked said that it is, whatever the words", async () => {
    const world = new World();
    await world.learn(
      "Add a contract test for each new endpoint",
      "Rotate the keys every ninety days",
    );
    const places = { ...world.places, carried: join(world.places.journal, "..", "carried") };
    for (const run of ["a", "b", "c"])
      await addCandidate(
        places.queue,
        world.candidate("New endpoints of partners come with a smoke test and a runbook", { run }),
      );
    const consolidation = await planConsolidation(
      world.root,
      places,
      now,
      async ([first]) => new Map([[first?.candidates[0] ?? "", { op: "NOOP", target: "1" }]]),
    );
    expect(consolidation.plan.changes).toMatchObject([
      { kind: "seen", learning: { id: 1, seen: 6 } },
    ]);
    await carryOut(world.root, places, consolidation);
    cpSync(world.root, `${world.root}-merged`, { recursive: true });
    rmSync(world.root, { recursive: true });
    await bringBack(places.carried, places.queue, (await readBook(`${world.root}-merged`)).book);
    expect((await readQueue(places.queue)).candidates).toEqual([]);
  });

  test("stays carried while its checkout is out of reach, which is not gone", async () => {
    const { places } = await carrying();
    const loop = join(places.carried, "..", "loop");
    symlinkSync(loop, loop);
    const [file = ""] = readdirSync(places.carried).map((name) => join(places.carried, name));
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), root: join(loop, "checkout") }),
    );
    expect(
      await bringBack(places.carried, places.queue, (await readBook(new World().root)).book),
    ).toEqual([]);
    expect((await readQueue(places.queue)).candidates).toEqual([]);
    expect(readdirSync(places.carried)).toHaveLength(1);
  });

  test("is known where the repository has it, and stays where it cannot be read", async () => {
    const { places } = await carrying();
    const merged = new World();
    for (const run of ["a", "b", "c"])
      await addCandidate(merged.places.queue, merged.candidate(text, { run }));
    await merged.consolidate();
    writeFileSync(join(places.carried, "half.json"), '{"root":"/no');
    expect(
      await bringBack(places.carried, places.queue, (await readBook(merged.root)).book),
    ).toEqual(["half.json"]);
    expect((await readQueue(places.queue)).candidates).toEqual([]);
    expect(readdirSync(places.carried)).toEqual(["half.json.damaged"]);
  });
});
