import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recordsFolder, runFull, withoutEach } from "../../src/report/full.ts";
import { makeInChild } from "../../src/report/child.ts";
import { commandOf } from "../../src/report/commands.ts";
import { pageFile, pageOf, readRecords, shown, templateFile } from "../../src/report/page.ts";
import { guardRuns, guardsPart, parts } from "../../src/report/parts.ts";
import { tables } from "../../src/report/tables.ts";

const quiet = (): void => {};

test("docs/reliability.md is what its template, docs/reliability/*.json and docs/mutation.json give; `npm run faults -- --report` writes it", () => {
  expect(readFileSync(pageFile, "utf8")).toBe(
    pageOf(readFileSync(templateFile, "utf8"), readRecords(recordsFolder)),
  );
});

test("every part has its place on the page", () => {
  const template = readFileSync(templateFile, "utf8");
  for (const name of [...parts.map((part) => part.name), guardsPart])
    expect(Object.keys(tables)).toContain(name);
  for (const name of ["targets", ...Object.keys(tables)])
    expect(template).toContain(`\n{{${name}}}\n`);
});

test("a result is shown with the command, the commit and the machine; violations are not hidden, and what was never run says so", () => {
  const machine = {
    cpu: "a processor",
    cores: 2,
    memoryGiB: 8,
    system: "linux",
    fileSystem: "ext4",
    node: "26.0.0",
    load: 1,
  };
  const record = {
    command: "npm run x",
    commit: "abc",
    changed: false,
    date: "2026-01-02",
    seconds: 300,
    machine,
    result: { restarts: 20, attempts: 12_345, violations: ["lost: | a word"] },
  };
  const page = pageOf(
    "before\n{{restarts}}\n{{soak}}\nafter",
    new Map([["restarts", shown(record)]]),
  );
  expect(page).toContain("| 20 | 12,345 |");
  expect(page).toContain("**1 violations**, of which the first: lost:   a word");
  expect(page).toContain(
    "`npm run x` at abc, 2026-01-02, 5 min; 2 cores of a processor, 8 GiB, ext4, linux, Node 26.0.0.",
  );
  expect(page).toContain(
    "*No run on record. `npm run -s faults -- --full --part soak` makes one.*",
  );
  expect(() => pageOf("{{nothing}}", new Map())).toThrow("no table");
});

test("a guard whose absence nothing shows is a violation; of several runs the first that shows it is enough", async () => {
  const made: string[] = [];
  const make = async (args: readonly string[]): Promise<{ violations: readonly string[] }> => {
    made.push(args.join(" "));
    return { violations: args.includes("2") ? ["seen"] : [] };
  };
  const report = await withoutEach(
    [
      { guard: "a", tries: [["1"], ["2"], ["3"]] },
      { guard: "b", tries: [["4"]] },
    ],
    make,
    quiet,
  );
  expect(made).toEqual(["1", "2", "4"]);
  expect(report).toEqual({
    guards: [
      { guard: "a", command: "2", violations: 1, first: "seen" },
      { guard: "b", command: "4", violations: 0, first: "" },
    ],
    violations: ["nothing went wrong without b"],
  });
});

test("what a busy machine shows does not stand for what the guard's absence shows", async () => {
  const guard = { guard: "a", tries: [["1"], ["2"]], shows: /^secret: / };
  const make = async (args: readonly string[]): Promise<{ violations: readonly string[] }> => ({
    violations: args.includes("1")
      ? ["block: away 80 ms"]
      : ["block: away 90 ms", "secret: in a log"],
  });
  expect((await withoutEach([guard], make, quiet)).guards).toEqual([
    { guard: "a", command: "2", violations: 1, first: "secret: in a log" },
  ]);
  expect((await withoutEach([{ ...guard, tries: [["1"]] }], make, quiet)).violations).toEqual([
    "nothing went wrong without a",
  ]);
});

test("an event loop that was kept from computing is the machine's doing, one that computed is the guard's", () => {
  const shows = guardRuns.find(({ guard }) => guard === "hostile linear")?.shows;
  expect(
    shows?.test(
      "block: the event loop was away 255 ms, of which it computed 259 ms, where 10 ms are the machine's; under way then: input 1",
    ),
  ).toBe(true);
  expect(
    shows?.test(
      "block: the event loop was away 180 ms, of which it computed 15 ms, where 33 ms are the machine's; under way then: input 1",
    ),
  ).toBe(false);
});

test("each part is on record as soon as it ends, and one can be made by itself", async () => {
  const out = mkdtempSync(join(tmpdir(), "loop-report-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const report = await runFull(
    { part: "soak", out },
    async () => ({ violations: ["late"], minutes: 20 }),
    quiet,
  );
  expect(report).toMatchObject({
    parts: [{ name: "soak", violations: 1 }],
    violations: ["soak: late"],
  });
  expect(readRecords(out).get("soak")).toMatchObject({
    origin: expect.stringContaining("`npm run -s faults -- --soak 20 --seed 1 --json` at "),
    result: { minutes: 20, violations: ["late"] },
  });
  await expect(
    runFull({ part: "luck", out }, async () => ({ violations: [] }), quiet),
  ).rejects.toThrow("--part takes one of");
});

test("a part that fails is a violation and leaves no record; the others are made all the same", async () => {
  const out = mkdtempSync(join(tmpdir(), "loop-report-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const make = (args: readonly string[]): Promise<{ violations: readonly string[] }> =>
    args.includes("--matrix")
      ? Promise.reject(new Error("it did not end within 60 minutes"))
      : Promise.resolve({ violations: args.includes("--without") ? ["seen"] : [] });
  const { violations, parts: made } = await runFull({ out }, make, quiet);
  expect(violations).toContain("matrix: it did not end within 60 minutes");
  expect(made.map(({ name }) => name)).toEqual([...parts.map(({ name }) => name), guardsPart]);
  expect([...readRecords(out).keys()]).not.toContain("matrix");
  expect([...readRecords(out).keys()]).toContain("soak");
});

test(
  "a part is a process of its own, and is ended when it takes too long",
  { timeout: 120_000 },
  async () => {
    const said: string[] = [];
    expect(await makeInChild(["--torn", "3"], (text) => said.push(text), 100_000)).toMatchObject({
      mutations: 3,
      violations: [],
    });
    await expect(makeInChild(["--soak", "5"], quiet, 400)).rejects.toThrow(
      "it did not end within 0 minutes",
    );
    await expect(makeInChild(["--torn", "no"], (text) => said.push(text), 100_000)).rejects.toThrow(
      "it could not measure",
    );
    expect(said.join("\n")).toContain("--torn takes a whole number");
  },
);

test("every table has a command that puts it on record", () => {
  for (const name of Object.keys(tables)) expect(commandOf(name)).toMatch(/^npm run -s /);
});
