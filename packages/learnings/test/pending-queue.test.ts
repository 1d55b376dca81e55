import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { addCandidate, appendPending, readPending } from "../src/index.ts";
import { World } from "./support/world.ts";

function queue(): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-pending-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, "learnings-pending");
}

test("occurrences of many writers at once are all there, oldest first", async () => {
  const dir = queue();
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      appendPending(dir, `id-${String(i).padStart(3, "0")}`, `text: ${i}\n`),
    ),
  );
  const pending = await readPending(dir);
  expect(pending.map(({ text }) => text)).toEqual(
    Array.from({ length: 50 }, (_, i) => `text: ${i}\n`),
  );
});

test("the same occurrence twice is one, and keeps its first text", async () => {
  const dir = queue();
  await appendPending(dir, "id-1", "first");
  await appendPending(dir, "id-1", "second");
  expect(await readPending(dir)).toEqual([{ name: "id-1.yaml", text: "first" }]);
});

test("a name that would leave the folder is refused; half-written and foreign files are left out", async () => {
  const dir = queue();
  await expect(appendPending(dir, "../outside", "x")).rejects.toMatchObject({
    code: "LOOP_E_LEARNING",
    message: expect.stringContaining("is not a valid name"),
    hint: expect.stringContaining("a-z"),
  });
  await appendPending(dir, "id-1", "x");
  writeFileSync(join(dir, "id-2.yaml.tmp"), "half");
  writeFileSync(join(dir, "README.md"), "hello");
  expect((await readPending(dir)).map(({ name }) => name)).toEqual(["id-1.yaml"]);
  expect(readdirSync(dir)).toHaveLength(3);
});

test("a queue that is not there is empty", async () => {
  expect(await readPending(join(queue(), "nowhere"))).toEqual([]);
});

test("nothing is written through a link where a file is first written", async () => {
  const dir = queue();
  mkdirSync(dir);
  const operators = join(dir, "..", "operators");
  writeFileSync(operators, "the operator's own\n");
  for (const name of ["id-1.yaml.tmp", ".gitignore.tmp"]) symlinkSync(operators, join(dir, name));
  await appendPending(dir, "id-1", "x");
  await addCandidate(dir, new World().candidate("Start the database first"));
  expect(readFileSync(operators, "utf8")).toBe("the operator's own\n");
  expect((await readPending(dir)).map(({ name }) => name)).toContain("id-1.yaml");
});
