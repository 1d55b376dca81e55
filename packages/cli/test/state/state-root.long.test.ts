import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultConfig, resolvePaths } from "@loopwork/core/config";
import { expect, onTestFinished, test } from "vitest";
import { writeSetup } from "../../src/init/write-setup.ts";
import { ensureStateRoot } from "../../src/state/state-root.ts";
import { writeTrust } from "../../src/configuration/trust-records.ts";
import { createScene } from "../support/scene.ts";

/** One that this account is in beside its own, or any where the account may choose. */
const sharedGroup =
  process.getuid?.() === 0
    ? 100
    : (process.getgroups?.().find((each) => each !== process.getgid?.()) ?? 100);

test("C02 a state root in a home folder under version control hides itself from it", () => {
  const { home } = createScene();
  const before = process.env["HOME"];
  process.env["HOME"] = home;
  onTestFinished(() => void (process.env["HOME"] = before));
  execFileSync("git", ["init", "-q", home]);
  ensureStateRoot(resolvePaths(defaultConfig, { configDir: null, home }));
  writeFileSync(join(home, ".loop", "loop.db"), "x");
  expect(execFileSync("git", ["-C", home, "status", "--porcelain"], { encoding: "utf8" })).toBe("");
  expect(statSync(join(home, ".loop")).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(home, ".loop", ".gitignore"), "utf8")).toBe("*\n");
});

test("C02 a state root that cannot be made is one error with a hint, exit 2", async () => {
  const scene = createScene();
  writeFileSync(join(scene.dir, "file"), "");
  scene.configure(`state:\n  root: ${join(scene.dir, "file", "state")}\n`);
  const ran = await scene.loop("sessions", "list");
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toContain("LOOP_E_STATE_ROOT");
  expect(ran.err).toContain("→ set state.root");
});

test("a state root that is a link is refused, wherever it leads", async () => {
  const scene = createScene("state: { root: state }\n");
  mkdirSync(join(scene.dir, "elsewhere"), { mode: 0o700 });
  symlinkSync(join(scene.dir, "elsewhere"), join(dirname(scene.configFile), "state"));
  for (const command of [["sessions", "list"], ["daemon", "service", "--once"], ["stop"]]) {
    const ran = await scene.loop(...command);
    expect(ran, command.join(" ")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is a link[^]*LOOP_E_STATE_ROOT/),
    });
    expect(ran.err).toContain(`→ set state.root to ${join(scene.dir, "elsewhere")}`);
  }
  expect(readdirSync(join(scene.dir, "elsewhere"))).toEqual([]);
});

test.each([
  ["the state root itself", "state/root", "state/root", 0o777],
  ["a folder on the way to it", "state/root", "state", 0o777],
  ["one that a shared group can write", "state/root", "state/root", 0o770],
])("a state root that others can write is refused: %s", async (_what, root, open, mode) => {
  const scene = createScene(`state: { root: ${root} }\n`);
  const folder = join(dirname(scene.configFile), open);
  mkdirSync(join(dirname(scene.configFile), root), { recursive: true, mode: 0o700 });
  if (mode === 0o770) chownSync(folder, -1, sharedGroup);
  chmodSync(folder, mode);
  const ran = await scene.loop("sessions", "list");
  expect(ran).toMatchObject({
    code: 2,
    err: expect.stringMatching(/can be written by[^]*LOOP_E_STATE_ROOT/),
  });
  const [, fix = ""] = /run: (chmod .*)$/m.exec(ran.err) ?? [];
  execFileSync("sh", ["-c", fix]);
  expect(await scene.loop("sessions", "list")).toMatchObject({ code: 0 });
});

test.runIf(process.getuid?.() === 0)("a state root of another user is refused", async () => {
  const scene = createScene("state: { root: state }\n");
  mkdirSync(join(dirname(scene.configFile), "state"), { mode: 0o700 });
  chownSync(join(dirname(scene.configFile), "state"), 65534, 65534);
  expect(await scene.loop("sessions", "list")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/belongs to another user \(uid 65534\)[^]*LOOP_E_STATE_ROOT/),
  });
});

test.runIf(process.getuid?.() === 0)(
  "root leaves nothing in the state root of another user",
  async () => {
    const scene = createScene("routing: { authorizedUsers: [ada] }\n");
    delete scene.env["LOOP_CONFIG"];
    const root = join(scene.home, ".loop");
    mkdirSync(root, { recursive: true, mode: 0o700 });
    chownSync(root, 65534, 65534);
    for (const command of [["doctor"], ["status"], ["sessions", "list"], ["canary"], ["events"]]) {
      expect((await scene.loop(...command)).code, command.join(" ")).not.toBe(0);
    }
    expect(readdirSync(root)).toEqual([]);
  },
);

test.runIf(process.getuid?.() === 0)(
  "what another user left in the state root is named, with the command that gives it back",
  async () => {
    const scene = createScene("state: { root: state }\n");
    const probes = join(dirname(scene.configFile), "state", "probes");
    mkdirSync(probes, { recursive: true, mode: 0o700 });
    mkdirSync(join(dirname(probes), "lost+found"));
    for (const folder of [probes, join(dirname(probes), "lost+found")])
      chownSync(folder, 65534, 65534);
    const ran = await scene.loop("sessions", "list");
    expect(ran).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /state\/probes belongs to another user \(uid 65534\)[^]*LOOP_E_STATE_ROOT/,
      ),
    });
    const [, fix = ""] = /run: sudo (chown .*)$/m.exec(ran.err) ?? [];
    execFileSync("sh", ["-c", fix]);
    expect(await scene.loop("sessions", "list")).toMatchObject({ code: 0 });
  },
);

test.runIf(process.platform === "linux")(
  "C02 a file system that makes no folders is the same error, not a wait without end",
  { timeout: 40_000 },
  () => {
    const scene = createScene("state: { root: /proc/loop-state/below }\n");
    const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
    // In a process of its own: one that never ends is stopped by the time, and the test says so.
    const ran = spawnSync(
      process.execPath,
      ["--conditions=@loopwork/source", bin, "sessions", "list"],
      { cwd: scene.cwd, env: scene.env, encoding: "utf8", timeout: 20_000 },
    );
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain("LOOP_E_STATE_ROOT");
  },
);

type Spoiled = readonly [why: string, spoil: (root: string) => void, said: string];

const byOwner: readonly Spoiled[] = [
  [
    "another user owns a link on the way to it",
    (root) => {
      const folder = dirname(root);
      renameSync(folder, `${folder}-real`);
      symlinkSync(`${folder}-real`, folder);
      lchownSync(folder, 54_321, 54_321);
    },
    "belongs to another user",
  ],
];
const byList: readonly Spoiled[] = [
  [
    "a list lets another user write it",
    (root) => void execFileSync("setfacl", ["-m", "u:nobody:rwx", root]),
    "has an access-control list",
  ],
];

function refuses(_why: string, spoil: (root: string) => void, said: string): void {
  const { dir, home } = createScene();
  const root = join(dir, "keeps", "state");
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const paths = { ...resolvePaths(defaultConfig, { configDir: dir, home }), stateRoot: root };
  ensureStateRoot(paths);
  spoil(root);
  expect(() => ensureStateRoot(paths)).toThrow(said);
}

test.runIf(process.getuid?.() === 0).each(byOwner)("a state root is refused where %s", refuses);
test.runIf(spawnSync("setfacl", ["--version"]).status === 0).each(byList)(
  "a state root is refused where %s",
  refuses,
);

test.each(["config", "HEAD", "index"])(
  "a repository whose git waits for a pipe doesn't keep a command waiting: its .git/%s",
  { timeout: 150_000 },
  (name) => {
    const scene = createScene();
    scene.env["LOOP_CONFIG"] = join(scene.cwd, "cli-config.yaml");
    writeFileSync(scene.env["LOOP_CONFIG"], "");
    execFileSync("git", ["init", "-q", scene.cwd]);
    mkdirSync(join(scene.cwd, ".loop"));
    writeFileSync(join(scene.cwd, ".loop", "loop.db"), "");
    const file = join(scene.cwd, ".git", name);
    if (name === "config") {
      execFileSync("mkfifo", [join(scene.dir, "pipe")]);
      execFileSync("git", ["-C", scene.cwd, "config", "include.path", join(scene.dir, "pipe")]);
    } else {
      rmSync(file, { force: true });
      execFileSync("mkfifo", [file]);
    }
    const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
    // The same as above: only a command that never ends meets this limit.
    const ran = spawnSync(process.execPath, ["--conditions=@loopwork/source", bin, "status"], {
      cwd: scene.dir,
      env: scene.env,
      encoding: "utf8",
      timeout: 120_000,
    });
    expect(ran).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("LOOP_E_STATE_LEFT_BEHIND"),
    });
    const [, command = ""] = /remove what `(find [^`]*)` lists/.exec(ran.stderr) ?? [];
    const found = spawnSync("sh", ["-c", command], { encoding: "utf8", timeout: 20_000 });
    // What the hint says ends, and shows the pipe where it lies in the repository.
    expect(found).toMatchObject({ status: 0, stdout: name === "config" ? "" : `${file}\n` });
  },
);

test("in the home of somebody else nothing is made before the state root is refused", async () => {
  const scene = createScene();
  const theirs = join(scene.dir, "theirs");
  mkdirSync(theirs);
  const uid = process.getuid?.() ?? 0;
  // Root works in another user's home; anybody else in a folder that everybody can write.
  if (uid === 0) chownSync(theirs, 65_534, 65_534);
  else chmodSync(theirs, 0o777);
  scene.configure(`state: { root: ${join(theirs, "a", ".loop")} }\n`);
  for (const command of [["sessions", "list"], ["doctor"], ["daemon", "service", "--once"]]) {
    const ran = await scene.loop(...command);
    expect(`${ran.out}${ran.err}`, command.join(" ")).toMatch(
      /belongs to another user|can be written by/,
    );
    expect(readdirSync(theirs), command.join(" ")).toEqual([]);
  }
});

test("in the home of somebody else neither a record of trust nor a configuration makes a folder", () => {
  const { dir, env } = createScene();
  const theirs = join(dir, "theirs");
  mkdirSync(theirs);
  if (process.getuid?.() === 0) chownSync(theirs, 65_534, 65_534);
  else chmodSync(theirs, 0o777);
  const record = { place: "/p", realPath: "/p", text: "" };
  expect(() => writeTrust(record, theirs)).toThrow(/belongs to another user|can be written by/);
  const answers = {
    repository: "acme/garden",
    host: null,
    user: "ada",
    ingress: "poller",
    publicUrl: null,
    workspace: "w",
  } as const;
  const io = { cwd: dir, home: theirs, env };
  expect(() => writeSetup(answers, {}, null, false, io, 1)).toThrow(
    /belongs to another user|can be written by/,
  );
  expect(readdirSync(theirs)).toEqual([]);
});
