import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunProcess, SandboxOrder, SandboxPlace } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test } from "vitest";
import { defaults } from "../../src/options.ts";
import { createSandbox, type SandboxOptions } from "../../src/sandbox/create.ts";

const receipt = "11111111-2222-4111-8111-111111111111";
const uid = process.getuid?.() ?? 0;

/** Runs programs for real. */
const processes: RunProcess = {
  adopt: () => null,
  async spawn({ argv: [program, ...args], cwd, env, stdoutFile, stderrFile }) {
    const [out, err] = [openSync(stdoutFile, "w"), openSync(stderrFile, "w")];
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", out, err] });
    const ended = once(child, "exit").then(([code, signal]) => ({ code, signal, stopped: null }));
    await once(child, "spawn");
    for (const file of [out, err]) closeSync(file);
    return {
      identity: { pid: child.pid ?? 0, startTime: "", bootId: "" },
      write: async () => {},
      endInput: () => {},
      async *lines() {},
      ended,
      stop: async () => {},
    };
  },
};

/** A machine with its own programs in `bin`, and a checkout with a git directory of its own. */
function machine(programs: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), "loop-box-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [bin, checkout, home] = [
    join(dir, "bin"),
    join(dir, "home/work/checkout"),
    join(dir, "home"),
  ];
  for (const folder of [bin, join(checkout, ".git"), join(home, ".ssh")])
    mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const options: SandboxOptions = {
    ...defaults,
    environment: { PATH: `${bin}`, TMPDIR: join(dir, "t") },
    home,
    processes,
    probeDir: join(dir, "probes"),
  };
  mkdirSync(join(dir, "t"));
  return { dir, checkout, home, options };
}

const sandboxOf = (options: SandboxOptions, account = 1000) =>
  createSandbox(options, {
    runner: "headless",
    programs: ["/opt/loop"],
    account: { platform: "linux", uid: account },
  });

const whole = {
  bwrap: "exit 0",
  socat: "exit 0",
  claude: "echo '2.1.332 (Claude Code)'",
  npm: `echo '{"registry":"https://packages.example.org/"}'`,
};
const placeOf = (checkout: string | null, over: Partial<SandboxPlace> = {}): SandboxPlace => ({
  checkout,
  strategy: "clone",
  hide: [],
  ranSandboxed: false,
  ...over,
});

describe("whether a turn runs in the sandbox", () => {
  test("it does on a machine that has everything, in a checkout with a git directory of its own", async () => {
    const { options, checkout } = machine(whole);
    expect(await sandboxOf(options).decide("auto", placeOf(checkout))).toEqual({ kind: "on" });
    expect(await sandboxOf(options).decide("auto", placeOf(null))).toEqual({ kind: "on" });
  });

  test.each([
    ["a missing program", { socat: undefined }, /socat isn't installed/],
    [
      "a probe that fails although bwrap is there",
      { bwrap: "echo 'No permissions to create new namespace' >&2; exit 1" },
      /forbids user namespaces \(No permissions to create new namespace\)/,
    ],
    ["an older harness", { claude: "echo 2.1.331" }, /2\.1\.331 doesn't report/],
    ["an older minor version", { claude: "echo 2.0.999" }, /2\.0\.999 doesn't report/],
  ] as const)("%s is found, and why is told", async (_name, over, why) => {
    const { options, checkout } = machine(
      Object.fromEntries(
        Object.entries({ ...whole, ...over }).filter(([, script]) => script !== undefined),
      ) as Record<string, string>,
    );
    expect(await sandboxOf(options).decide("auto", placeOf(checkout))).toEqual({
      kind: "off",
      why: expect.stringMatching(why),
      hint: expect.any(String),
    });
    expect(await sandboxOf(options).decide("required", placeOf(checkout))).toMatchObject({
      kind: "hold",
    });
  });

  test.each(["2.1.333", "2.2.0", "3.0.0"])(
    "a newer harness (%s) is believed to report its sandbox; its first row says so each time",
    async (version) => {
      const { options, checkout } = machine({ ...whole, claude: `echo ${version}` });
      expect(await sandboxOf(options).decide("auto", placeOf(checkout))).toEqual({ kind: "on" });
    },
  );

  test("options that change count from the next turn on", async () => {
    const { options, checkout, dir } = machine(whole);
    let { command } = options;
    const live: SandboxOptions = {
      ...options,
      get command() {
        return command;
      },
    };
    const sandbox = sandboxOf(live);
    expect(await sandbox.decide("auto", placeOf(checkout))).toEqual({ kind: "on" });
    command = join(dir, "older");
    writeFileSync(command, "#!/bin/sh\necho 2.1.331\n", { mode: 0o755 });
    expect(await sandbox.decide("auto", placeOf(checkout))).toMatchObject({
      kind: "off",
      why: expect.stringContaining("2.1.331"),
    });
  });

  test("as root nothing is asked of the machine", async () => {
    const { options, checkout, dir } = machine({
      ...whole,
      bwrap: `touch ${join("$PWD", "../ran")}`,
    });
    expect(await sandboxOf(options, 0).decide("auto", placeOf(checkout))).toMatchObject({
      kind: "off",
      why: expect.stringContaining("root"),
    });
    expect(existsSync(join(dir, "probes"))).toBe(false);
  });

  test("a worktree and a folder of the operator's without a git directory of its own are no place for it", async () => {
    const { options, checkout } = machine(whole);
    const off = { kind: "off", why: expect.stringContaining("worktrees") };
    const decide = (strategy: SandboxPlace["strategy"]) =>
      sandboxOf(options).decide("auto", placeOf(checkout, { strategy }));
    expect(await decide("worktree")).toMatchObject(off);
    expect(await decide(null)).toEqual({ kind: "on" });
    rmSync(join(checkout, ".git"), { recursive: true });
    expect(await decide(null)).toMatchObject(off);
    writeFileSync(join(checkout, ".git"), "gitdir: /elsewhere\n");
    expect(await decide(null)).toMatchObject(off);
  });

  test.each([
    ["names another git directory", (git: string) => writeFileSync(join(git, "commondir"), "..\n")],
    ["is gone", (git: string) => rmSync(git, { recursive: true })],
    [
      "is a file",
      (git: string) => (rmSync(git, { recursive: true }), writeFileSync(git, "gitdir: /x\n")),
    ],
    [
      "is a link",
      (git: string) => (rmSync(git, { recursive: true }), symlinkSync("/elsewhere", git)),
    ],
  ])(
    "a clone of loop's whose .git %s turns it off in no mode: the item is held",
    async (_n, change) => {
      const { options, checkout } = machine(whole);
      change(join(checkout, ".git"));
      for (const mode of ["auto", "required"] as const)
        expect(await sandboxOf(options).decide(mode, placeOf(checkout))).toMatchObject({
          kind: "hold",
          hint: expect.stringContaining(".git/commondir"),
        });
    },
  );

  /** Stands between the service and bwrap, each start of which comes to what is given, the last again. */
  function busy(...ends: readonly ("EAGAIN" | "deadline" | "SIGKILL" | "ok")[]) {
    let asked = 0;
    const spawn: RunProcess["spawn"] = async (plan) => {
      if (plan.argv[0] !== "bwrap") return processes.spawn(plan);
      const end = ends[Math.min(asked, ends.length - 1)];
      asked += 1;
      if (end === "EAGAIN") throw Object.assign(new Error("spawn EAGAIN"), { code: "EAGAIN" });
      const child = await processes.spawn(plan);
      const signal = end === "ok" ? null : "SIGKILL";
      const stopped = end === "deadline" ? end : null;
      return end === "ok"
        ? child
        : { ...child, ended: child.ended.then(() => ({ code: null, signal, stopped })) };
    };
    return { processes: { ...processes, spawn }, asked: () => asked };
  }

  test.each([
    ["EAGAIN", /could not be started/],
    ["deadline", /longer than 10 s/],
    ["SIGKILL", /was killed/],
  ] as const)(
    "a look that ends with %s is taken again, and holds the turn where none answers",
    async (end, why) => {
      const { options, checkout } = machine(whole);
      const never = busy(end);
      for (const mode of ["auto", "required"] as const)
        expect(
          await sandboxOf({ ...options, processes: never.processes }).decide(
            mode,
            placeOf(checkout),
          ),
        ).toEqual({
          kind: "hold",
          why: expect.stringMatching(why),
          hint: expect.stringContaining("bwrap --unshare-all"),
        });
      expect(never.asked()).toBe(6);
      const later = busy(end, end, "ok");
      expect(
        await sandboxOf({ ...options, processes: later.processes }).decide(
          "auto",
          placeOf(checkout),
        ),
      ).toEqual({ kind: "on" });
    },
  );

  test.each([
    "bwrap: Creating new namespace failed: Resource temporarily unavailable",
    "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
    "bwrap: can't fork: Cannot allocate memory",
    "bwrap: open: Too many open files",
    "bwrap: Creating new namespace failed: Too many users",
    "bwrap: Can't make a file: Disk quota exceeded",
    "bwrap: waiting failed: Interrupted system call",
  ])("a machine that has too much to do forbids nothing: %s", async (said) => {
    const { options, checkout } = machine({
      ...whole,
      bwrap: `echo ${JSON.stringify(said)} >&2; exit 1`,
    });
    expect(await sandboxOf(options).decide("auto", placeOf(checkout))).toMatchObject({
      kind: "hold",
      why: expect.stringContaining("didn't answer"),
    });
  });

  test.each(["user", "net", "pid", "ipc", "uts", "mnt", "cgroup"])(
    "a machine that allows no %s namespace at all can't do it, and isn't busy",
    async (kind) => {
      const said =
        "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)";
      const { options, checkout, dir } = machine({ ...whole, bwrap: `echo "${said}" >&2; exit 1` });
      for (const each of ["user", "net", "pid", "ipc", "uts", "mnt", "cgroup", "time"])
        writeFileSync(join(dir, `max_${each}_namespaces`), each === kind ? "0\n" : "96365\n");
      const sandbox = createSandbox(options, {
        runner: "headless",
        programs: ["/opt/loop"],
        account: { platform: "linux", uid: 1000, limitsDir: dir },
      });
      expect(await sandbox.decide("auto", placeOf(checkout))).toMatchObject({
        kind: "off",
        why: expect.stringContaining(`max_${kind}_namespaces is 0`),
      });
      writeFileSync(join(dir, `max_${kind}_namespaces`), "96365\n");
      writeFileSync(join(dir, "max_time_namespaces"), "0\n"); // None of these is made.
      expect(await sandbox.decide("auto", placeOf(checkout))).toMatchObject({ kind: "hold" });
    },
  );

  test("a home that holds the system can't be hidden", async () => {
    const { options, checkout } = machine(whole);
    expect(
      await sandboxOf({ ...options, home: "/" }).decide("auto", placeOf(checkout)),
    ).toMatchObject({ kind: "off", why: expect.stringContaining("/ would have to be hidden") });
  });
});

describe("what an attempt gets", () => {
  const orderFor = (checkout: string, turnDir: string): SandboxOrder => ({
    receipt,
    turnDir,
    checkout,
    alsoIn: [],
    hide: [],
    locked: [],
    read: [],
    write: [],
    domains: ["git.example.org"],
    exclude: [],
    env: { HOME: join(checkout, "../.."), PATH: process.env["PATH"] ?? "", HOST_TOKEN: "x" },
    passEnv: [],
  });

  test("a settings file that only its owner reads, a temporary folder, and a record by which both are found after a crash", async () => {
    const { options, checkout, dir, home } = machine(whole);
    const sandbox = sandboxOf(options, uid);
    const turnDir = join(dir, "turns/1");
    expect(await sandbox.find(turnDir, receipt)).toBe(null);
    const files = await sandbox.open(orderFor(checkout, turnDir));
    expect(files).toEqual({
      settingsFile: join(turnDir, `${receipt}.settings.json`),
      tmpDir: join(dir, `t/loop-${uid}/111111112222`),
    });
    const settings = JSON.parse(readFileSync(files.settingsFile, "utf8"));
    expect(settings.sandbox.filesystem).toMatchObject({
      denyRead: expect.arrayContaining([home, join(dir, `t/loop-${uid}`)]),
      allowWrite: [join(turnDir, "requests")],
      allowRead: expect.arrayContaining([checkout, files.tmpDir, "/opt/loop"]),
    });
    expect(settings.sandbox.network.allowedDomains).toEqual([
      "git.example.org",
      "packages.example.org",
    ]);
    expect(settings.permissions.deny).toContain(`Read(/${home}/.ssh/**)`);
    expect(settings.permissions.deny.join("\n")).not.toContain(`Read(/${home}/work)`);
    expect(existsSync(join(turnDir, "requests"))).toBe(true);
    expect(await sandboxOf(options, uid).find(turnDir, receipt)).toEqual(files);
    writeFileSync(join(checkout, ".bashrc"), "", { mode: 0o444 });
    await sandboxOf(options, uid).close(turnDir, receipt);
    expect([existsSync(files.tmpDir), existsSync(join(checkout, ".bashrc"))]).toEqual([
      false,
      false,
    ]);
    expect(await sandbox.find(turnDir, receipt)).toBe(null);
    await sandbox.close(turnDir, receipt); // Once more is once too often, and harmless.
  });

  test("no registry that a repository around the state root names, and each probe runs outside of it", async () => {
    const npm = `[ "$1 $2 $3 $4" = "config list --json --global" ] || exit 1
d=$PWD; while [ "$d" != / ]; do [ -e "$d/.npmrc" ] && echo '{"registry":"https://foreign.example.org/"}' && exit; d=$(dirname "$d"); done
echo '{"registry":"https://packages.example.org/"}'`;
    const given = machine({ ...whole, npm });
    writeFileSync(join(given.dir, ".npmrc"), "registry=https://foreign.example.org/");
    writeFileSync(join(given.dir, "package.json"), "{}");
    mkdirSync(join(given.dir, ".git"));
    const seen: string[] = [];
    const watched: RunProcess = {
      ...processes,
      spawn: (plan) => (seen.push(plan.cwd), processes.spawn(plan)),
    };
    const PATH = `${given.options.environment["PATH"]}:/usr/bin:/bin`;
    const environment = { ...given.options.environment, PATH };
    const sandbox = sandboxOf({ ...given.options, environment, processes: watched }, uid);
    await sandboxOf({ ...given.options, environment, processes: watched }).decide(
      "auto",
      placeOf(null),
    );
    const { settingsFile } = await sandbox.open(
      orderFor(given.checkout, join(given.dir, "turns/1")),
    );
    expect(JSON.parse(readFileSync(settingsFile, "utf8")).sandbox.network.allowedDomains).toEqual([
      "git.example.org",
      "packages.example.org",
    ]);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.filter((cwd) => cwd.startsWith(given.dir) || existsSync(cwd))).toEqual([]);
  });

  /** Paths that commands may read again although something around them is hidden. */
  async function readable(
    { options, checkout, dir }: ReturnType<typeof machine>,
    order: Partial<SandboxOrder> = {},
  ): Promise<{ readonly allowed: readonly string[]; readonly denied: readonly string[] }> {
    const { settingsFile } = await sandboxOf(options, uid).open({
      ...orderFor(checkout, join(dir, "turns/1")),
      ...order,
    });
    const { allowRead, denyRead } = JSON.parse(readFileSync(settingsFile, "utf8")).sandbox
      .filesystem;
    return { allowed: allowRead, denied: denyRead };
  }

  test.each([
    ["of the user's programs", ".local", ["share/keyrings/login.keyring"], false],
    ["of other programs, too", "tools", ["lib/python3/site.py"], false],
    ["of other data, too", "kept", ["share/notes/x"], false],
    ["of Node alone", ".n/versions/24", ["include/node/node.h", "share/man/man1/node.1"], true],
  ] as const)(
    "of Node in a folder %s it reads no more than Node's own",
    async (_name, prefix, files, whole_) => {
      const given = machine(whole);
      const at = join(given.home, prefix);
      for (const file of ["bin/node", "lib/node_modules/npm/bin/npm-cli.js", ...files]) {
        mkdirSync(join(at, file, ".."), { recursive: true });
        writeFileSync(join(at, file), "#!/bin/sh\n", { mode: 0o755 });
      }
      symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(at, "bin/npm"));
      const { allowed } = await readable(given, {
        env: { HOME: given.home, PATH: `${join(at, "bin")}:${process.env["PATH"] ?? ""}` },
      });
      expect(allowed.filter((each) => each.startsWith(`${at}/`) || each === at)).toEqual(
        whole_ ? [at] : ["bin/node", "bin/npm", "lib/node_modules"].map((name) => join(at, name)),
      );
    },
  );

  test.each([
    ["a file of its own", "claude", ["work.txt"], ["claude"]],
    ["one version of several", "versions/2.1.332", [], ["versions/2.1.332"]],
    ["a package", "claude-code/cli", ["claude-code/package.json"], ["claude-code"]],
  ] as const)(
    "of a harness that is %s it reads no more than that",
    async (_n, file, beside, open) => {
      const given = machine(whole);
      const at = join(given.home, "harness");
      for (const name of [file, ...beside]) {
        mkdirSync(join(at, name, ".."), { recursive: true });
        writeFileSync(join(at, name), "#!/bin/sh\necho 2.1.332\n", { mode: 0o755 });
      }
      const command = join(at, file);
      const { allowed } = await readable({ ...given, options: { ...given.options, command } });
      expect(allowed.filter((each) => each.startsWith(at))).toEqual(
        open.map((name) => join(at, name)),
      );
    },
  );

  test("of the temporary folders of the service and of other conversations it reads none, wherever they are", async () => {
    const given = machine(whole);
    const elsewhere = join(
      given.dir,
      "a-temporary-folder-whose-path-is-too-long-for-a-socket-in-it",
    );
    const folders = [`loop-${uid}`, `claude-${uid}`].map((name) => join(elsewhere, name));
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    const environment = { ...given.options.environment, TMPDIR: elsewhere };
    const { denied } = await readable({ ...given, options: { ...given.options, environment } });
    expect(denied).toEqual(expect.arrayContaining([...folders, `/tmp/loop-${uid}`]));
  });

  const ownFiles = [
    ...["proj/.loop/loop.env", "proj/.loop/cli-config.yaml", "proj/deep/er/control-plane.token"],
    ...["proj/loop.db", "proj/loop.db-wal", "proj/.loop/state/loop.env"],
  ];
  const opened = (place: string, given: ReturnType<typeof machine>): Partial<SandboxOrder> => ({
    read: place === "read" ? [join(given.home, "proj")] : [],
    write: place === "write" ? [join(given.home, "proj")] : [],
    alsoIn: place === "alsoIn" ? [join(given.home, "proj")] : [],
    ...(place === "checkout" ? { checkout: join(given.home, "proj") } : {}),
    ...(place === "a link" ? { checkout: join(given.home, "proj") } : {}),
  });

  test.each(["read", "write", "alsoIn", "checkout", "a link"])(
    "no file of loop's own that lies in a folder opened as %s, whatever is hidden around that",
    async (place) => {
      for (const around of [[], ["proj/.loop/state"], ["."]]) {
        const given = machine(whole);
        const at = (name: string): string => join(given.home, name);
        for (const name of ownFiles) {
          mkdirSync(join(at(name), ".."), { recursive: true });
          writeFileSync(at(name), "SECRET");
        }
        mkdirSync(at("proj/.git"));
        symlinkSync("proj", at("link"));
        const named = ownFiles.map((name) =>
          at(place === "a link" ? name.replace("proj", "link") : name),
        );
        const { settingsFile } = await sandboxOf(given.options, uid).open({
          ...orderFor(given.checkout, join(given.dir, "turns/1")),
          ...opened(place, given),
          env: { HOME: given.home, PATH: process.env["PATH"] ?? "" },
          hide: [...named, ...around.map(at)],
        });
        const { sandbox, permissions } = JSON.parse(readFileSync(settingsFile, "utf8"));
        const { denyRead, allowRead } = sandbox.filesystem;
        expect(allowRead).toContain(at("proj"));
        const denied = (file: string): boolean =>
          // Of what is open and what is hidden the deeper path wins.
          [
            ...denyRead.map((hidden: string) => [hidden, true]),
            ...allowRead.map((each: string) => [each, false]),
          ]
            .filter(([folder]) => file === folder || file.startsWith(`${folder}/`))
            .toSorted(([one], [other]) => other.length - one.length)[0]?.[1] === true;
        const ruled = (file: string): boolean =>
          permissions.deny.some((rule: string) => {
            const hidden = rule.slice("Read(/".length, -1);
            return file === hidden || file.startsWith(hidden.replace(/\*\*$/, "\n"));
          }) || permissions.deny.includes(`Read(/${join(file, "..")}/**)`);
        for (const name of ownFiles)
          expect([name, denied(at(name)), ruled(at(name))]).toEqual([name, true, true]);
        expect(denied(at("proj/src/x.ts"))).toBe(false);
      }
    },
  );

  test("of loop's own that isn't there yet a rule, and nothing by which the folder around it would be hidden", async () => {
    const given = machine(whole);
    const journal = join(given.checkout, "loop.db-journal");
    const { settingsFile } = await sandboxOf(given.options, uid).open({
      ...orderFor(given.checkout, join(given.dir, "turns/1")),
      hide: [journal],
    });
    const { sandbox, permissions } = JSON.parse(readFileSync(settingsFile, "utf8"));
    expect(sandbox.filesystem.denyRead).not.toContain(journal);
    expect(permissions.deny).toContain(`Read(/${journal.slice(0, -1)}?)`);
  });

  test("a state root in a readable folder, but for what a turn needs of it, and no folder of the operator's list that is one of loop's own", async () => {
    const given = machine(whole);
    const at = (name: string): string => join(given.home, name);
    for (const name of ["data/state/bin", "data/state/turns/1/requests", "data/state/co/a/.git"])
      mkdirSync(at(name), { recursive: true });
    writeFileSync(at("data/state/loop.env"), "SECRET");
    const { settingsFile } = await sandboxOf(given.options, uid).open({
      ...orderFor(at("data/state/co/a"), at("data/state/turns/1")),
      env: { HOME: given.home, PATH: process.env["PATH"] ?? "" },
      hide: [at("data/state"), at("data/state/co")],
      locked: [],
      read: [at("data"), at("data/state"), at("data/state/bin")],
    });
    const { sandbox, permissions } = JSON.parse(readFileSync(settingsFile, "utf8"));
    const { denyRead, allowRead } = sandbox.filesystem;
    expect(denyRead).toContain(at("data/state"));
    expect(allowRead).toEqual(
      expect.arrayContaining(["data", "data/state/bin", "data/state/co/a"].map(at)),
    );
    expect(allowRead).not.toContain(at("data/state"));
    expect(permissions.deny).toContain(`Read(/${at("data/state/loop.env")})`);
    expect(permissions.deny.join("\n")).not.toContain(at("data/state/co/a"));
    expect(permissions.deny).not.toContain(`Read(/${at("data")})`);
  });

  test("no hook in a folder that the operator's arguments add", async () => {
    const { options, checkout, dir } = machine(whole);
    const sandbox = sandboxOf(
      {
        ...options,
        args: [
          "--model",
          "small",
          "--add-dir",
          "/srv/a",
          "/srv/b",
          "--add-dir=/srv/c",
          "--effort",
          "high",
        ],
      },
      uid,
    );
    const { settingsFile } = await sandbox.open(orderFor(checkout, join(dir, "turns/1")));
    const { denyWrite } = JSON.parse(readFileSync(settingsFile, "utf8")).sandbox.filesystem;
    expect(denyWrite.filter((file: string) => file.endsWith("/.git/hooks"))).toEqual([
      "/srv/a/.git/hooks",
      "/srv/b/.git/hooks",
      "/srv/c/.git/hooks",
    ]);
  });

  test.each(["", "/../victim", "/x"])(
    "no removal of a folder that a turn without a sandbox wrote into the record (%j)",
    async (suffix) => {
      const { options, checkout, dir } = machine(whole);
      const turnDir = join(dir, "turns/1");
      const victim = join(dir, "victim");
      for (const folder of [victim, turnDir]) mkdirSync(folder, { recursive: true });
      const tmpDir = suffix === "" ? victim : `${join(dir, `t/loop-${uid}/111111112222`)}${suffix}`;
      writeFileSync(join(turnDir, `${receipt}.sandbox.json`), JSON.stringify({ tmpDir, checkout }));
      const sandbox = sandboxOf(options, uid);
      await sandbox.close(turnDir, receipt);
      expect([existsSync(victim), await sandbox.find(turnDir, receipt)]).toEqual([true, null]);
    },
  );

  test("nothing where its temporary folder would be somebody else's", async () => {
    const { options, checkout, dir } = machine(whole);
    symlinkSync(dir, join(dir, `t/loop-${uid}`));
    const sandbox = sandboxOf(options, uid);
    await expect(sandbox.open(orderFor(checkout, join(dir, "turns/1")))).rejects.toMatchObject({
      code: "LOOP_E_SANDBOX",
      hint: expect.stringContaining("TMPDIR"),
    });
  });
});
