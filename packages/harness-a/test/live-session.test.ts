import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findLiveSessions, startTimeOf } from "../src/live-session.ts";
import { otherReceipt, sessionId } from "./support.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "harness-a-live-"));
  mkdirSync(path.join(dir, "sessions"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const stat = (start: string): string =>
  `42 (a ) b) S ${Array.from({ length: 18 }, (_, at) => at).join(" ")} ${start} 9 9\n`;

function register(pid: number, entry: object, start?: string): void {
  writeFileSync(
    path.join(dir, "sessions", `${pid}.json`),
    JSON.stringify({ pid, sessionId, status: "busy", cwd: "/w", ...entry }),
  );
  mkdirSync(path.join(dir, "proc", String(pid)), { recursive: true });
  if (start !== undefined) writeFileSync(path.join(dir, "proc", String(pid), "stat"), stat(start));
}

test("field 22 is found behind a name with blanks and brackets", () => {
  expect(startTimeOf(stat("777"))).toBe("777");
});

test("X04: a process with the start time on record holds the session; a dead one or a re-used pid does not", async () => {
  mkdirSync(path.join(dir, "proc", "self"), { recursive: true });
  writeFileSync(path.join(dir, "proc", "self", "stat"), stat("1"));
  register(42, { procStart: "777" }, "777");
  register(43, { procStart: "777" }, "778");
  register(44, { procStart: "777" });
  register(45, { procStart: "777", sessionId: otherReceipt }, "777");
  register(46, { procStart: 777 }, "777");
  writeFileSync(path.join(dir, "sessions", "47.json"), "{ torn");
  writeFileSync(path.join(dir, "sessions", "48.abc.key"), "x");
  expect(await findLiveSessions(dir, sessionId, path.join(dir, "proc"))).toEqual([
    { pid: 42, status: "busy", cwd: "/w" },
    { pid: 46, status: "busy", cwd: "/w" },
  ]);
});

test("without /proc a process that answers counts", async () => {
  register(process.pid, {});
  expect(await findLiveSessions(dir, sessionId, path.join(dir, "none"))).toEqual([
    { pid: process.pid, status: "busy", cwd: "/w" },
  ]);
});

test("X01: a killed process that nobody has collected yet holds no session", async () => {
  mkdirSync(path.join(dir, "proc", "self"), { recursive: true });
  for (const [pid, state] of [
    [51, "Z"],
    [52, "X"],
    [53, "D"],
  ] as const) {
    register(pid, { procStart: "777" });
    writeFileSync(
      path.join(dir, "proc", String(pid), "stat"),
      stat("777").replace(" S ", ` ${state} `),
    );
  }
  expect(
    (await findLiveSessions(dir, sessionId, path.join(dir, "proc"))).map(({ pid }) => pid),
  ).toEqual([53]);
});

test.runIf(existsSync("/proc/self/stat"))(
  "our own process is found by the kernel's own record",
  async () => {
    const own = readFileSync("/proc/self/stat", "utf8");
    register(process.pid, { procStart: startTimeOf(own) });
    expect((await findLiveSessions(dir, sessionId)).length).toBe(1);
  },
);

test("no register at all: nobody", async () => {
  expect(await findLiveSessions(path.join(dir, "nowhere"), sessionId)).toEqual([]);
});
