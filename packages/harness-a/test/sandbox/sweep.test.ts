import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { endLeftProcesses } from "../../src/sandbox/left-processes.ts";
import { excludePlaceholders, removePlaceholders } from "../../src/sandbox/placeholders.ts";
import { makeTemporary, temporaryFolder } from "../../src/sandbox/temporary.ts";

const receipt = "11111111-2222-4111-8111-111111111111";
const uid = process.getuid?.() ?? 0;

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-sweep-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function checkout(): string {
  const dir = folder();
  spawnSync("git", ["init", "--quiet", dir], { env: { PATH: process.env["PATH"], HOME: dir } });
  return dir;
}

const git = (dir: string, ...args: readonly string[]): string =>
  spawnSync("git", args, {
    cwd: dir,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: dir },
  }).stdout;

describe("the temporary folder of an attempt", () => {
  test("is short enough for the harness's sockets, however long the service's own is", () => {
    expect(temporaryFolder(receipt, 1000, "/var/lib/loop/tmp")).toBe(
      "/var/lib/loop/tmp/loop-1000/111111112222",
    );
    for (const tmp of [`/srv/${"long/".repeat(12)}`, "relative", undefined])
      expect(temporaryFolder(receipt, 1000, tmp)).toBe("/tmp/loop-1000/111111112222");
    expect(
      temporaryFolder(receipt, 4_294_967_295, `/${"a".repeat(44)}`).length,
    ).toBeLessThanOrEqual(70);
  });

  test("is for its owner alone, and new each time", async () => {
    const dir = join(folder(), "loop-x", "abc");
    await makeTemporary(dir, uid);
    writeFileSync(join(dir, "old"), "");
    await makeTemporary(dir, uid);
    expect(readdirSync(dir)).toEqual([]);
    expect(lstatSync(dir).mode & 0o777).toBe(0o700);
  });

  test.each([
    [
      "a link that somebody put there",
      (parent: string, elsewhere: string) => symlinkSync(elsewhere, parent),
      uid,
    ],
    [
      "a folder that others can write",
      (parent: string) => (mkdirSync(parent), chmodSync(parent, 0o777)),
      uid,
    ],
    ["a folder of another user", (parent: string) => mkdirSync(parent, { mode: 0o700 }), uid + 1],
    ["a file", (parent: string) => writeFileSync(parent, ""), uid],
  ] as const)(
    "%s is refused, and nothing is made or removed there",
    async (_name, plant, owner) => {
      const [parent, elsewhere] = [join(folder(), "loop-x"), folder()];
      mkdirSync(join(elsewhere, "abc"));
      writeFileSync(join(elsewhere, "abc", "theirs"), "");
      plant(parent, elsewhere);
      await expect(makeTemporary(join(parent, "abc"), owner)).rejects.toMatchObject({
        code: "LOOP_E_SANDBOX",
      });
      expect(existsSync(join(elsewhere, "abc", "theirs"))).toBe(true);
    },
  );
});

describe("placeholders of the sandbox", () => {
  test("are skipped by git once they are listed, and listed once", async () => {
    const dir = checkout();
    await excludePlaceholders(dir);
    await excludePlaceholders(dir);
    mkdirSync(join(dir, ".claude"));
    for (const name of [".bashrc", ".mcp.json", ".claude/agents"])
      writeFileSync(join(dir, name), "", { mode: 0o444 });
    writeFileSync(join(dir, "mine.txt"), "x");
    expect(git(dir, "status", "--porcelain", "--untracked-files=all")).toBe("?? mine.txt\n");
    expect(
      readFileSync(join(dir, ".git/info/exclude"), "utf8").match(/\/\.bashrc\n/g),
    ).toHaveLength(1);
  });

  test.each(["exclude", "info"])("a link in place of %s is not followed", async (name) => {
    const [dir, elsewhere] = [checkout(), folder()];
    const planted = name === "info" ? join(dir, ".git/info") : join(dir, ".git/info/exclude");
    writeFileSync(join(elsewhere, "exclude"), "theirs\n");
    rmSync(planted, { recursive: true, force: true });
    symlinkSync(name === "info" ? elsewhere : join(elsewhere, "exclude"), planted);
    await excludePlaceholders(dir);
    expect(readFileSync(join(elsewhere, "exclude"), "utf8")).toBe("theirs\n");
    expect(readdirSync(elsewhere)).toEqual(["exclude"]);
  });

  test("that a killed turn left are removed, with git's lock; what has content or its owner can write stays", async () => {
    const dir = checkout();
    mkdirSync(join(dir, ".claude"));
    for (const name of [".bashrc", ".claude/agents", ".git/config.lock"])
      writeFileSync(join(dir, name), "", { mode: 0o444 });
    writeFileSync(join(dir, ".zshrc"), "");
    writeFileSync(join(dir, ".profile"), "mine\n", { mode: 0o444 });
    writeFileSync(join(dir, "other.txt"), "", { mode: 0o444 });
    await removePlaceholders(dir);
    expect(readdirSync(dir).toSorted()).toEqual([".git", ".profile", ".zshrc", "other.txt"]);
    expect(existsSync(join(dir, ".git/config.lock"))).toBe(false);
  });

  test("are not looked for behind a link: a file outside of the checkout stays", async () => {
    const [dir, elsewhere] = [checkout(), folder()];
    writeFileSync(join(elsewhere, "agents"), "", { mode: 0o444 });
    symlinkSync(elsewhere, join(dir, ".claude"));
    await removePlaceholders(dir);
    expect(existsSync(join(elsewhere, "agents"))).toBe(true);
  });
});

describe("what a killed harness left running", () => {
  test("is ended by the path of its socket, and a socket elsewhere is left alone", async () => {
    const [own, other] = [folder(), folder()];
    // A shell under the name of the program, which does as little as it can.
    const start = async (name: string, dir: string) => {
      const program = join(folder(), name);
      copyFileSync(realpathSync("/bin/sh"), program);
      chmodSync(program, 0o755);
      const child = spawn(
        program,
        ["-c", "echo up; read wait", `UNIX-LISTEN:${dir}/claude-http.sock,fork`],
        { stdio: ["pipe", "pipe", "ignore"] },
      );
      onTestFinished(() => void child.kill("SIGKILL"));
      await once(child.stdout, "data");
      return child;
    };
    const [mine, elsewhere, named] = [
      await start("socat", own),
      await start("socat", other),
      await start("mine", own),
    ];
    const gone = once(mine, "exit");
    await endLeftProcesses(own, uid + 1);
    await endLeftProcesses(own, uid);
    await gone;
    expect(mine.signalCode).toBe("SIGKILL");
    expect([elsewhere, named].map((child) => child.exitCode ?? child.signalCode)).toEqual([
      null,
      null,
    ]);
  });
});
