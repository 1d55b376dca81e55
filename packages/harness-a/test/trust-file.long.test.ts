import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Trust, TrustResult } from "@loopwork/core/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { replaceFile } from "../src/replace-file.ts";
import { gitCommonRoot } from "../src/spawn-directory.ts";
import { createTrust } from "../src/trust-file.ts";
import { patchTrust, trustKeys } from "../src/trust.ts";

let dir: string;
let file: string;
let work: string;
let trust: Trust;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(path.join(tmpdir(), "harness-a-trust-")));
  work = path.join(dir, "work");
  mkdirSync(work);
  mkdirSync(path.join(dir, "config"));
  file = path.join(dir, "config", ".claude.json");
  trust = trustWith({ environment: { CLAUDE_CONFIG_DIR: path.join(dir, "config") } });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function trustWith(changes: Partial<Parameters<typeof createTrust>[0]>): Trust {
  return createTrust({
    environment: {},
    home: dir,
    env: {},
    permissions: "guarded",
    args: [],
    ...changes,
  });
}

type Request = Parameters<Trust["prepare"]>[0];

function prepare(changes: Partial<Request> = {}): Promise<TrustResult> {
  return trust.prepare({
    workdir: work,
    workspaceRoot: null,
    scope: "directory",
    bypass: false,
    env: {},
    ...changes,
  });
}

function trusted(): readonly string[] {
  const parsed: { projects?: Record<string, { hasTrustDialogAccepted?: boolean }> } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  return Object.entries(parsed.projects ?? {}).flatMap(([name, project]) =>
    project.hasTrustDialogAccepted === true ? [name] : [],
  );
}

describe("which directories", () => {
  test("the exact spawn directory, and nothing wider", async () => {
    expect(await prepare()).toEqual({
      kind: "written",
      file,
      keys: [`projects > ${work} > hasTrustDialogAccepted`],
    });
    expect(trusted()).toEqual([work]);
    expect(await prepare()).toEqual({ kind: "already" });
  });

  test("scope workspace-root adds the workspace's root; scope directory does not", async () => {
    await prepare({ workspaceRoot: dir, scope: "directory" });
    expect(trusted()).toEqual([work]);
    await prepare({ workspaceRoot: dir, scope: "workspace-root" });
    expect(trusted()).toEqual([work, dir]);
  });

  test("a worktree also under the root of the repository it belongs to, read without running git", async () => {
    const git = (...args: readonly string[]): void =>
      void execFileSync("git", args, {
        cwd: work,
        stdio: "ignore",
        env: { PATH: process.env["PATH"], HOME: dir },
      });
    git("init", "-q");
    git(
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@example.com",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "x",
    );
    git("worktree", "add", "-q", "--detach", path.join(dir, "tree"));
    await prepare({ workdir: path.join(dir, "tree") });
    expect(trusted()).toEqual([path.join(dir, "tree"), work]);
    expect(await gitCommonRoot(work)).toBe(work);
    expect(await gitCommonRoot(dir)).toBe(null);
  });

  test(
    "a pipe where git names a worktree's repository is not waited for",
    { timeout: 20_000 },
    async () => {
      execFileSync("mkfifo", [path.join(work, ".git")]);
      expect(await gitCommonRoot(work)).toBe(null);
      rmSync(path.join(work, ".git"));
      writeFileSync(path.join(work, ".git"), `gitdir: ${path.join(dir, "record")}\n`);
      mkdirSync(path.join(dir, "record"));
      execFileSync("mkfifo", [path.join(dir, "record", "commondir")]);
      expect(await gitCommonRoot(work)).toBe(work);
    },
  );

  test("T04: a path through a link, with a slash at the end, is the directory that it means", async () => {
    symlinkSync(work, path.join(dir, "link"));
    await prepare({ workdir: `${path.join(dir, "link")}/` });
    expect(trusted()).toEqual([work]);
  });

  test("a directory that is not there fails and throws nothing", async () => {
    expect(await prepare({ workdir: path.join(dir, "nowhere") })).toMatchObject({
      kind: "failed",
      file,
    });
    expect(existsSync(file)).toBe(false);
  });

  test("without the harness's variable the file lies in the home folder", async () => {
    trust = trustWith({ environment: {} });
    expect(await prepare()).toMatchObject({
      kind: "written",
      file: path.join(dir, ".claude.json"),
    });
  });
});

describe("bypass", () => {
  const settings = (): string => path.join(dir, "config", "settings.json");

  test("its disclaimer is accepted only when bypass was asked for", async () => {
    await prepare();
    expect(existsSync(settings())).toBe(false);
    expect(await prepare({ bypass: true })).toMatchObject({
      kind: "written",
      file: settings(),
      keys: ["skipDangerousModePermissionPrompt"],
    });
    expect(JSON.parse(readFileSync(settings(), "utf8"))).toEqual({
      skipDangerousModePermissionPrompt: true,
    });
    expect(await prepare({ bypass: true })).toEqual({ kind: "already" });
  });

  test.each([
    ["the permissions", { permissions: "bypass" as const }],
    ["an argument", { args: ["--dangerously-skip-permissions"] }],
    ["a mode", { args: ["--permission-mode", "bypassPermissions"] }],
    ["a mode in one word", { args: ["--permission-mode=bypassPermissions"] }],
  ])(
    "accepts the bypass disclaimer when %s of the configuration asks for bypass",
    async (_name, changes) => {
      trust = trustWith({
        environment: { CLAUDE_CONFIG_DIR: path.join(dir, "config") },
        ...changes,
      });
      expect(await prepare()).toMatchObject({
        keys: expect.arrayContaining(["skipDangerousModePermissionPrompt"]),
      });
    },
  );

  test("another mode is no bypass", async () => {
    trust = trustWith({
      environment: { CLAUDE_CONFIG_DIR: path.join(dir, "config") },
      args: ["--permission-mode", "plan", "--allow-dangerously-skip-permissions"],
    });
    await prepare();
    expect(existsSync(settings())).toBe(false);
  });

  test("both at once are told together", async () => {
    expect(await prepare({ bypass: true })).toEqual({
      kind: "written",
      file,
      keys: [`projects > ${work} > hasTrustDialogAccepted`, "skipDangerousModePermissionPrompt"],
    });
  });
});

describe("the file", () => {
  test.each([
    ["does not parse", "{"],
    ["is empty", ""],
    ["has a byte order mark", "\uFEFF{}"],
    ["is an array", "[]"],
    ["is no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])("T01: one that %s is left as it is, with a reason", async (_name, bytes) => {
    writeFileSync(file, bytes);
    expect(await prepare()).toMatchObject({ kind: "failed", file });
    expect(readFileSync(file)).toEqual(Buffer.from(bytes));
    expect(readdirSync(path.dirname(file))).toEqual([".claude.json"]);
  });

  test("T01: 50 MB are not even read", async () => {
    writeFileSync(file, "{}");
    truncateSync(file, 50 * 1024 * 1024);
    expect(await prepare()).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("bigger"),
    });
  });

  test("T02: a link into another folder stays a link, and the file behind it is replaced with its mode", async () => {
    mkdirSync(path.join(dir, "dotfiles"));
    const target = path.join(dir, "dotfiles", "claude.json");
    writeFileSync(target, '{"a":1}');
    chmodSync(target, 0o640);
    symlinkSync("../dotfiles/claude.json", file);
    expect(await prepare()).toMatchObject({ kind: "written", file: target });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readlinkSync(file)).toBe("../dotfiles/claude.json");
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readFileSync(target, "utf8")).toContain('{"a":1,');
  });

  test("T02: a dangling link is written through, a circle of links is refused", async () => {
    symlinkSync(path.join(dir, "later.json"), file);
    expect(await prepare()).toMatchObject({ kind: "written", file: path.join(dir, "later.json") });
    rmSync(file);
    symlinkSync(file, file);
    expect(await prepare()).toMatchObject({ kind: "failed" });
  });

  test("T02: mode 0600 stays, and a new file gets it", async () => {
    await prepare();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o600);
    await prepare({ workspaceRoot: dir, scope: "workspace-root" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("T02: hard links would be parted, so the file is left alone", async () => {
    writeFileSync(file, "{}");
    linkSync(file, path.join(dir, "other-name"));
    expect(await prepare()).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("hard links"),
    });
    expect(readFileSync(file, "utf8")).toBe("{}");
  });

  test("T02: a folder is no file", async () => {
    mkdirSync(file);
    expect(await prepare()).toMatchObject({ kind: "failed" });
  });

  test("T02: a folder that may not be written, not even by root, is told, nothing thrown", async () => {
    expect(await prepare({ env: { CLAUDE_CONFIG_DIR: "/proc/loop" } })).toMatchObject({
      kind: "failed",
      file: "/proc/loop/.claude.json",
    });
  });
});

describe("T03: other writers", () => {
  const edit = (text: string | null): ReturnType<typeof patchTrust> =>
    patchTrust(text ?? "{}", trustKeys([work]));

  test("a write that comes between reading and renaming is kept, and the edit starts again on it", async () => {
    writeFileSync(file, '{"mine":1}');
    let reads = 0;
    const result = await replaceFile(file, (text) => {
      reads += 1;
      if (reads === 1) writeFileSync(file, '{"mine":1,"theirs":2}');
      return edit(text);
    });
    expect(result).toMatchObject({ kind: "written" });
    expect(reads, "once on each text, and once to see that it stands").toBe(3);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      mine: 1,
      theirs: 2,
      projects: {},
    });
  });

  test("a file that appears meanwhile is kept, too", async () => {
    let reads = 0;
    await replaceFile(file, (text) => {
      reads += 1;
      if (reads === 1) writeFileSync(file, '{"theirs":2}');
      return edit(text);
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ theirs: 2, projects: {} });
  });

  test("one that never stops wins: the file is left to it, and no temporary file stays", async () => {
    let count = 0;
    const result = await replaceFile(file, (text) => {
      writeFileSync(file, `{"theirs":${++count}}`);
      return edit(text);
    });
    expect(result).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("Another program"),
    });
    expect(readFileSync(file, "utf8")).toBe(`{"theirs":${count}}`);
    expect(readdirSync(path.dirname(file))).toEqual([".claude.json"]);
  });

  test("many at once: the file always parses and has every key in the end", async () => {
    writeFileSync(file, '{"foreign":  [1,2 ]}');
    const works = Array.from({ length: 12 }, (_, at) => path.join(dir, `w${at}`));
    for (const each of works) mkdirSync(each);
    let over = false;
    const watching = (async () => {
      while (!over) {
        JSON.parse(readFileSync(file, "utf8"));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const results = await Promise.all(
      works.flatMap((each) => [prepare({ workdir: each }), prepare({ workdir: each })]),
    );
    expect(results.filter((result) => result.kind === "failed")).toEqual([]);
    over = true;
    await watching;
    expect(trusted().toSorted()).toEqual(works.toSorted());
    expect(readFileSync(file, "utf8")).toContain('{"foreign":  [1,2 ]');
  });

  test("the harness's own lock is waited for, given back, and taken over when its holder died", async () => {
    const lock = `${file}.lock`;
    mkdirSync(lock);
    let freed = false;
    setTimeout(() => {
      freed = true;
      rmdirSync(lock);
    }, 150);
    expect(await prepare()).toMatchObject({ kind: "written" });
    expect([freed, existsSync(lock)]).toEqual([true, false]);
    mkdirSync(lock);
    utimesSync(lock, new Date(0), new Date(0));
    expect(await prepare({ workspaceRoot: dir, scope: "workspace-root" })).toMatchObject({
      kind: "written",
    });
    expect(existsSync(lock)).toBe(false);
  });

  test("a lock that is never given back does not hold a spawn up for long", async () => {
    mkdirSync(`${file}.lock`);
    expect(await prepare()).toMatchObject({ kind: "written" });
    expect(existsSync(`${file}.lock`), "it is somebody else's").toBe(true);
  });

  test("what a killed writer left behind is cleared away, and nothing else", async () => {
    const names = [
      "..claude.json.0123456789ab.tmp",
      "..claude.json.ba9876543210.tmp",
      ".claude.json.tmp.1.0123456789ab",
    ];
    for (const name of names) writeFileSync(path.join(dir, "config", name), "{}");
    utimesSync(path.join(dir, "config", names[0] ?? ""), new Date(0), new Date(0));
    await prepare();
    expect(readdirSync(path.join(dir, "config")).toSorted()).toEqual(
      [".claude.json", ...names.slice(1)].toSorted(),
    );
  });

  test(
    "killed at any moment: the file parses, foreign bytes are there, and the next writer goes on",
    { timeout: 30_000 },
    async () => {
      for (let at = 0; at < 40; at += 1) mkdirSync(path.join(dir, `w${at}`));
      const foreign = '{"foreign":  [1,2 ]';
      for (let kill = 0; kill < 12; kill += 1) {
        writeFileSync(file, `${foreign}}`);
        const writer = spawn(
          process.execPath,
          [
            "--conditions=@loopwork/source",
            fileURLToPath(new URL("processes/trust-writer.ts", import.meta.url)),
            dir,
          ],
          { stdio: ["ignore", "pipe", "inherit"] },
        );
        await new Promise((resolve) => writer.stdout.once("data", resolve));
        await sleep(Math.random() * 40);
        writer.kill("SIGKILL");
        await new Promise((resolve) => writer.once("close", resolve));
        const left = readFileSync(file, "utf8");
        expect(left.startsWith(foreign)).toBe(true);
        JSON.parse(left);
        rmSync(`${file}.lock`, { recursive: true, force: true });
        expect((await prepare()).kind).toBe("written");
      }
    },
  );
});
