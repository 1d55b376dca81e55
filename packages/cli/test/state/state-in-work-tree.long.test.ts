import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "@loopwork-tooling/practice-host";
import { describe, expect, onTestFinished, test } from "vitest";
import { LoopError } from "@loopwork/core/ports";
import { connectPorts } from "../../src/start/connect.ts";
import { runDaemon } from "../../src/start/daemons.ts";
import { loadConfig } from "../../src/configuration/load-config.ts";
import type { Io } from "../../src/io/io.ts";
import {
  refuseEnvFileInWorkTree,
  refuseStateInWorkTree,
} from "../../src/state/state-in-work-tree.ts";
import { workTreeOn } from "../../src/files/work-tree.ts";
import { foundConfig } from "../support/found-config.ts";
import { createScene, type Scene } from "../support/scene.ts";

function gitIn(folder: string, ...args: readonly string[]): string {
  return execFileSync(
    "git",
    ["-C", folder, "-c", "user.name=Ada", "-c", "user.email=ada@practice.invalid", ...args],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  );
}

const config = "service: { enabled: false }\n";

/** A trusted configuration in a clone, whose `theirs` branch holds files below `.loop`. */
async function clonedScene(text = config): Promise<Scene> {
  const { scene } = foundConfig(text);
  gitIn(scene.cwd, "init", "--quiet", "--initial-branch=main");
  gitIn(scene.cwd, "add", ".");
  gitIn(scene.cwd, "commit", "--quiet", "--message=one");
  gitIn(scene.cwd, "checkout", "--quiet", "-b", "theirs");
  for (const file of [".loop/bin/loop", ".loop/loop.db", ".loop/control-plane.token"]) {
    mkdirSync(dirname(join(scene.cwd, file)), { recursive: true });
    writeFileSync(join(scene.cwd, file), "theirs\n");
  }
  gitIn(scene.cwd, "add", "--force", ".");
  gitIn(scene.cwd, "commit", "--quiet", "--message=two");
  gitIn(scene.cwd, "checkout", "--quiet", "main");
  expect((await scene.loop("config", "trust")).code).toBe(0);
  return scene;
}

function ioOf({ cwd, home, env }: Scene, err: Io["err"] = () => {}): Io {
  return {
    version: "0.0.0-test",
    cwd,
    home,
    env,
    color: false,
    width: 100,
    interactive: false,
    out: () => {},
    err,
    readStdin: () => Promise.resolve(""),
    ask: () => Promise.resolve(""),
  };
}

function stateOf(scene: Scene): string {
  return loadConfig(null, scene).paths.stateRoot;
}

describe("the state of a configuration in a repository", () => {
  test.each([
    ["checkout", "theirs"],
    ["merge", "theirs"],
    ["reset", "--hard", "theirs"],
    ["pull", ".", "theirs"],
    ["checkout", "theirs", "--", "."],
    ["clean", "-ffdx"],
    ["stash", "--all"],
  ])("stays as it is through `git %s %s`", async (...command) => {
    const scene = await clonedScene();
    await scene.loop("sessions", "list");
    const state = stateOf(scene);
    const before = readdirSync(state).toSorted();
    expect(before).toContain("loop.db");
    try {
      gitIn(scene.cwd, ...command);
    } catch {
      // Such as a stash without anything to put away.
    }
    expect(stateOf(scene)).toBe(state);
    expect(readdirSync(state).toSorted()).toEqual(before);
    expect(readFileSync(join(state, "loop.db"), "latin1")).toMatch(/^SQLite format 3/);
    expect((await scene.loop("sessions", "list")).code).toBe(0);
  });

  test("lies in the home folder, by the name and the real path of the configuration's folder", async () => {
    const scene = await clonedScene();
    expect(stateOf(scene)).toMatch(new RegExp(`^${scene.home}/\\.loop/state/work-[0-9a-f]{12}$`));
    await scene.loop("sessions", "list");
    expect(readdirSync(join(scene.cwd, ".loop"))).toEqual(["cli-config.yaml"]);
    expect((await scene.loop("status")).out).toContain(stateOf(scene));
    expect((await scene.loop("doctor")).out).toContain(
      `${stateOf(scene)}, outside of the git work tree ${realpathSync(scene.cwd)}`,
    );
    const link = join(scene.dir, "link");
    symlinkSync(scene.cwd, link);
    expect(stateOf({ ...scene, cwd: link })).toBe(stateOf(scene));
  });

  test.each(["service: {}", "state: { root: .loop }", "state: { root: '' }"])(
    "with `%s` is the same however the file is named",
    async (text) => {
      const scene = await clonedScene(text);
      const file = join(scene.cwd, ".loop", "cli-config.yaml");
      expect(stateOf(scene)).toMatch(/\/\.loop\/state\/work-/);
      expect(loadConfig(file, { ...scene, cwd: scene.dir }).paths.stateRoot).toBe(stateOf(scene));
    },
  );

  test("stays there when the repository goes", async () => {
    const scene = await clonedScene();
    await scene.loop("sessions", "list");
    const state = stateOf(scene);
    rmSync(join(scene.cwd, ".git"), { recursive: true });
    expect(stateOf(scene)).toBe(state);
  });

  test("lies beside the configuration where there is no repository, and in a home folder that is one", async () => {
    const { scene } = foundConfig(config);
    await scene.loop("config", "trust");
    expect(stateOf(scene)).toBe(join(scene.cwd, ".loop"));
    const home = process.env["HOME"];
    process.env["HOME"] = scene.home;
    onTestFinished(() => void (process.env["HOME"] = home));
    gitIn(scene.home, "init", "--quiet");
    writeFileSync(join(scene.home, ".loop", "cli-config.yaml"), config);
    const own = { ...scene, cwd: scene.dir };
    expect(stateOf(own)).toBe(join(scene.home, ".loop"));
  });

  test.each([["loop.db"], ["marker.key"], ["turns/1/x"], ["salvage/x"], ["checkouts/x.json"]])(
    "is not begun anew beside a %s of before, and the command in the hint takes all of it along",
    async (name) => {
      const { scene } = foundConfig(config);
      const beside = join(scene.cwd, ".loop");
      await scene.loop("config", "trust");
      for (const each of [name, "control-plane.token", "locks/a.lock", "o'brien"]) {
        mkdirSync(dirname(join(beside, each)), { recursive: true });
        writeFileSync(join(beside, each), "ours\n");
      }
      writeFileSync(join(beside, ".gitignore"), "*\n");
      gitIn(scene.cwd, "init", "--quiet");
      gitIn(scene.cwd, "add", "--force", ".loop/cli-config.yaml");
      for (const argv of [["sessions", "list"], ["status"], ["daemon", "service", "--once"]])
        expect(await scene.loop(...argv), argv.join(" ")).toMatchObject({
          code: 2,
          err: expect.stringContaining("LOOP_E_STATE_LEFT_BEHIND"),
        });
      const { err } = await scene.loop("sessions", "list");
      const [, command = ""] = /if loop wrote that, run: (.*)$/m.exec(err) ?? [];
      execFileSync("sh", ["-c", command]);
      const state = stateOf(scene);
      for (const each of [name, "control-plane.token", "locks/a.lock", "o'brien"])
        expect(readFileSync(join(state, each), "utf8")).toBe("ours\n");
      expect(readdirSync(beside).toSorted()).toEqual([".gitignore", "cli-config.yaml"]);
      if (name === "loop.db") rmSync(join(state, name));
      if (name === "marker.key") expect((await scene.loop("config", "show")).code).toBe(0);
      expect((await scene.loop("sessions", "list")).err).not.toContain("LEFT_BEHIND");
    },
  );

  test("what the repository brings along is neither used nor moved", async () => {
    const scene = await clonedScene();
    gitIn(scene.cwd, "checkout", "--quiet", "theirs");
    expect((await scene.loop("sessions", "list")).code).toBe(0);
    expect(readFileSync(join(scene.cwd, ".loop", "loop.db"), "utf8")).toBe("theirs\n");
    expect(readFileSync(join(stateOf(scene), "loop.db"), "latin1")).toMatch(/^SQLite format 3/);
  });
});

describe("a place that git can write", () => {
  test.each<[key: string, text: string, path: string]>([
    ["state.root", "state: { root: state }", "state"],
    ["state.root", "state: { root: ./below/state }", "below/state"],
    ["state.root", "state: { root: link/state }", "link/state"],
    ["state.root", "state: { root: ../to-repository/state }", "../to-repository/state"],
    ["store.url", "store: { url: 'sqlite:db/loop.db' }", "db/loop.db"],
    ["service.tokenFile", "service: { tokenFile: token }", "token"],
    ["webhooks.hostWebhook.pidfile", "webhooks: { hostWebhook: { pidfile: run/x } }", "run/x"],
    ["routing.workspace.root", "routing: { workspace: { root: checkouts } }", "checkouts"],
  ])("is refused as %s with `%s`", async (key, text, path) => {
    const { scene } = foundConfig(`${text}\n`);
    gitIn(scene.cwd, "init", "--quiet");
    mkdirSync(join(scene.dir, "elsewhere"));
    symlinkSync(join(scene.dir, "elsewhere"), join(scene.cwd, "link"));
    mkdirSync(join(scene.cwd, "sub"));
    symlinkSync(join(scene.cwd, "sub"), join(scene.dir, "to-repository"));
    const refused = {
      code: 2,
      err: expect.stringMatching(/in the git work tree [^]*LOOP_E_STATE_IN_WORK_TREE/),
    };
    expect(await scene.loop("config", "trust")).toMatchObject(refused);
    scene.env["LOOP_CONFIG"] = join(scene.cwd, ".loop", "cli-config.yaml");
    for (const argv of [["sessions", "list"], ["daemon", "service", "--once"], ["stop"]]) {
      const ran = await scene.loop(...argv);
      expect(ran, argv.join(" ")).toMatchObject(refused);
      expect(ran.err).toContain(`${key} is ${join(scene.cwd, path)}, in the git work tree`);
    }
    expect(existsSync(join(scene.cwd, path))).toBe(false);
    expect(readdirSync(join(scene.dir, "elsewhere"))).toEqual([]);
  });

  test("no rows of a store there are believed, and no token, not even for reading", async () => {
    const { scene } = foundConfig("state: { root: state }\n");
    gitIn(scene.cwd, "init", "--quiet");
    const ports = connectPorts(
      {
        ...ioOf(scene),
        env: { ...scene.env, LOOP_CONFIG: join(scene.cwd, ".loop", "cli-config.yaml") },
      },
      null,
    );
    const refused = { code: "LOOP_E_STATE_IN_WORK_TREE" };
    for (const ask of [
      ports.records,
      ports.recordStore,
      ports.store,
      ports.controlToken,
      ports.locks,
    ])
      await expect(ask()).rejects.toMatchObject(refused);
    await ports.close();
  });

  test("the hint moves the state that lies there, and names its new place", async () => {
    const { scene } = foundConfig("state: { root: state }\n");
    scene.env["LOOP_CONFIG"] = join(scene.cwd, ".loop", "cli-config.yaml");
    const home = process.env["HOME"];
    process.env["HOME"] = scene.home;
    onTestFinished(() => void (process.env["HOME"] = home));
    await scene.loop("sessions", "list");
    gitIn(scene.cwd, "init", "--quiet");
    const { err } = await scene.loop("sessions", "list");
    const [, root = "", command = ""] =
      /stop loop, set state\.root to (\S+), and run: (.*)$/m.exec(err) ?? [];
    execFileSync("sh", ["-c", command]);
    writeFileSync(scene.env["LOOP_CONFIG"], `state: { root: ${root} }\n`);
    expect(readdirSync(root)).toContain("loop.db");
    expect((await scene.loop("sessions", "list")).code).toBe(0);
  });

  test.each<[what: string, make: (dir: string) => string, isIn: boolean]>([
    ["a folder of no repository", () => "free/state", false],
    ["the work tree itself", () => "tree", true],
    ["a folder that isn't there yet", () => "tree/a/b/c", true],
    ["below a link into it", (dir) => linked(dir, "tree/in"), true],
    ["behind a link that lies in it", (dir) => linked(dir, "free", "tree/out"), true],
    ["behind two links", (dir) => linked(dir, linked(dir, "free", "tree/out"), "second"), true],
    ["behind a link that leads nowhere yet", (dir) => linked(dir, "tree/none/below"), true],
    ["behind links in a circle", (dir) => linked(dir, "link"), false],
    ["in a linked work tree", (dir) => worktree(dir), true],
    ["in a repository of its own in it", (dir) => nested(dir), true],
    ["below a file", (dir) => file(dir), true],
  ])("is known: %s", (_what, make, isIn) => {
    const { dir } = createScene();
    mkdirSync(join(dir, "tree", "in"), { recursive: true });
    mkdirSync(join(dir, "free"));
    gitIn(join(dir, "tree"), "init", "--quiet");
    expect(workTreeOn(join(dir, make(dir))) !== null).toBe(isIn);
  });

  function linked(dir: string, to: string, at = "link"): string {
    symlinkSync(join(dir, to), join(dir, at));
    return join(at, "state");
  }
  function worktree(dir: string): string {
    gitIn(join(dir, "tree"), "commit", "--quiet", "--allow-empty", "--message=one");
    gitIn(join(dir, "tree"), "worktree", "add", "--quiet", join(dir, "second"));
    return "second/state";
  }
  function nested(dir: string): string {
    gitIn(join(dir, "free"), "init", "--quiet");
    return "free";
  }
  function file(dir: string): string {
    writeFileSync(join(dir, "tree", "file"), "");
    return "tree/file/state";
  }

  test(
    "ends a service that runs there, once somebody makes a repository around its state",
    { timeout: 30_000 },
    async () => {
      const scene = createScene(
        `state: { root: state }\nservice: { enabled: false }\nwebhooks: { hostWebhook: { enabled: true, port: ${await freePort()} } }\n`,
      );
      let said = "";
      const io = ioOf(scene, (text) => {
        said += text;
        if (said.includes("host-webhook is up")) gitIn(scene.dir, "init", "--quiet");
      });
      const running = runDaemon({
        kind: "host-webhook",
        once: false,
        loaded: loadConfig(scene.configFile, io),
        io,
      });
      await expect(running).rejects.toMatchObject({ code: "LOOP_E_STATE_IN_WORK_TREE" });
    },
  );
});

describe("what a trusted configuration has read", () => {
  test("an env file in the work tree is refused, committed or not, and the hint moves it", async () => {
    const { scene } = foundConfig(`env: { file: loop.env }\n${config}`);
    const home = process.env["HOME"];
    process.env["HOME"] = scene.home;
    onTestFinished(() => void (process.env["HOME"] = home));
    gitIn(scene.cwd, "init", "--quiet");
    writeFileSync(join(scene.cwd, "loop.env"), "GIT_SSH_COMMAND=./evil.sh\n", { mode: 0o600 });
    const refused = { code: 2, err: expect.stringContaining("LOOP_E_ENV_FILE") };
    expect(await scene.loop("config", "trust")).toMatchObject(refused);
    const moved = join(scene.dir, "aside");
    renameSync(join(scene.cwd, ".git"), moved);
    expect((await scene.loop("config", "trust")).code).toBe(0);
    renameSync(moved, join(scene.cwd, ".git"));
    const ran = await scene.loop("config", "show");
    expect(ran).toMatchObject(refused);
    const [, command = "", place = ""] =
      /run: (.*); then set env\.file to (\S+)$/m.exec(ran.err) ?? [];
    execFileSync("sh", ["-c", command]);
    expect(readFileSync(place, "utf8")).toContain("GIT_SSH_COMMAND");
    writeFileSync(
      join(scene.cwd, ".loop", "cli-config.yaml"),
      `env: { file: ${place} }\n${config}`,
    );
    expect((await scene.loop("config", "trust")).code).toBe(0);
    expect((await scene.loop("config", "show")).code).toBe(0);
  });

  test("files out of its own folder are named before it is trusted, with the variables that they set", async () => {
    const { scene } = foundConfig(
      "env: { file: loop.env }\nrouting: { graph: { definition: graphs.yaml, specDir: specs } }\n",
    );
    writeFileSync(join(scene.cwd, "loop.env"), "LOOP_HOST_TOKEN=hush\nGIT_SSH_COMMAND=./evil.sh\n");
    const { out } = await scene.loop("config", "trust", "--dry-run");
    expect(out).toContain(
      "loop.env isn't part of what you trust: it sets GIT_SSH_COMMAND, LOOP_HOST_TOKEN",
    );
    expect(out).toContain("graphs.yaml isn't part of what you trust");
    expect(out).not.toContain("hush");
  });

  test.each([
    ["", ".loop/loop.db", "already holds loop.db: unless loop wrote that, it came with the folder"],
    ["store: { url: 'sqlite:db/loop.db' }", "db/loop.db", "db/loop.db is there already"],
    ["service: { tokenFile: keys/token }", "keys/token", "keys/token is there already"],
  ])(
    "with `%s` state that is there already is told before the first trust: %s",
    async (text, file, said) => {
      const { scene } = foundConfig(`${text}\n`);
      mkdirSync(dirname(join(scene.cwd, file)), { recursive: true });
      writeFileSync(join(scene.cwd, file), "");
      expect((await scene.loop("config", "trust", "--dry-run")).out).toContain(said);
    },
  );

  test("an uncommitted link in the place of the ignore list is not written through", async () => {
    const { scene } = foundConfig("");
    await scene.loop("config", "trust");
    symlinkSync(join(scene.dir, "created"), join(scene.cwd, ".loop", ".gitignore"));
    expect(await scene.loop("sessions", "list")).toMatchObject({ code: 0 });
    expect(existsSync(join(scene.dir, "created"))).toBe(false);
  });

  test("a home folder under version control is the user's own, and its state is used", async () => {
    const { scene } = foundConfig("");
    gitIn(scene.home, "init", "--quiet");
    mkdirSync(join(scene.home, ".loop"));
    writeFileSync(join(scene.home, ".loop", "loop.env"), "");
    gitIn(scene.home, "add", ".");
    const home = process.env["HOME"];
    process.env["HOME"] = scene.home;
    onTestFinished(() => void (process.env["HOME"] = home));
    expect(await scene.loop("sessions", "list")).toMatchObject({ code: 0 });
  });
});

describe("`~/.loop` itself", () => {
  /** A home folder whose `~/.loop` is a link into `~/dot/loop`; `repository` is a folder of it. */
  function linkedHome(repository: string): Scene & { readonly real: string } {
    const scene = createScene("service: { enabled: false }\n");
    const real = join(scene.home, "dot", "loop");
    mkdirSync(real, { recursive: true });
    symlinkSync(real, join(scene.home, ".loop"));
    gitIn(join(scene.home, repository), "init", "--quiet");
    writeFileSync(join(real, "cli-config.yaml"), config);
    useHome(scene.home);
    delete scene.env["LOOP_CONFIG"];
    return { ...scene, real };
  }

  function useHome(home: string): void {
    const before = process.env["HOME"];
    process.env["HOME"] = home;
    onTestFinished(() => void (process.env["HOME"] = before));
  }

  const inHome = (scene: Scene, ...argv: readonly string[]) =>
    scene.loop("--config", join(scene.home, ".loop", "cli-config.yaml"), ...argv);

  test.each([["dot"], ["dot/loop"]])(
    "that leads into a repository, ~/%s, is refused, and the place in the hint works",
    async (repository) => {
      const scene = linkedHome(repository);
      writeFileSync(join(scene.real, "marker.key"), "ours\n");
      mkdirSync(join(scene.real, "trusted-configs"));
      const refused = await inHome(scene, "sessions", "list");
      const tree = join(scene.home, repository === "dot" ? "dot" : ".loop");
      expect(refused).toMatchObject({
        code: 2,
        err: expect.stringContaining(`in the git work tree ${tree}:`),
      });
      const doctor = await inHome(scene, "doctor");
      expect((await inHome(scene, "config", "validate")).err).toBe(refused.err);
      expect(doctor.out).not.toMatch(/✓ state root/);
      expect(doctor.out).toContain(`in the git work tree ${tree}:`);
      const [, root = "", command = ""] =
        /stop loop, set state\.root to (\S+), and run: (.*)$/m.exec(refused.err) ?? [];
      expect(workTreeOn(root)).toBeNull();
      execFileSync("sh", ["-c", command]);
      expect(readFileSync(join(root, "marker.key"), "utf8")).toBe("ours\n");
      expect(existsSync(join(scene.real, "trusted-configs"))).toBe(true);
      writeFileSync(join(scene.real, "cli-config.yaml"), `state: { root: ${root} }\n${config}`);
      expect((await inHome(scene, "sessions", "list")).code).toBe(0);
    },
  );

  test("that leads into a repository holds no state of another one's configuration", async () => {
    const scene = linkedHome("dot");
    gitIn(scene.cwd, "init", "--quiet");
    scene.env["LOOP_CONFIG"] = join(scene.cwd, "cli-config.yaml");
    writeFileSync(scene.env["LOOP_CONFIG"], config);
    const refused = await scene.loop("sessions", "list");
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining(`in the git work tree ${join(scene.home, "dot")}`),
    });
    const [, root = ""] = /set state\.root to (\S+)$/m.exec(refused.err) ?? [];
    expect((await scene.loop("doctor")).out).not.toMatch(/✓ state root/);
    writeFileSync(scene.env["LOOP_CONFIG"], `state: { root: ${root} }\n${config}`);
    expect((await scene.loop("sessions", "list")).code).toBe(0);
  });

  test("that leads elsewhere in a home folder that is a repository has a hint that works", async () => {
    const scene = linkedHome(".");
    const refused = await inHome(scene, "sessions", "list");
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("is a link") });
    const [, root = ""] = /set state\.root to (\S+)$/m.exec(refused.err) ?? [];
    writeFileSync(join(scene.real, "cli-config.yaml"), `state: { root: ${root} }\n${config}`);
    expect((await inHome(scene, "sessions", "list")).code).toBe(0);
  });

  test("that is a repository of its own is refused", async () => {
    const scene = createScene("service: { enabled: false }\n");
    mkdirSync(join(scene.home, ".loop"));
    gitIn(join(scene.home, ".loop"), "init", "--quiet");
    writeFileSync(join(scene.home, ".loop", "cli-config.yaml"), config);
    useHome(scene.home);
    expect(await inHome(scene, "sessions", "list")).toMatchObject({
      code: 2,
      err: expect.stringContaining(`in the git work tree ${join(scene.home, ".loop")}`),
    });
  });

  test("in a home folder that is a repository and is named through a link, is the user's own", async () => {
    const { scene } = foundConfig("");
    gitIn(scene.home, "init", "--quiet");
    mkdirSync(join(scene.home, ".loop"));
    const linked = join(scene.dir, "linked-home");
    symlinkSync(scene.home, linked);
    useHome(linked);
    const { paths } = loadConfig(null, { ...scene, cwd: scene.dir, home: linked });
    expect(() => refuseStateInWorkTree(paths)).not.toThrow();
    expect(() =>
      refuseStateInWorkTree({
        ...paths,
        tokenFile: join(realpathSync(scene.home), ".loop", "token"),
      }),
    ).not.toThrow();
    expect(() => refuseStateInWorkTree({ ...paths, tokenFile: join(scene.home, "token") })).toThrow(
      "service.tokenFile",
    );
  });

  test("behind a link into another repository gives no env file a place, and the hint names one that works", () => {
    const scene = linkedHome("dot");
    const file = join(scene.home, ".loop", "loop.env");
    writeFileSync(join(scene.real, "loop.env"), "A=1\n");
    let hint = "";
    try {
      refuseEnvFileInWorkTree(file, scene.home);
    } catch (error) {
      hint = error instanceof LoopError ? error.hint : "";
    }
    const [, command = "", place = ""] =
      /run: (.*); then set env\.file to (\S+)$/m.exec(hint) ?? [];
    execFileSync("sh", ["-c", command]);
    expect(readFileSync(place, "utf8")).toBe("A=1\n");
    expect(() => refuseEnvFileInWorkTree(place, scene.home)).not.toThrow();
  });
});
