import { execFileSync } from "node:child_process";
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
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import {
  answerRequests,
  askDispatcher,
  requestsDir,
  waitingRequests,
} from "../../src/turn-folder/requests.ts";
import type { TurnAnswer, TurnRequestBody } from "@loopwork/runtime";

function turnDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-requests-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const ok: TurnAnswer = { ok: true, message: "posted as comment 1", data: { comment: "1" } };

test("a request is carried out once and its answer comes back", async () => {
  const dir = turnDir();
  const seen: TurnRequestBody[] = [];
  const asking = askDispatcher(dir, "a", { kind: "comment", text: "hello", on: null });
  while ((await answerRequests(dir, async (request) => (seen.push(request), ok))) === 0)
    await sleep(20);
  expect(await asking).toEqual(ok);
  expect(await answerRequests(dir, async () => ok)).toBe(0);
  expect(seen).toEqual([{ kind: "comment", text: "hello", on: null }]);
});

test("a request that nobody answers is kept, and the error says so", async () => {
  const dir = turnDir();
  await expect(
    askDispatcher(dir, "a", { kind: "ask", text: "which one?" }, 100),
  ).rejects.toMatchObject({ code: "LOOP_E_TURN_NO_ANSWER" });
  expect(readdirSync(requestsDir(dir))).toEqual(["a.request.json"]);
});

test.each([
  ["no JSON", "{"],
  ["another kind", '{"kind":"release"}'],
  ["a list", "[]"],
  ["text that is none", '{"kind":"comment","text":7}'],
  ["too much", JSON.stringify({ kind: "ask", text: "x".repeat(2_000_000) })],
])("%s is refused, not carried out", async (_name, text) => {
  const dir = turnDir();
  mkdirSync(requestsDir(dir), { recursive: true });
  writeFileSync(join(requestsDir(dir), "a.request.json"), text);
  let carried = 0;
  expect(await answerRequests(dir, async () => (carried++, ok))).toBe(1);
  expect(carried).toBe(0);
  expect(await askDispatcher(dir, "a", { kind: "ask", text: "again" })).toMatchObject({
    ok: false,
    code: "LOOP_E_TURN_REQUEST",
  });
});

test(
  "what an agent puts there beside whole files is refused and holds up nothing: a pipe, a link, a folder, odd names",
  { timeout: 20_000 },
  async () => {
    const dir = turnDir();
    const requests = requestsDir(dir);
    mkdirSync(join(requests, "folder.request.json"), { recursive: true });
    execFileSync("mkfifo", [join(requests, "pipe.request.json")]);
    writeFileSync(join(dir, "elsewhere"), '{"kind":"ask","text":"read by following a link"}');
    symlinkSync(join(dir, "elsewhere"), join(requests, "link.request.json"));
    for (const name of ["ODD Name -->", `${"x".repeat(90)}`, "z-good"])
      writeFileSync(join(requests, `${name}.request.json`), '{"kind":"ask","text":"which one?"}');
    const carried: string[] = [];
    expect(await answerRequests(dir, async (_request, name) => (carried.push(name), ok))).toBe(6);
    expect(carried).toEqual(["z-good"]);
  },
);

test("an answer isn't written through a link that a turn put where it is first written, or in place of the folder", async () => {
  const [dir, outside] = [turnDir(), turnDir()];
  const requests = requestsDir(dir);
  mkdirSync(requests, { recursive: true });
  const operators = join(outside, "operators");
  writeFileSync(operators, "the operator's own\n");
  for (const name of ["a.answer.json.tmp", "a.request.json.tmp"])
    symlinkSync(operators, join(requests, name));
  const asking = askDispatcher(dir, "a", { kind: "ask", text: "which one?" });
  while ((await answerRequests(dir, async () => ok)) === 0) await sleep(20);
  expect(await asking).toEqual(ok);
  expect(readFileSync(operators, "utf8")).toBe("the operator's own\n");

  const linked = turnDir();
  mkdirSync(join(outside, "folder"));
  writeFileSync(join(outside, "folder", "b.request.json"), '{"kind":"ask","text":"which one?"}');
  symlinkSync(join(outside, "folder"), requestsDir(linked));
  expect(await answerRequests(linked, async () => ok)).toBe(0);
  expect(readdirSync(join(outside, "folder"))).toEqual(["b.request.json"]);
});

test("a request whose name leaves no room for another one is answered, and so is what comes after it", async () => {
  const dir = turnDir();
  const requests = requestsDir(dir);
  mkdirSync(requests, { recursive: true });
  for (const name of ["0".repeat(238), "1".repeat(242), "z-good"]) {
    writeFileSync(join(requests, `${name}.request.json`), '{"kind":"ask","text":"which one?"}');
  }
  const carried: string[] = [];
  expect(await answerRequests(dir, async (_request, name) => (carried.push(name), ok))).toBe(3);
  expect(carried).toEqual(["z-good"]);
  expect(await answerRequests(dir, async () => ok)).toBe(0);
});

test("a request that can't be carried out or answered stops no other one, and each failure is told", async () => {
  const dir = turnDir();
  const requests = requestsDir(dir);
  mkdirSync(requests, { recursive: true });
  for (const name of ["a-fails", "b-good", "c-unanswerable", "d-good"]) {
    writeFileSync(join(requests, `${name}.request.json`), '{"kind":"ask","text":"which one?"}');
  }
  const carried: string[] = [];
  const failed: string[] = [];
  const carryOut = async (_request: TurnRequestBody, name: string): Promise<TurnAnswer> => {
    if (name === "a-fails") throw new Error("the store is away");
    // Whoever works in the turn can put a folder where the answer goes.
    if (name === "c-unanswerable")
      mkdirSync(join(requests, `${name}.answer.json`, "x"), { recursive: true });
    carried.push(name);
    return ok;
  };
  expect(await answerRequests(dir, carryOut, (name) => failed.push(name))).toBe(2);
  expect(carried).toEqual(["b-good", "c-unanswerable", "d-good"]);
  expect(failed).toEqual(["a-fails", "c-unanswerable"]);
});

test("a pipe in the place of an answer isn't waited for, and a link in place of the folder names no request", async () => {
  const [dir, outside] = [turnDir(), turnDir()];
  mkdirSync(requestsDir(dir), { recursive: true });
  execFileSync("mkfifo", [join(requestsDir(dir), "a.answer.json")]);
  await expect(
    askDispatcher(dir, "a", { kind: "ask", text: "which one?" }, 200),
  ).rejects.toMatchObject({ code: "LOOP_E_TURN_NO_ANSWER" });
  writeFileSync(join(outside, "b.request.json"), "{}");
  const linked = turnDir();
  symlinkSync(outside, requestsDir(linked));
  expect(await waitingRequests(linked)).toEqual([]);
});

test("a request whose answer has no place is not carried out, as it would be at each look", async () => {
  // So deep that the request fits into a path, and the file that the answer is written to does not.
  let dir = turnDir();
  while (requestsDir(dir).length < 4_060)
    dir = join(dir, "x".repeat(Math.min(200, Math.max(1, 4_059 - requestsDir(dir).length))));
  mkdirSync(requestsDir(dir), { recursive: true });
  writeFileSync(join(requestsDir(dir), "a.request.json"), '{"kind":"ask","text":"which one?"}');
  const [carried, failed]: [string[], string[]] = [[], []];
  expect(
    await answerRequests(
      dir,
      async (_request, name) => (carried.push(name), ok),
      (name) => failed.push(name),
    ),
  ).toBe(0);
  expect([carried, failed]).toEqual([[], ["a"]]);
});
