import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installPeers } from "../src/measure.ts";
import { plantMutants } from "../src/plant.ts";
import type { Fate } from "../src/result.ts";
import { openFolder } from "../src/sandbox.ts";
import { tryAll } from "../src/try-all.ts";

const source = `export const table = ["read at load"];
export function isAdult(age: number): boolean {
  return age >= 18;
}
export function countTo(end: number): number {
  let at = 0;
  while (at < end) at += 1;
  return at;
}
export function unread(): string {
  return table[0] ?? "";
}
`;

/**
 * What becomes of each mutant of the source above under these tests, by the texts before and after.
 */
async function fatesUnder(...tests: readonly string[]): Promise<Readonly<Record<string, Fate>>> {
  const root = mkdtempSync(path.join(tmpdir(), "loop-mutation-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ["src", "test"]) mkdirSync(path.join(root, folder));
  writeFileSync(path.join(root, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(path.join(root, "setup.ts"), "export {};\n");
  writeFileSync(path.join(root, "src/age.ts"), source);
  writeFileSync(
    path.join(root, "test/age.test.ts"),
    [
      'import { expect, test } from "vitest";',
      'import { countTo, isAdult } from "../src/age.ts";',
      ...tests,
    ].join("\n"),
  );
  const [peers, sandbox] = [installPeers(), openFolder(root)];
  const mutants = await plantMutants(root, sandbox.sources, peers);
  const fates = await tryAll(
    mutants,
    {
      setup: path.join(root, "setup.ts"),
      sources: sandbox.sources.map((file) => path.join(root, file)),
      tests: sandbox.tests,
      peers,
    },
    1,
    () => undefined,
  );
  return Object.fromEntries(
    mutants.map(({ id, from, to }) => [`${from} -> ${to}`, fates.get(id) ?? "noCoverage"]),
  );
}

const strong = [
  'test.each([[17, false], [18, true]])("%s", (age, adult) => expect(isAdult(age)).toBe(adult));',
  'test("counts", () => expect(countTo(3)).toBe(3));',
];
const weak = ['test("is a boolean", () => expect(typeof isAdult(30)).toBe("boolean"));'];

test(
  "a test set that says where the border is leaves nothing that it reaches, and an endless loop is ended by its steps",
  { timeout: 120_000 },
  async () => {
    const fates = await fatesUnder(...strong);
    expect(fates).toMatchObject({
      "age >= 18 -> age > 18": "killed",
      "age >= 18 -> true": "killed",
      "at += 1 -> at -= 1": "timeout",
      '"read at load" -> ""': "static",
      '"" -> "Stryker was here!"': "noCoverage",
    });
    expect(Object.values(fates)).not.toContain("survived");
  },
);

test(
  "a weak one leaves survivors, and what it does not reach is not taken for noticed",
  { timeout: 120_000 },
  async () => {
    expect(await fatesUnder(...weak)).toMatchObject({
      "age >= 18 -> age > 18": "survived",
      "age >= 18 -> false": "survived",
      "at < end -> at <= end": "noCoverage",
    });
  },
);

test(
  "what a test file computes for its table is computed anew with the mutant on",
  { timeout: 120_000 },
  async () => {
    const table = [
      "const rows = [[isAdult(17), false], [isAdult(18), true]];",
      'test.each(rows)("%s", (told, adult) => expect(told).toBe(adult));',
    ];
    expect(await fatesUnder(...table)).toMatchObject({
      "age >= 18 -> age > 18": "killed",
      "age >= 18 -> true": "killed",
      "at < end -> at <= end": "noCoverage",
    });
  },
);

test("tests that fail without a mutant judge nothing", { timeout: 120_000 }, async () => {
  await expect(fatesUnder('test("wrong", () => expect(isAdult(3)).toBe(true));')).rejects.toThrow(
    "1 tests fail with no mutant on",
  );
});
