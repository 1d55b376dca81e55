import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fixtureClaude } from "../src/index.ts";

let dir: string;
let host: Server;
let posted: unknown[];
const sessionId = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";

beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "practice-agent-"));
  posted = [];
  host = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      posted.push([request.method, request.url, JSON.parse(body)]);
      response
        .writeHead(201, { "content-type": "application/json" })
        .end(JSON.stringify({ number: 8 }));
    });
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  mkdirSync(path.join(dir, "bin"));
  writeFileSync(
    path.join(dir, "bin", "loop"),
    `#!/bin/sh\nprintf '%s|' "$@" >> ${dir}/loop.log; echo >> ${dir}/loop.log\n`,
  );
  chmodSync(path.join(dir, "bin", "loop"), 0o755);
  git(dir, "init", "-q", "--bare", "-b", "main", "origin.git");
  git(dir, "clone", "-q", "origin.git", "work");
  git(work(), "commit", "-q", "--allow-empty", "-m", "begin");
  git(work(), "push", "-q", "origin", "HEAD:main");
});
afterEach(async () => {
  await new Promise((resolve) => host.close(resolve));
  rmSync(dir, { recursive: true, force: true });
});

const work = (): string => path.join(dir, "work");
const identity = {
  GIT_AUTHOR_NAME: "p",
  GIT_AUTHOR_EMAIL: "p@example.com",
  GIT_COMMITTER_NAME: "p",
  GIT_COMMITTER_EMAIL: "p@example.com",
};

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env["PATH"], HOME: dir, ...identity },
  });
}

function turn(flag: string, prompt: string): Promise<string> {
  const address = host.address();
  const env = {
    PATH: `${path.join(dir, "bin")}:${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: dir,
    CLAUDE_CONFIG_DIR: path.join(dir, "config"),
    ...identity,
    LOOP_PRACTICE: "1",
    LOOP_WORK_ITEM: "host:octo/demo#7",
    LOOP_PRACTICE_API: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
  };
  const allowed = ["git", "node", "loop comment", "loop sessions link-pr"].map(
    (command) => `Bash(${command} *)`,
  );
  const child = spawn(
    fixtureClaude,
    [
      "-p",
      prompt,
      flag,
      sessionId,
      "--permission-mode",
      "acceptEdits",
      "--allowedTools",
      ...allowed,
      "--output-format",
      "json",
    ],
    { cwd: work(), env, stdio: ["ignore", "pipe", "inherit"] },
  );
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  return new Promise((resolve) => child.on("close", () => resolve(stdout)));
}

test("a new session branches, commits, pushes, opens a pull request and links it; a resumed one pushes again and answers", async () => {
  const first: { is_error: boolean; permission_denials: unknown[]; num_turns: number } = JSON.parse(
    await turn("--session-id", "Work on host:octo/demo#7"),
  );
  expect([first.is_error, first.permission_denials]).toEqual([false, []]);
  expect(posted).toEqual([
    [
      "POST",
      "/repos/octo/demo/pulls",
      { title: "Work on issue 7", head: "issue-7", base: "main", body: "Closes #7" },
    ],
  ]);
  expect(readFileSync(path.join(dir, "loop.log"), "utf8")).toBe(
    "sessions|link-pr|--work-item|host:octo/demo#7|--pull-request|8|\n",
  );
  expect(git(work(), "log", "--format=%s", "origin/issue-7").split("\n")[0]).toBe(
    "Work on issue 7",
  );

  const second: { permission_denials: unknown[] } = JSON.parse(
    await turn("--resume", "A review comment came"),
  );
  expect(second.permission_denials).toEqual([]);
  git(work(), "fetch", "-q");
  expect(git(work(), "log", "--format=%s", "origin/issue-7").split("\n").slice(0, 2)).toEqual([
    "Answer the review of issue 7",
    "Work on issue 7",
  ]);
  expect(readFileSync(path.join(dir, "loop.log"), "utf8")).toContain(
    "comment|Done: I changed it as asked and pushed a commit.|",
  );
});
