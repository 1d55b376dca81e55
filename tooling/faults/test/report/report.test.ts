import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recordsFolder, runFull, withoutEach } from "../../src/report/full.ts";
import { pageFile, pageOf, readRecords, templateFile } from "../../src/report/page.ts";
import { guardsPart, parts } from "../../src/report/parts.ts";

const quiet = (): void => {};

test("docs/reliability.md is what its template and the records give; `npm run faults -- --report` writes it", () => {
  expect(readFileSync(pageFile, "utf8")).toBe(pageOf(readFileSync(templateFile, "utf8"), readRecords(recordsFolder)));
});

test("every part has its place on the page", () => {
  const template = readFileSync(templateFile, "utf8");
  for (const name of [...parts.map((part) => part.name), guardsPart]) expect(template).toContain(`\n{{${name}}}\n`);
});

test("a result is shown with the command, the commit and the machine; violations are not hidden, and what was never run says so", () => {
  const machine = { cpu: "a processor", cores: 2, memoryGiB: 8, system: "linux", fileSystem: "ext4", node: "26.0.0", load: 1 };
  const record = { command: "npm run x", commit: "abc", changed: false, date: "2026-01-02", seconds: 300, machine, result: { restarts: 20, attempts: 12_345, violations: ["lost: | a word"] } };
  const page = pageOf("before\n{{restarts}}\n{{soak}}\nafter", new Map([["restarts", record]]));
  expect(page).toContain("| 20 | 12,345 |");
  expect(page).toContain("**1 violations**, of which the first: lost:   a word");
  expect(page).toContain("`npm run x` at abc, 2026-01-02, 5 min; 2 cores of a processor, 8 GiB, ext4, linux, Node 26.0.0.");
  expect(page).toContain("*No result of this run is on record");
  expect(() => pageOf("{{nothing}}", new Map())).toThrow("no table");
});

test("a guard whose absence nothing shows is a violation; of several runs the first that shows it is enough", async () => {
  const made: string[] = [];
  const make = async (args: readonly string[]): Promise<{ violations: readonly string[] }> => {
    made.push(args.join(" "));
    return { violations: args.includes("2") ? ["seen"] : [] };
  };
  const report = await withoutEach([{ guard: "a", tries: [["1"], ["2"], ["3"]] }, { guard: "b", tries: [["4"]] }], make, quiet);
  expect(made).toEqual(["1", "2", "4"]);
  expect(report).toEqual({ guards: [{ guard: "a", command: "2", violations: 1, first: "seen" }, { guard: "b", command: "4", violations: 0, first: "" }], violations: ["nothing went wrong without b"] });
});

test("each part is on record as soon as it ends, and one can be made by itself", async () => {
  const out = mkdtempSync(join(tmpdir(), "loop-report-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const report = await runFull({ part: "soak", out }, async () => ({ violations: ["late"], minutes: 20 }), quiet);
  expect(report).toMatchObject({ parts: [{ name: "soak", violations: 1 }], violations: ["soak: late"] });
  expect(readRecords(out).get("soak")).toMatchObject({ command: "npm run -s faults -- --soak 20 --seed 1 --json", result: { minutes: 20, violations: ["late"] } });
  await expect(runFull({ part: "luck", out }, async () => ({ violations: [] }), quiet)).rejects.toThrow("--part takes one of");
});
