import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@loopwork-tooling/practice-host";
import { createPoll, type PollReport } from "@loopwork/codehost/poller";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

type Ran = { readonly code: number; readonly text: string };

/**
 * Runs `loop` as a process of its own; the practice host lives in this one, so nothing here may
 * block.
 */
function loop(world: World, ...argv: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--conditions=@loopwork/source", bin, ...argv],
      { cwd: world.scene.cwd, env: world.scene.env, timeout: 60_000 },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, text: `${out}${err}` }),
    );
  });
}

/** A poll into the store of a running service, which takes webhooks, too. */
function pollInto(world: World, service: Service): () => Promise<PollReport> {
  const { store, settings } = service.parts;
  const poll = createPoll(
    { host: new URL(world.host.url).host, apiBaseUrl: world.host.apiUrl, token: "practice-agent" },
    {
      inbox: store,
      cursors: store.cursors,
      items: () => store.items.list(),
      settings: () => ({
        repositories: ["practice/garden"],
        autoExecuteLabel: settings().policy.autoExecuteLabel,
      }),
      now: Date.now,
    },
  );
  return async () => {
    const report = await poll();
    service.dispatcher.poke();
    return report;
  };
}

const settled = (service: Service): Promise<unknown> =>
  until(
    async () =>
      (await service.parts.store.stats()).undecided === 0 &&
      (await service.turns()).length > 0 &&
      (await service.turns()).every(({ state }) => state === "done"),
    "the end of all work",
    async () => JSON.stringify(await service.events(), null, 1),
  );

describe("without a public address: everything comes by polling", () => {
  test(
    "label, start, review, a failing check and the closing reach the session; --once ends when that is worked on",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld({ more: "polling: { enabled: true }" });
      const { host } = world;
      const number = world.startIssue("Water it.\n{{stub:text watered}}");
      const ref = world.ref(number);
      expect(await loop(world, "daemon", "poller", "--once")).toMatchObject({ code: 0 });
      expect(world.prompts().map(({ text }) => text.includes("Water it."))).toEqual([true]);
      expect(host.issue(number).comments[0]?.reactions.map(({ content }) => content)).toEqual([
        "eyes",
        "hooray",
      ]);

      const sha = await host.commit({
        branch: `issue-${number}`,
        message: "Water",
        files: { "water.txt": "wet\n" },
        by: "loop-agent",
      });
      const pull = await host.openPull({
        title: "Water",
        head: `issue-${number}`,
        by: "loop-agent",
      });
      expect(
        await loop(
          world,
          "sessions",
          "link-pr",
          "--work-item",
          ref,
          "--pull-request",
          String(pull.number),
        ),
      ).toMatchObject({ code: 0 });
      host.review(pull.number, {
        state: "changes_requested",
        body: "Use the rain barrel.",
        by: "ada",
      });
      host.commentOnLine(pull.number, { body: "And the can here.", path: "water.txt", by: "ada" });
      await host.check({ name: "drought", of: sha, conclusion: "failure" });
      await host.check({ name: "flood", of: sha, conclusion: "error", kind: "status" });
      expect(await loop(world, "daemon", "poller", "--once")).toMatchObject({ code: 0 });
      const told = world
        .prompts()
        .slice(1)
        .map(({ text }) => text)
        .join("\n");
      for (const words of ["Use the rain barrel.", "And the can here.", "drought", "flood"])
        expect(told).toContain(words);
      expect(new Set(world.prompts().map(({ session }) => session)).size).toBe(1);

      host.closeIssue(number, "ada");
      expect(await loop(world, "daemon", "poller", "--once")).toMatchObject({ code: 0 });
      expect((await loop(world, "sessions", "list", "--json")).text).not.toContain('"active"');
      expect((await loop(world, "events", "--type", "session.closed")).text).toContain(ref);
      expect(host.deliveries().every(({ attempts }) => attempts.length === 0)).toBe(true);
    },
  );

  test("closed by somebody who may not: deferred, and shown", { timeout: 60_000 }, async () => {
    const world = await createWorld({ more: "polling: { enabled: true }" });
    const number = world.startIssue("{{stub:text ok}}");
    await loop(world, "daemon", "poller", "--once");
    world.host.closeIssue(number, "mallory");
    await loop(world, "daemon", "poller", "--once");
    expect((await loop(world, "sessions", "list", "--json")).text).toContain('"active"');
    const status = (await loop(world, "status")).text;
    expect(status).toContain("closed by somebody");
    expect(status).toMatch(/Rate limit: \d+ of 5000 requests left until \d\d:\d\d UTC/);
    expect((await loop(world, "doctor")).text).toMatch(/as @loop-agent, \d+ of 5000 requests left/);
  });

  test(
    "a host that cannot be reached at all is exit 2, with the reason in status",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ more: "polling: { enabled: true }" });
      world.host.traffic.break({ fits: () => true, status: 503 });
      const ran = await loop(world, "daemon", "poller", "--once");
      expect(ran).toMatchObject({ code: 2 });
      expect(ran.text).toContain("practice/garden cannot be polled");
      expect((await loop(world, "status")).text).toContain("reading the repository");
      expect((await loop(world, "events", "--type", "poll.failed")).text).toContain(
        "LOOP_E_HOST_SERVER",
      );
    },
  );
});

describe("the same happening by webhook and by poll acts once", () => {
  test("webhook first", { timeout: 60_000 }, async () => {
    const world = await createWorld();
    const service = await world.start();
    const poll = pollInto(world, service);
    const number = world.startIssue("{{stub:text one}}");
    world.host.comment(number, "and {{stub:text two}}", "ada");
    await world.host.idle();
    await settled(service);
    const before = world.prompts().length;
    expect((await poll()).repositories).toMatchObject([{ stored: 4, failure: null }]);
    await settled(service);
    expect(world.prompts()).toHaveLength(before);
    const again = (await service.events("delivery.decided")).filter(
      ({ delivery }) => delivery?.startsWith("poll-") === true,
    );
    expect(again.map(({ reason }) => reason)).toEqual([
      "seen-before",
      "seen-before",
      "seen-before",
      "seen-before",
    ]);
  });

  test("poll first", { timeout: 60_000 }, async () => {
    const world = await createWorld();
    const service = await world.start();
    const poll = pollInto(world, service);
    world.host.aim(null);
    await poll();
    const number = world.startIssue("{{stub:text one}}");
    world.host.comment(number, "and {{stub:text two}}", "ada");
    expect((await poll()).repositories).toMatchObject([{ stored: 4, failure: null }]);
    await settled(service);
    const before = world.prompts().length;
    world.host.aim({ url: service.url, secret: "practice-secret" });
    for (const { id } of world.host.deliveries()) await world.host.redeliver(id);
    await settled(service);
    expect(world.prompts()).toHaveLength(before);
    const again = (await service.events("delivery.decided")).filter(
      ({ delivery }) => delivery?.startsWith("poll-") === false,
    );
    expect(again.map(({ reason }) => reason)).toEqual([
      "seen-before",
      "seen-before",
      "seen-before",
      "seen-before",
    ]);
  });
});

describe("the poller as a service", () => {
  const running: readonly (readonly [string, (port: number) => string, string])[] = [
    [
      "by itself, when the service is off",
      () => "polling: { enabled: true, intervalSeconds: 5 }",
      "poller",
    ],
    [
      "inside of the service",
      (port) => `polling: { enabled: true, intervalSeconds: 5 }\nservice: { port: ${port} }`,
      "service",
    ],
    [
      "by itself, when the service hosts no ingresses",
      (port) =>
        `polling: { enabled: true, intervalSeconds: 5 }\nservice: { port: ${port}, hostIngresses: false }`,
      "poller",
    ],
  ];
  for (const [name, keys, daemon] of running) {
    test(name, { timeout: 90_000 }, async () => {
      const world = await createWorld();
      const port = await freePort();
      world.scene.configure(
        `${world.scene
          .text()
          .replace(
            "service: { enabled: false }\n",
            keys(port).includes("service:") ? "" : "service: { enabled: false }\n",
          )
          .replace("enabled: true, port", "enabled: false, port")}\n${keys(port)}\n`,
      );
      onTestFinished(async () => void (await loop(world, "stop")));
      expect(await loop(world, "start")).toMatchObject({ code: 0 });
      expect(existsSync(join(world.stateRoot, `${daemon}.pid`))).toBe(true);
      const number = world.startIssue("{{stub:text ok}}");
      await until(
        () => world.prompts().length === 1,
        "the first prompt",
        async () => (await loop(world, "events")).text,
      );
      expect(world.host.issue(number).open).toBe(true);
      expect((await loop(world, "status")).text).toContain("practice/garden");
      expect(await loop(world, "stop")).toMatchObject({ code: 0 });
      expect(existsSync(join(world.stateRoot, `${daemon}.pid`))).toBe(false);
    });
  }
});
