import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { freePort } from "@loopwork-tooling/practice-host";
import type { LinkReport } from "@loopwork/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { loop, type RunningService, startService } from "../support/service.ts";
import { createWorld, harnessEnvironment, type World } from "../support/world.ts";

type Flown = {
  readonly code: number;
  readonly ok: boolean;
  readonly delivery: string;
  readonly broken: readonly string[];
  readonly links: readonly LinkReport[];
};

async function fly(world: World, ...more: string[]): Promise<Flown> {
  const { code, text } = await loop(world, "canary", "--json", ...more);
  return { code, ...(JSON.parse(text) as Omit<Flown, "code">) };
}

/** A running service whose PATH is one folder with git in it, so that git can be taken away. */
async function singing(): Promise<{
  readonly world: World;
  readonly service: RunningService;
  readonly tools: string;
}> {
  const world = await createWorld();
  const tools = join(world.scene.dir, "tools");
  mkdirSync(tools);
  symlinkSync(await pathOf("git"), join(tools, "git"));
  world.scene.env["PATH"] = tools;
  return { world, service: await startService(world), tools };
}

function pathOf(program: string): Promise<string> {
  return new Promise(
    (resolve, reject) =>
      void execFile("/bin/sh", ["-c", `command -v ${program}`], (error, out) =>
        error ? reject(error) : resolve(out.trim()),
      ),
  );
}

describe("loop canary", () => {
  test(
    "sound: it comes through, exit 0, and touches no work item, session, turn or host",
    { timeout: 120_000 },
    async () => {
      const { world, service } = await singing();
      const asked = (): readonly unknown[] =>
        world.host.traffic.calls().filter(({ path }) => !path.includes("/hooks")); // The look for lost deliveries is the service's own.
      const before = asked().length;
      const flown = await fly(world);
      expect(flown, JSON.stringify(flown, null, 1)).toMatchObject({
        code: 0,
        ok: true,
        broken: [],
      });
      expect(flown.links.map(({ link, state }) => `${link} ${state}`)).toEqual(
        [
          "secret",
          "port",
          "path",
          "disk",
          "store",
          "routing",
          "clock",
          "git",
          "harness-binary",
          "login",
          "trust-file",
        ].map((link) => `${link} good`),
      );
      expect((await service.get(`/api/v1/deliveries/${flown.delivery}/why`)).body).toMatchObject({
        state: "decided",
        reason: "canary",
      });
      expect((await service.get("/api/v1/work-items")).body).toMatchObject({ items: [] });
      expect((await service.get("/api/v1/turns")).body).toMatchObject({ items: [] });
      expect(world.prompts()).toEqual([]);
      expect(asked().slice(before)).toEqual([]);

      const shown = await loop(world, "canary");
      expect(shown).toMatchObject({
        code: 0,
        text: expect.stringContaining("✓ The test delivery went through"),
      });
    },
  );

  test(
    "each of the ten links, broken in the running service, is named, and named no more once it is mended",
    { timeout: 300_000 },
    async () => {
      const { world, tools } = await singing();
      const configured = world.scene.text();
      const trustFile = join(world.scene.home, ".claude", ".claude.json");
      const [claude, secret] = [
        join(world.scene.dir, "bin", "claude"),
        world.scene.env["LOOP_HOST_WEBHOOK_SECRET"] ?? "",
      ];
      const git = readlink(join(tools, "git"));
      const breaks: readonly {
        readonly link: string;
        readonly break: () => unknown;
        readonly mend: () => unknown;
      }[] = [
        {
          link: "secret",
          break: () => (world.scene.env["LOOP_HOST_WEBHOOK_SECRET"] = "another"),
          mend: () => (world.scene.env["LOOP_HOST_WEBHOOK_SECRET"] = secret),
        },
        {
          link: "port",
          break: async () =>
            world.scene.configure(
              configured.replace(
                /enabled: true, port: \d+/,
                `enabled: true, port: ${await freePort()}`,
              ),
            ),
          mend: () => world.scene.configure(configured),
        },
        {
          link: "path",
          break: () =>
            world.scene.configure(
              configured.replace("enabled: true, port", "enabled: true, path: /moved, port"),
            ),
          mend: () => world.scene.configure(configured),
        },
        {
          link: "git",
          break: () => unlinkSync(join(tools, "git")),
          mend: async () => symlinkSync(await git, join(tools, "git")),
        },
        {
          link: "harness-binary",
          break: () => renameSync(claude, `${claude}.away`),
          mend: () => renameSync(`${claude}.away`, claude),
        },
        {
          link: "login",
          break: () => harnessEnvironment(world, "export FIXTURE_REQUIRE_LOGIN=1"),
          mend: () => harnessEnvironment(world, ""),
        },
        {
          link: "trust-file",
          break: () => (
            mkdirSync(join(world.scene.home, ".claude"), { recursive: true }),
            writeFileSync(trustFile, '{"half": ')
          ),
          mend: () => rmSync(trustFile),
        },
        holdStore(world),
      ];
      for (const each of breaks) {
        await each.break();
        const flown = await fly(world);
        expect(flown, `${each.link}: ${JSON.stringify(flown, null, 1)}`).toMatchObject({
          code: 1,
          ok: false,
          broken: [each.link],
        });
        expect(flown.links.find(({ link }) => link === each.link)?.todo, each.link).toBeTruthy();
        if (each.link === "trust-file")
          expect(await loop(world, "canary")).toMatchObject({
            code: 1,
            text: expect.stringContaining("✗ Failed: trust file\n"),
          });
        await each.mend();
      }
      expect(await fly(world)).toMatchObject({ code: 0, ok: true });

      // The clock of the service alone is an hour behind, then the disk takes no larger file from
      // it.
      expect(await loop(world, "stop")).toMatchObject({ code: 0 });
      const shift = join(world.scene.dir, "shift.mjs");
      writeFileSync(shift, "const now = Date.now; Date.now = () => now() - 3_600_000;\n");
      world.scene.env["NODE_OPTIONS"] = `--import=${shift}`;
      expect(await loop(world, "start")).toMatchObject({ code: 0 });
      delete world.scene.env["NODE_OPTIONS"];
      expect(await fly(world)).toMatchObject({
        code: 1,
        broken: ["clock"],
        links: expect.arrayContaining([
          expect.objectContaining({
            link: "clock",
            found: expect.stringContaining("60 min behind"),
          }),
        ]),
      });
      expect(await loop(world, "stop")).toMatchObject({ code: 0 });

      await startWithin(world, 3_000);
      expect(await fly(world)).toMatchObject({
        code: 1,
        broken: ["disk"],
        links: expect.arrayContaining([expect.objectContaining({ link: "store", state: "good" })]),
      });
    },
  );

  test(
    "what it did not try it says, and where its delivery was never stored it points nobody to it",
    { timeout: 120_000 },
    async () => {
      const { world } = await singing();
      expect((await loop(world, "canary")).text).toMatch(
        /Run `loop why canary-\S+` to see the delivery\.\nNot tested: the connection to the code host\. Run `loop doctor` to check\.\n$/,
      );
      delete world.scene.env["LOOP_HOST_TOKEN"];
      world.scene.configure(`${world.scene.text()}\npolling: { enabled: true }\n`);
      expect((await loop(world, "canary")).text).toMatch(
        /Not tested: the connection to the code host and the poller \(LOOP_HOST_TOKEN isn't set\)\. Run `loop doctor` to check\.\n$/,
      );
      expect(await loop(world, "stop")).toMatchObject({ code: 0 });
      expect(await loop(world, "canary")).toMatchObject({
        code: 1,
        text: expect.not.stringContaining("loop why"),
      });
      expect(await fly(world)).toMatchObject({ code: 1, stored: false });
    },
  );

  test(
    "another program on the port is named as that, and a service that is down by the port",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld();
      expect(await fly(world)).toMatchObject({ code: 1, broken: ["port"] });
      const other = createServer((_request, response) =>
        response.writeHead(404).end("nothing here"),
      );
      await new Promise<void>((resolve) =>
        other.listen(Number(new URL(world.webhookUrl).port), "127.0.0.1", resolve),
      );
      onTestFinished(() => void other.close());
      expect(await fly(world)).toMatchObject({
        code: 1,
        broken: ["port"],
        links: expect.arrayContaining([
          expect.objectContaining({ found: expect.stringContaining("isn't a loop receiver") }),
        ]),
      });
      expect(await loop(world, "canary", "--url", "nonsense")).toMatchObject({
        code: 2,
        text: expect.stringContaining("LOOP_E_USAGE"),
      });
    },
  );

  test(
    "what takes the connection and answers nothing is named by the store where that is held, as a service that waits for it says nothing either, else by the port",
    { timeout: 180_000 },
    async () => {
      const { world } = await singing();
      expect(await loop(world, "stop")).toMatchObject({ code: 0 });
      const silent = createServer(() => {});
      await new Promise<void>((resolve) =>
        silent.listen(Number(new URL(world.webhookUrl).port), "127.0.0.1", resolve),
      );
      onTestFinished(() => (silent.closeAllConnections(), void silent.close()));
      const held = holdStore(world);
      held.break();
      expect(await fly(world)).toMatchObject({
        code: 1,
        broken: ["store"],
        links: expect.arrayContaining([
          expect.objectContaining({
            link: "store",
            todo: expect.stringContaining("another program has locked the database"),
          }),
        ]),
      });
      held.mend();
      expect(await fly(world)).toMatchObject({
        code: 1,
        broken: ["port"],
        links: expect.arrayContaining([
          expect.objectContaining({
            link: "port",
            found: expect.stringContaining("accepts connections, but doesn't answer"),
          }),
        ]),
      });
    },
  );
});

/** Another program holds the database for writing, as a backup that hangs would. */
function holdStore(world: World): {
  readonly link: string;
  readonly break: () => void;
  readonly mend: () => void;
} {
  let held: DatabaseSync | null = null;
  return {
    link: "store",
    break() {
      held = new DatabaseSync(join(world.stateRoot, "loop.db"));
      held.exec("BEGIN IMMEDIATE");
    },
    mend() {
      held?.exec("ROLLBACK");
      held?.close();
    },
  };
}

/**
 * Starts the service under a limit of the operating system for the size of each file it writes, in
 * KiB.
 */
async function startWithin(world: World, kib: number): Promise<void> {
  const bin = join(import.meta.dirname, "../../src/bin.ts");
  expect(existsSync(bin)).toBe(true);
  await new Promise<void>((resolve, reject) => {
    execFile(
      "/bin/bash",
      [
        "-c",
        `ulimit -f ${kib}; exec "$@"`,
        "bash",
        process.execPath,
        "--conditions=@loopwork/source",
        bin,
        "start",
      ],
      { env: world.scene.env, cwd: world.scene.cwd },
      (error, out, err) =>
        error
          ? reject(
              new Error(
                `${out}${err}${readFileSync(join(world.stateRoot, "logs", "service.log"), "utf8")}`,
              ),
            )
          : resolve(),
    );
  });
}

async function readlink(path: string): Promise<string> {
  return (await import("node:fs/promises")).readlink(path);
}
