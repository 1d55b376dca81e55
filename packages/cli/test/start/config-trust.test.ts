import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { ProcessAbove } from "../../src/processes/process-identity.ts";
import { loadConfig, readConfig } from "../../src/configuration/load-config.ts";
import { openConfig, requireSettled } from "../../src/configuration/open-config.ts";
import { type FoundConfig, foundConfig, nameOf } from "../support/found-config.ts";
import { createScene } from "../support/scene.ts";

describe("a configuration in the working directory", () => {
  test.each(["cli-config.yaml", ".loop/cli-config.yaml"])(
    "%s counts once it is trusted, with the text that was trusted",
    async (place) => {
      const { scene, file, write } = foundConfig("instance: { name: one }\n", place);
      expect(nameOf(scene)).toBe("default");
      const ran = await scene.loop("config", "trust");
      expect(ran, ran.err).toMatchObject({
        code: 0,
        out: expect.stringContaining(`✓ Trusted ${file} as shown`),
      });
      expect(nameOf(scene)).toBe("one");
      expect((await scene.loop("config", "show")).err).toBe("");
      write("instance: { name: two }\n");
      expect(nameOf(scene)).toBe("one");
      expect((await scene.loop("config", "show")).err).toContain(
        `${file} changed since you trusted it; the trusted version stays in force.`,
      );
      await scene.loop("config", "trust");
      expect(nameOf(scene)).toBe("two");
    },
  );

  test("a dry run shows what it can do and records nothing", async () => {
    const { scene } = foundConfig(
      "harnesses: { A: { command: ./agent.sh } }\nintegrations: { codeHost: { apiBaseUrl: 'https://other.example/api' } }\n",
    );
    const { out } = await scene.loop("config", "trust", "--dry-run");
    expect(out).toMatch(/harnesses\.A\.command +runs a program +"\.\/agent\.sh"/);
    expect(out).toContain("LOOP_HOST_TOKEN is sent to https://other.example/api");
    expect(out).toContain("./agent.sh isn't part of what you trust");
    expect(loadConfig(null, scene).file).toBeNull();
  });

  test("a changed file shows which changes can run a program or send a secret, with both values", async () => {
    const { scene, write } = foundConfig("polling: { intervalSeconds: 60 }\n");
    await scene.loop("config", "trust");
    write(
      "polling: { intervalSeconds: 90 }\nharnesses: { A: { command: ./evil.sh } }\nintegrations: { codeHost: { tokenEnv: AWS_SECRET_ACCESS_KEY } }\n",
    );
    const ran = await scene.loop("config", "trust", "--dry-run");
    expect(ran.out).toMatch(/harnesses\.A\.command +runs a program +"claude" +"\.\/evil\.sh"/);
    expect(ran.out).toMatch(
      /integrations\.codeHost\.tokenEnv +sends a secret +"LOOP_HOST_TOKEN" +"AWS_SECRET_ACCESS_KEY"/,
    );
    expect((await scene.loop("config", "trust", "--dry-run", "--json")).json()).toMatchObject({
      changed: true,
      recorded: false,
      keys: [
        { path: "harnesses.A.command", power: "program" },
        { power: "secret" },
        { power: "none" },
      ],
    });
  });

  test("what it sets cannot hide behind characters that turn the writing, or behind a long value", async () => {
    const { scene } = foundConfig(
      `harnesses: { A: { command: "./a\u202egpj.sh" } }\npromptTemplate: ${"x".repeat(60_000)}\n`,
    );
    const { out } = await scene.loop("config", "trust", "--dry-run");
    expect(out).toContain(String.raw`"./a\u{202e}gpj.sh"`);
    expect(out.length).toBeLessThan(4_000);
    expect(out).toContain("more characters: read the file");
  });

  test.each([
    `harnesses: { A: { args: ["${"x".repeat(400)}", --evil] } }`,
    `harnesses: { A: { command: "/${"x".repeat(400)}/--evil" } }`,
    `harnesses: { A: { env: { X: "${"x".repeat(400)}", LD_PRELOAD: --evil } } }`,
    `service: { upgradeCommand: ["${"x".repeat(400)}", --evil] }`,
    `critics: [{ name: c, command: ["${"x".repeat(400)}", --evil] }]`,
    `notify: [{ command: ["${"x".repeat(400)}", --evil] }]`,
  ])("what runs is shown to its end, however long it is", async (text) => {
    const { scene } = foundConfig(`${text}\n`);
    const ran = await scene.loop("config", "trust", "--dry-run");
    expect(ran.out, ran.err).toContain("--evil");
  });

  test.each<[argv: string, file: string]>([
    ["[sh, ./tools/x.sh]", "./tools/x.sh"],
    ["[node, --import=./tools/x.mjs, -e, '0']", "./tools/x.mjs"],
    ["[python3, tools/x.py]", "tools/x.py"],
    ["[sh, -c, 'exec ./tools/x.sh']", "./tools/x.sh"],
    ["[node, x.mjs]", "x.mjs"],
  ])("%s is named as not part of what is trusted", async (argv, file) => {
    for (const text of [
      `critics: [{ name: c, command: ${argv} }]`,
      `notify: [{ command: ${argv} }]`,
      `service: { upgradeCommand: ${argv} }`,
      `harnesses: { A: { args: ${argv} } }`,
    ]) {
      const { scene } = foundConfig(`${text}\n`);
      mkdirSync(join(scene.cwd, "tools"));
      for (const name of ["tools/x.sh", "tools/x.mjs", "tools/x.py", "x.mjs"])
        writeFileSync(join(scene.cwd, name), "");
      const ran = await scene.loop("config", "trust", "--dry-run");
      expect(ran.out, `${text} ${ran.err}`).toContain(`${file} isn't part of what you trust`);
    }
  });

  test("a workspace root in its own folder that holds something already is warned about", async () => {
    const { scene } = foundConfig("routing: { workspace: { root: work } }\n");
    const planted = join(scene.cwd, "work", "example.org");
    expect((await scene.loop("config", "trust", "--dry-run")).out).not.toContain("already holds");
    mkdirSync(planted, { recursive: true });
    const { out } = await scene.loop("config", "trust", "--dry-run");
    expect(out).toContain(
      "already holds example.org: unless loop wrote that, it came with the folder",
    );
    expect(out).toMatch(/routing\.workspace\.root +runs a program +"work"/);
  });

  test("arguments that name no file of the folder are not warned about", async () => {
    const { scene } = foundConfig(
      "critics: [{ name: c, command: [npm, test, --, /usr/bin/true, 'a b'] }]\n",
    );
    expect((await scene.loop("config", "trust", "--dry-run")).out).not.toContain("isn't part of");
  });

  test("a file at home, or that LOOP_CONFIG names, is not bound by accident; one that --config names is", async () => {
    const scene = createScene("instance: { name: one }\n");
    expect(await scene.loop("config", "trust")).toMatchObject({
      code: 0,
      out: expect.stringContaining("needs no trust: you chose it yourself"),
    });
    scene.configure("instance: { name: two }\n");
    expect(openConfig(null, scene)).toMatchObject({ refused: [] });
    scene.terminal(() => "yes");
    await scene.loop("--config", scene.configFile, "config", "trust");
    scene.configure("instance: { name: three }\n");
    expect(openConfig(null, scene)).toMatchObject({
      config: { text: "instance: { name: two }\n" },
      refused: [{ why: "changed" }],
    });
  });

  test.each([
    ["start"],
    ["restart"],
    ["restart", "--with-upgrade"],
    ["daemon", "service"],
    ["daemon", "poller", "--once"],
    ["service", "install", "--dry-run"],
  ])(
    "`loop %s %s` refuses one that isn't trusted, or that changed, with what to type",
    async (...argv) => {
      const { scene, file, write } = foundConfig("instance: { name: one }\n");
      const refused = {
        code: 2,
        err: expect.stringContaining(
          `${file} isn't trusted (LOOP_E_CONFIG_UNTRUSTED)\n→ run \`loop config trust --dry-run\``,
        ),
      };
      expect(await scene.loop(...argv)).toMatchObject(refused);
      await scene.loop("config", "trust");
      write("instance: { name: two }\n");
      expect(await scene.loop(...argv)).toMatchObject({
        code: 2,
        err: expect.stringContaining("changed since you trusted it (LOOP_E_CONFIG_UNTRUSTED)"),
      });
    },
  );

  test("a start beside a file that isn't trusted names the way to the user's own configuration, which works", async () => {
    const { scene, file } = foundConfig("instance: { name: one }\n");
    mkdirSync(join(scene.home, ".loop"));
    const own = join(scene.home, ".loop", "cli-config.yaml");
    writeFileSync(own, "instance: { name: own }\n");
    const refused = await scene.loop("service", "install", "--dry-run");
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_CONFIG_UNTRUSTED"),
    });
    expect(refused.err).toContain(`, or add \`--config ${own}\` to use that one`);
    const ran = await scene.loop("service", "install", "--dry-run", "--config", own);
    expect(ran.err).not.toContain("LOOP_E_CONFIG_UNTRUSTED");
    await scene.loop("config", "trust");
    writeFileSync(file, "instance: { name: two }\n");
    expect((await scene.loop("start")).err).not.toContain("--config");
  });

  test("a daemon that a supervisor brings up again keeps the trusted text, and starts on nothing else", async () => {
    const { scene, write } = foundConfig("instance: { name: one }\n");
    expect(() => requireSettled(openConfig(null, scene), { LOOP_DAEMON: "1" })).toThrow(
      "isn't trusted",
    );
    await scene.loop("config", "trust");
    write("instance: { name: two }\n");
    expect(() => requireSettled(openConfig(null, scene), {})).toThrow("changed");
    expect(() => requireSettled(openConfig(null, scene), { LOOP_DAEMON: "1" })).not.toThrow();
  });

  test.each<[string, (found: FoundConfig) => [string | null, Record<string, string>]]>([
    ["--config, as daemons are handed it", ({ file }) => [file, {}]],
    [
      "LOOP_CONFIG, as turns and their hooks are handed it",
      ({ file }) => [null, { LOOP_CONFIG: file }],
    ],
  ])(
    "what was trusted stays bound to its text when the file is named by %s",
    async (_how, named) => {
      const found = foundConfig("instance: { name: one }\n");
      await found.scene.loop("config", "trust");
      found.write("instance: { name: two }\n");
      const [asked, env] = named(found);
      expect(loadConfig(asked, { ...found.scene, env }).config.instance.name).toBe("one");
      await found.scene.loop("config", "trust", "--revoke");
      expect(loadConfig(asked, { ...found.scene, env }).file).toBeNull();
    },
  );

  test("a file that a person names and never trusted is used as it stands", () => {
    const { scene, file, write } = foundConfig("instance: { name: one }\n");
    expect(loadConfig(file, scene).config.instance.name).toBe("one");
    write("instance: { name: two }\n");
    expect(loadConfig(null, { ...scene, env: { LOOP_CONFIG: file } }).config.instance.name).toBe(
      "two",
    );
  });

  test("a relative LOOP_CONFIG means another file in each folder, so that it has to be trusted", async () => {
    const { scene } = foundConfig("instance: { name: one }\n", "loop.yaml");
    scene.env["LOOP_CONFIG"] = "loop.yaml";
    expect(nameOf(scene)).toBe("default");
    await scene.loop("config", "trust");
    expect(nameOf(scene)).toBe("one");
  });

  test("one at home needs no trust, also where the home folder is the working directory; an empty HOME is no home", () => {
    const { scene } = foundConfig("instance: { name: one }\n");
    expect(loadConfig(null, { ...scene, home: scene.cwd }).config.instance.name).toBe("one");
    expect(loadConfig(null, { ...scene, home: "" }).file).toBeNull();
    expect(loadConfig(null, { ...scene, home: "." }).file).toBeNull();
  });

  test("the next place of the search order is used meanwhile", async () => {
    const { scene } = foundConfig("instance: { name: one }\n", "cli-config.yaml");
    mkdirSync(join(scene.cwd, ".loop"));
    writeFileSync(join(scene.cwd, ".loop", "cli-config.yaml"), "instance: { name: two }\n");
    mkdirSync(join(scene.home, ".loop"));
    writeFileSync(join(scene.home, ".loop", "cli-config.yaml"), "instance: { name: home }\n");
    expect(nameOf(scene)).toBe("home");
    expect(openConfig(null, scene).refused).toHaveLength(2);
    await scene.loop("config", "trust");
    expect(nameOf(scene)).toBe("one");
  });

  test("`config validate` and `config show` look at it without loading anything that it names", async () => {
    const { scene, write } = foundConfig("env: { file: /dev/full }\ninstance: { name: one }\n");
    expect(await scene.loop("config", "validate")).toMatchObject({
      code: 0,
      out: expect.stringContaining("not in use until you run `loop config trust`"),
    });
    expect(await scene.loop("config", "show")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Not in use[^]*instance\.name +opens access +"one"/),
    });
    write("instance: { nmae: one }\n");
    expect(await scene.loop("config", "validate")).toMatchObject({
      code: 2,
      err: expect.stringContaining("nmae"),
    });
    expect(await scene.loop("config", "trust")).toMatchObject({
      code: 2,
      err: expect.stringContaining("nmae"),
    });
  });

  test.each([[{ CLAUDECODE: "1" }], [{ LOOP_TURN_DIR: "/turn" }]])(
    "an agent may neither trust nor revoke: %j",
    async (signs) => {
      const { scene } = foundConfig("instance: { name: one }\n");
      Object.assign(scene.env, signs);
      for (const argv of [
        ["config", "trust"],
        ["config", "trust", "--revoke"],
      ])
        expect(await scene.loop(...argv)).toMatchObject({
          code: 2,
          err: expect.stringContaining("LOOP_E_INSIDE_TURN"),
        });
      expect(nameOf(scene)).toBe("default");
    },
  );

  const shell = (env: Record<string, string>): ProcessAbove => ({ env, name: "bash" });
  test.each<[string, readonly ProcessAbove[]]>([
    ["whose variables were dropped on the way", [shell({}), shell({ CLAUDECODE: "1" })]],
    ["whose variables were dropped by its own shell", [shell({}), { env: {}, name: "claude" }]],
    ["of the other harness", [{ env: {}, name: "cursor-agent" }]],
  ])("an agent %s may not trust either", async (_what, above) => {
    const { scene } = foundConfig("instance: { name: one }\n");
    scene.below(above);
    expect(await scene.loop("config", "trust")).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_INSIDE_TURN"),
    });
    expect(nameOf(scene)).toBe("default");
  });

  test("a process without a terminal may not trust, and one at a terminal is asked after it saw what it trusts", async () => {
    const { scene, file } = foundConfig("instance: { name: one }\n");
    const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
    const argv = ["--conditions=@loopwork/source", bin, "config", "trust"];
    const env = { PATH: scene.env["PATH"], HOME: scene.home };
    // Without the variables of its parents; where an agent runs these tests, it is known all the
    // same.
    const hidden = spawnSync(process.execPath, argv, { cwd: scene.cwd, env, encoding: "utf8" });
    expect(hidden.stderr).toMatch(/LOOP_E_NO_TERMINAL|LOOP_E_INSIDE_TURN/);
    scene.terminal(() => "y");
    expect(await scene.loop("config", "trust")).toMatchObject({
      code: 2,
      out: expect.stringContaining("What it sets"),
      err: expect.stringContaining("Nothing was trusted"),
    });
    expect(nameOf(scene)).toBe("default");
    scene.terminal((question) => (question.includes("as shown") ? "yes" : ""));
    expect((await scene.loop("config", "trust")).out).toContain(`✓ Trusted ${file} as shown`);
  });

  test.each([
    ".worktrees/example.org/octo/shop/octo+shop+7",
    ".work-items/octo+shop+7/example.org/octo/shop",
  ])("a configuration in a session's own checkout is not trusted: %s", async (place) => {
    const { scene } = foundConfig("instance: { name: one }\n");
    const checkout = join(scene.dir, "workspaces", place);
    mkdirSync(join(checkout, ".loop"), { recursive: true });
    const file = join(checkout, ".loop", "cli-config.yaml");
    writeFileSync(file, "instance: { name: theirs }\n");
    expect(await scene.loop("--config", file, "config", "trust")).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_CONFIG_CHECKOUT"),
    });
  });
});

test("a configuration is only made by opening it: what looks like one is refused by its type", () => {
  const fake = { file: "/x", text: "instance: { name: evil }\n", isBound: false };
  // @ts-expect-error -- a text that nobody vouched for is no configuration
  expect(() => readConfig({ ...fake, reopened: 1 }, { env: {}, home: "/nowhere" })).not.toThrow();
});
