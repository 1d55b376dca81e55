import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decideSandbox, type SandboxDecision, type SandboxFacts } from "@loopwork/core";
import type { Sandbox, SandboxOrder } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

const able: SandboxFacts = {
  platform: "linux",
  isRoot: false,
  runner: "headless",
  missing: [],
  probe: { kind: "passed" },
  silentVersion: null,
  gitDirectory: "own",
  hidesSystem: null,
  ranSandboxed: false,
};

/**
 * A sandbox that is there or not as the test says; what it is asked for is kept. The fixture
 * harness believes its settings.
 */
function sandboxOf(world: World) {
  const orders: SandboxOrder[] = [];
  const closed: string[] = [];
  let decision: SandboxDecision | Partial<SandboxFacts> = { kind: "on" };
  const record = (turnDir: string, receipt: string): string =>
    join(turnDir, `${receipt}.sandbox.json`);
  const sandbox: Sandbox = {
    decide: (mode, { ranSandboxed }) =>
      Promise.resolve(
        "kind" in decision ? decision : decideSandbox(mode, { ...able, ...decision, ranSandboxed }),
      ),
    open(order) {
      orders.push(order);
      mkdirSync(order.turnDir, { recursive: true });
      const files = {
        settingsFile: join(order.turnDir, "settings.json"),
        tmpDir: join(world.stateRoot, "tmp"),
      };
      mkdirSync(files.tmpDir, { recursive: true });
      writeFileSync(files.settingsFile, JSON.stringify({ sandbox: { enabled: true } }));
      writeFileSync(record(order.turnDir, order.receipt), JSON.stringify(files));
      return Promise.resolve(files);
    },
    find: (turnDir, receipt) =>
      Promise.resolve(
        existsSync(record(turnDir, receipt))
          ? JSON.parse(readFileSync(record(turnDir, receipt), "utf8"))
          : null,
      ),
    close: (_turnDir, receipt) => Promise.resolve(void closed.push(receipt)),
  };
  const decorate = (parts: RuntimeParts): RuntimeParts => ({
    ...parts,
    harnesses: {
      ...parts.harnesses,
      A: parts.harnesses.A === null ? null : { ...parts.harnesses.A, sandbox },
    },
  });
  return { decorate, orders, closed, decide: (next: typeof decision) => void (decision = next) };
}

const commentsOf = (world: World, number: number): readonly string[] =>
  world.host
    .issue(number)
    .comments.filter(({ author }) => author.login === "loop-agent")
    .map(({ body }) => body);

describe("a turn in the sandbox", () => {
  test(
    "gets its settings last, hides the state root and its checkouts, and is swept up after before it is judged",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { decorate, orders, closed } = sandboxOf(world);
      const service = await world.start(decorate);
      world.startIssue(
        "{{stub:bash node -p 'JSON.stringify([process.env.TMPDIR, process.ppid])' > seen.json}}",
      );
      await service.event("turn.done");
      const [order] = orders;
      const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
      expect(order).toMatchObject({
        checkout: workdir,
        passEnv: [],
        exclude: [],
        domains: expect.arrayContaining([new URL(world.host.url).hostname]),
      });
      expect(order?.hide).toEqual(
        expect.arrayContaining([
          world.stateRoot,
          join(world.scene.dir, "checkouts"),
          world.scene.configFile,
        ]),
      );
      expect(order?.read).toContain(join(world.stateRoot, "bin"));
      expect(order?.env).not.toHaveProperty("LOOP_HOST_TOKEN");
      expect(JSON.parse(readFileSync(join(workdir, "seen.json"), "utf8"))[0]).toBe(
        join(world.stateRoot, "tmp"),
      );
      expect(closed).toEqual([order?.receipt]);
      expect(await service.events("sandbox.off")).toEqual([]);
    },
  );

  test(
    "is stopped before a tool runs when the harness doesn't report its sandbox, and goes on once it does",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { decorate } = sandboxOf(world);
      const broken = join(world.scene.dir, "broken");
      writeFileSync(broken, "");
      world.scene.env["FIXTURE_WITHOUT_SANDBOX"] = broken;
      const service = await world.start(decorate);
      const number = world.startIssue("{{stub:hang 2000}} {{stub:bash touch ran}}");
      const held = await service.event("lane.held");
      expect(held).toMatchObject({
        reason: "sandbox",
        fields: { detail: expect.stringContaining("without its sandbox") },
      });
      const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
      expect(existsSync(join(workdir, "ran"))).toBe(false);
      await until(
        () =>
          Promise.resolve(
            commentsOf(world, number).some((body) =>
              body.includes("run `loop doctor`, fix what it says about the sandbox"),
            ),
          ),
        "the thread to be told",
      );
      rmSync(broken);
      world.host.comment(number, "loop resume", "ada");
      await service.event("turn.done");
    },
  );

  test(
    "waits, with a hint, where it is required and can't be had; resume asks again",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { decorate, decide, orders } = sandboxOf(world);
      decide({ kind: "hold", why: "socat isn't installed", hint: "install socat" });
      const service = await world.start(decorate);
      const number = world.startIssue("{{stub:bash touch ran}}");
      expect(await service.event("lane.held")).toMatchObject({
        reason: "sandbox",
        fields: { detail: "socat isn't installed" },
      });
      await until(
        () => Promise.resolve(commentsOf(world, number).length > 0),
        "the thread to be told",
      );
      expect(commentsOf(world, number)[0]).toContain(
        "This work item waits, because its agent can't run in a sandbox: socat isn't installed. What helps: install socat, then resume.",
      );
      expect(await world.scene.loop("why", world.ref(number))).toMatchObject({
        out: expect.stringContaining("its agent cannot run in a sandbox (socat isn't installed)"),
      });
      world.host.comment(number, "loop resume", "ada");
      await until(
        async () => (await service.events("lane.held")).length > 1,
        "the machine to be asked again",
      );
      decide({ kind: "on" });
      world.host.comment(number, "loop resume", "ada");
      await service.event("turn.done");
      expect(orders).toHaveLength(1);
    },
  );

  test(
    "that there is none is said in the item's first comment, and in no other",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { decorate, decide } = sandboxOf(world);
      decide({ kind: "off", why: "bwrap isn't installed", hint: "install bubblewrap" });
      const service = await world.start(decorate);
      const number = world.startIssue(
        "{{stub:bash loop comment first}} {{stub:bash loop comment second}}",
      );
      await service.event("turn.done");
      const notes = commentsOf(world, number).map((body) => [
        body.split("\n")[0],
        body.includes("runs without a sandbox: bwrap isn't installed"),
      ]);
      expect(notes).toEqual([
        ["first", true],
        ["second", false],
      ]);
      expect(await service.events("sandbox.off")).toMatchObject([
        { fields: { why: "bwrap isn't installed" } },
      ]);
    },
  );
});

describe("a work item that ran in the sandbox", () => {
  test(
    "is held once there is none, and runs without it when the operator says so, which its thread is told",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { decorate, decide, orders } = sandboxOf(world);
      decide({});
      const service = await world.start(decorate);
      const done = (count: number): Promise<unknown> =>
        until(
          async () => (await service.events("turn.done")).length >= count,
          `${count} turns to be done`,
        );
      const number = world.startIssue("{{stub:bash loop comment first}}");
      await service.event("turn.done");
      expect(orders).toHaveLength(1);
      decide({ missing: ["bwrap"] });
      world.host.comment(number, "{{stub:bash touch ran}}", "ada");
      expect(await service.event("lane.held")).toMatchObject({
        reason: "sandbox",
        fields: {
          detail: "bwrap isn't installed, and this work item ran in the sandbox before",
        },
      });
      await until(
        () => Promise.resolve(commentsOf(world, number).length > 1),
        "the thread to be told",
      );
      expect(commentsOf(world, number)[1]).toContain(
        "What helps: install bubblewrap, or set harnesses.A.sandbox: off, then resume.",
      );
      expect(await service.events("sandbox.off")).toEqual([]);
      world.scene.configure(
        world.scene.text().replace("harnesses: { A: {", "harnesses: { A: { sandbox: off,"),
      );
      world.host.comment(number, "loop resume", "ada");
      await done(2);
      world.host.comment(number, "{{stub:bash loop comment second}}", "ada");
      await done(3);
      expect(commentsOf(world, number).at(-1)).toContain(
        "runs without a sandbox: harnesses.A.sandbox is off",
      );
    },
  );
});

describe("commands inside of the sandbox", () => {
  const inside = "env SANDBOX_RUNTIME=1 HOME=/nonexistent loop";

  test(
    "`loop check` asks the service, which knows what is missing; what needs the records fails with a code",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      world.scene.configure(
        world.scene.text().replace("harnesses: { A: {", "harnesses: { A: { permissions: bypass,"),
      );
      world.scene.env["IS_SANDBOX"] = "1"; // By this the fixture takes bypass from root, as the real program does.
      const service = await world.start((parts) => ({
        ...parts,
        gate: {
          check: () => Promise.resolve({ kind: "incomplete", missing: ["design.md is missing"] }),
        },
      }));
      world.startIssue(
        `{{stub:bash ${inside} check > check.txt; echo exit $? >> check.txt}} {{stub:bash ${inside} why host:practice/garden#1 2> why.txt; echo exit $? >> why.txt}} {{stub:bash ${inside} status 2> status.txt; echo exit $? >> status.txt}}`,
      );
      const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
      const seen = (file: string): string =>
        existsSync(join(workdir, file)) ? readFileSync(join(workdir, file), "utf8") : "";
      await until(
        () => Promise.resolve(seen("status.txt").includes("exit")),
        "the commands to end",
      );
      expect(seen("check.txt")).toMatch(/not complete\n +design\.md is missing\nexit 1\n$/);
      for (const file of ["why.txt", "status.txt"])
        expect(seen(file)).toMatch(/LOOP_E_SANDBOXED[^]*exit 2\n$/);
    },
  );
});
