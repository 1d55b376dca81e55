import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { openStoreOf } from "../../src/start/open.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { createWorld, harnessEnvironment, type World } from "../support/world.ts";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

describe("loop why", () => {
  test(
    "explains what was decided, what was ignored at the door, what waits, and says when it knows nothing",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const { number } = world.host.openIssue({ title: "No label", by: "ada" });
      world.host.comment(number, "please help", "mallory");
      const dropped = await service.event(
        "delivery.decided",
        ({ reason }) => reason === "stranger-dropped",
      );
      const why = await world.scene.loop("why", dropped.delivery ?? "");
      expect(why).toMatchObject({
        code: 0,
        out: expect.stringContaining("Reason: stranger-dropped"),
      });
      expect(why.out).not.toContain("please help");

      await service.stop();
      const loaded = loadConfig(world.scene.configFile, world.scene);
      const store = await openStoreOf(loaded);
      const delivery = { source: "webhook", verified: true, receivedAt: Date.now() } as const;
      await store.append({
        ...delivery,
        id: "waits-1",
        event: "issues",
        digest: "d1",
        body: new TextEncoder().encode("{}"),
        ignored: null,
      });
      await store.append({
        ...delivery,
        id: "ping-1",
        event: "ping",
        digest: "d2",
        body: null,
        ignored: "ping",
      });
      await store.close();
      expect((await world.scene.loop("why", "waits-1")).out).toContain("is queued");
      expect((await world.scene.loop("why", "ping-1")).out).toContain(
        "was ignored on arrival: it is the host's ping",
      );
      expect(await world.scene.loop("why", "never-seen")).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^No delivery "never-seen" here\n→ Run `loop events/),
        err: "",
      });
      expect(await world.scene.loop("why", "host:practice/garden#99")).toMatchObject({ code: 1 });
    },
  );
});

describe("loop status", () => {
  test("says of everything that waits what to type next", { timeout: 60_000 }, async () => {
    const world = await createWorld();
    harnessEnvironment(world, "export FIXTURE_REQUIRE_LOGIN=1\n");
    const service = await world.start();
    const number = world.startIssue();
    await service.event("lane.held");
    const status = await world.scene.loop("status");
    expect(status.out).toContain(`! ${world.ref(number)}  login: Not logged in`);
    expect(status.out).toContain(
      '→ log in to the harness (`loop doctor` checks it), then comment "loop resume" on it',
    );
    expect((await world.scene.loop("status", "--json")).json()).toMatchObject({
      waiting: [{ reason: "login", type: expect.any(String) }],
    });
  });
});

describe("loop turns", () => {
  test(
    "an uncertain turn is decided by a person: retry goes on with it, drop leaves it",
    { timeout: 90_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start((parts) => {
        const { A } = parts.harnesses;
        return A === null
          ? parts
          : {
              ...parts,
              harnesses: {
                ...parts.harnesses,
                A: {
                  ...A,
                  turns: {
                    ...A.turns,
                    evidence: () => Promise.resolve({ kind: "unknown", why: "a test says so" }),
                  },
                },
              },
            };
      });
      const number = world.startIssue("{{fixture:exit 0}}");
      await service.event("turn.uncertain");
      const status = await world.scene.loop("status");
      expect(status.out).toContain(
        "`loop turns retry 1` goes on with it, `loop turns drop 1` leaves it",
      );
      expect(await world.scene.loop("turns", "retry", "1")).toMatchObject({
        code: 0,
        out: expect.stringContaining("Retrying turn 1"),
      });
      await service.event("turn.done", ({ fields }) => fields["turn"] === 1);
      expect(world.prompts().at(-1)?.text).toContain("You were interrupted");

      world.host.comment(number, "{{fixture:exit 0}}", "ada");
      await service.event("turn.uncertain", ({ fields }) => fields["turn"] === 2);
      world.host.comment(number, "Then do this. {{stub:text fine}}", "ada");
      await until(async () => (await service.turns()).length === 3, "the third turn");
      expect(await world.scene.loop("turns", "drop", "2")).toMatchObject({ code: 0 });
      await service.event("turn.done", ({ fields }) => fields["turn"] === 3);
      expect(await world.scene.loop("turns", "retry", "2")).toMatchObject({
        code: 1,
        out: expect.stringContaining("turn 2 is dropped"),
      });
      expect(
        (await world.scene.loop("turns", "list", "--state", "dropped", "--json")).json(),
      ).toMatchObject([{ id: 2 }]);
    },
  );
});

test(
  "loop events --follow tells what happens as it happens, one object a line, and ends with its reader",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const child = spawn(
      process.execPath,
      ["--conditions=@loopwork/source", bin, "events", "--follow", "--json"],
      { cwd: world.scene.cwd, env: world.scene.env, stdio: ["ignore", "pipe", "inherit"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    const kinds: string[] = [];
    createInterface({ input: child.stdout }).on(
      "line",
      (line) => void kinds.push(JSON.parse(line).kind),
    );
    await until(() => kinds.includes("daemon.started"), "the past");
    world.startIssue();
    await service.event("turn.done");
    await until(
      () => kinds.includes("turn.done"),
      "the end of the turn",
      () => kinds.join(" "),
    );
    expect(kinds.indexOf("delivery.decided")).toBeLessThan(kinds.indexOf("turn.done"));
    child.stdout.destroy();
    world.host.openIssue({ title: "Another", by: "ada" });
    await until(() => child.exitCode !== null || child.signalCode !== null, "its end");
    expect(child.exitCode).toBe(0);
  },
);

test(
  "loop daemon host-webhook --once ends after one stored delivery, once it was worked on",
  { timeout: 60_000 },
  async () => {
    const world: World = await createWorld();
    const daemon = await startDaemon(world, { args: ["--once"] });
    world.host.openIssue({ title: "Water", labels: ["loop: auto-execute"], by: "ada" });
    expect(await daemon.end(null), daemon.log()).toBe(0);
    const decided = (
      await world.scene.loop("events", "--type", "delivery.decided", "--json")
    ).json() as readonly { readonly reason: string }[];
    expect(decided[0]?.reason).toBe("armed");
  },
);

test(
  "loop doctor names each part, what was found, and what to do; exit 1 when something needed is missing",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const good = await world.scene.loop("doctor");
    expect(good.out).toMatch(/✓ Code host +.*as @loop-agent/);
    expect(good.out).toMatch(/✓ Claude Code +.*2\.1\.332, logged in/);
    expect(good.code).toBe(0);
    const away = await createWorld();
    away.scene.configure(
      away.scene.text().replace(/apiBaseUrl: "[^"]+"/, 'apiBaseUrl: "http://127.0.0.1:9"'),
    );
    const unreachable = (await away.scene.loop("doctor")).out;
    expect(unreachable).toMatch(/✗ Code host +.* isn't responding: /);
    expect(unreachable).toContain("Check the network, any proxy, and integrations.codeHost");
    world.scene.configure(
      world.scene.text().replace(/command: "[^"]+"/, "command: no-such-program"),
    );
    const bad = await world.scene.loop("doctor");
    expect(bad).toMatchObject({ code: 1, out: expect.stringContaining("✗ Claude Code") });
    expect((await world.scene.loop("doctor", "--json")).json()).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({ part: "harness A", state: "missing", todo: expect.any(String) }),
      ]),
    });
  },
);
