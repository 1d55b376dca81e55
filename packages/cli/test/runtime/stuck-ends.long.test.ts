import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

/**
 * A workspace that keeps checkouts for as long as it is told to, under a clock that can be put
 * forward past every backoff.
 */
function keeping(): {
  readonly decorate: (parts: RuntimeParts) => RuntimeParts;
  readonly pass: (service: Service, ms: number) => void;
  readonly mend: () => void;
  readonly tries: () => number;
} {
  let [ahead, broken, tries] = [0, true, 0];
  return {
    mend: () => void (broken = false),
    tries: () => tries,
    pass(service, ms) {
      ahead += ms;
      service.dispatcher.poke();
    },
    decorate(parts) {
      const release: RuntimeParts["workspace"]["release"] = async (...args) => {
        tries += 1;
        return broken
          ? { kind: "kept", why: "a file in it is locked" }
          : parts.workspace.release(...args);
      };
      return {
        ...parts,
        clock: { now: () => parts.clock.now() + ahead },
        workspace: { ...parts.workspace, release },
      };
    },
  };
}

const settled = async (service: Service): Promise<boolean> =>
  (await service.parts.store.outbox.pending({ limit: 9 })).every(
    ({ effect }) => effect.kind !== "release",
  );

/**
 * An item that was worked on and cleaned up, whose release has failed so often that somebody should
 * look.
 */
async function stuckRelease(world: World): Promise<{
  readonly service: Service;
  readonly keep: ReturnType<typeof keeping>;
  readonly number: number;
  readonly workdir: string;
}> {
  const keep = keeping();
  const service = await world.start(keep.decorate);
  const number = world.startIssue();
  await service.event("turn.done");
  const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
  world.host.comment(number, "loop cleanup", "ada");
  for (let n = 1; n <= 3; n++) {
    await until(
      async () =>
        keep.tries() === n &&
        (await service.parts.store.outbox.pending({ limit: 9 })).some(
          ({ effect, attempts }) => effect.kind === "release" && attempts === n,
        ),
      `try ${n}`,
    );
    if (n < 3) keep.pass(service, 60_000);
  }
  return { service, keep, number, workdir };
}

describe("a release that fails again and again", () => {
  test(
    "is told once, and status and why say what it is and what helps",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { service, keep, number } = await stuckRelease(world);
      const [stuck] = await service.events("effect.stuck");
      expect(stuck).toMatchObject({
        level: "error",
        workItem: world.ref(number),
        reason: "release",
        fields: { detail: "a file in it is locked" },
      });
      const id = String(stuck?.fields["effect"]);
      const status = await world.scene.loop("status");
      expect(status.out).toContain(
        `! ${world.ref(number)}  releasing: a file in it is locked; tried 3 times, again in `,
      );
      expect(status.out).toContain(
        `→ put that right, then \`loop effects retry ${id}\` tries at once; \`loop effects drop ${id}\` leaves the checkout where it is`,
      );
      const why = await world.scene.loop("why", world.ref(number));
      expect(why.out).toContain(
        `${world.ref(number)} is on hold: its checkout could not be released (a file in it is locked; tried 3 times`,
      );
      expect(why.out).toContain(
        `→ put that right, then \`loop effects retry ${id}\` tries at once`,
      );
      expect(why.out).not.toContain("It continues automatically");
      keep.pass(service, 120_000);
      await until(() => keep.tries() === 4, "the fourth try");
      expect(await service.events("effect.stuck")).toHaveLength(1);
    },
  );

  test(
    "is tried at once by `loop effects retry`, and the lane goes on",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { service, keep, number, workdir } = await stuckRelease(world);
      const id = String((await service.event("effect.stuck")).fields["effect"]);
      keep.mend();
      expect(await world.scene.loop("effects", "retry", id)).toMatchObject({
        code: 0,
        out: expect.stringContaining("Retrying side effect"),
      });
      await until(() => settled(service), "the release");
      expect(existsSync(workdir)).toBe(false);
      world.host.comment(number, "loop start", "ada");
      await until(
        async () => (await service.events("turn.done")).length === 2,
        "the turn of the next start",
      );
      expect(await world.scene.loop("effects", "retry", id)).toMatchObject({
        code: 1,
        out: expect.stringContaining(`side effect ${id} isn't pending`),
      });
      expect(await world.scene.loop("effects", "drop", "x")).toMatchObject({
        code: 2,
        err: expect.stringContaining("LOOP_E_USAGE"),
      });
    },
  );

  test(
    "is left by `loop effects drop`: the checkout stays, and a later start works in it",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { service, number, workdir } = await stuckRelease(world);
      const id = String((await service.event("effect.stuck")).fields["effect"]);
      world.host.comment(number, "loop start", "ada");
      await service.event(
        "delivery.decided",
        ({ reason, fields }) =>
          reason === "start-requested" &&
          fields["verdict"] === "started" &&
          fields["actor"] === "ada",
      );
      expect(await world.scene.loop("effects", "drop", id)).toMatchObject({
        code: 0,
        out: expect.stringContaining("Dropped side effect"),
      });
      await until(
        async () => (await service.events("turn.done")).length === 2,
        "the turn of the next start",
      );
      expect(existsSync(workdir)).toBe(true);
      expect(await service.events("effect.dropped")).toMatchObject([
        { workItem: world.ref(number), fields: { effect: Number(id) } },
      ]);
    },
  );

  test(
    "keeps no other word of the service back: a refused start is answered meanwhile",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { service, number } = await stuckRelease(world);
      world.host.unlabel(number, "loop: auto-execute", "ada");
      world.host.comment(number, "loop start", "ada");
      await service.event("delivery.decided", ({ reason }) => reason === "not-armed");
      await service.event("host.posted");
    },
  );

  test("is tried again after a restart", { timeout: 60_000 }, async () => {
    const world = await createWorld();
    const { service, workdir } = await stuckRelease(world);
    await service.stop();
    const later = keeping();
    later.mend();
    const next = await world.start(later.decorate);
    expect(existsSync(workdir)).toBe(true);
    later.pass(next, 1_000_000);
    await until(() => settled(next), "the release");
    expect(existsSync(workdir)).toBe(false);
  });
});

test(
  "an end that fails unexpectedly is not given up: after six failures the session still ends",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    let [ahead, failures] = [0, 0];
    const service = await world.start((parts) => {
      const turns: RuntimeParts["store"]["lanes"]["turns"] = async (query) => {
        if (query.states?.join() === "injecting" && query.lane !== undefined && failures < 6) {
          failures += 1;
          throw new Error("the disk is away");
        }
        return parts.store.lanes.turns(query);
      };
      return {
        ...parts,
        clock: { now: () => parts.clock.now() + ahead },
        store: { ...parts.store, lanes: { ...parts.store.lanes, turns } },
      };
    });
    const number = world.startIssue();
    await service.event("turn.done");
    world.host.comment(number, "loop stop", "ada");
    for (let n = 1; n <= 6; n++) {
      await until(
        async () =>
          (await service.parts.store.outbox.pending({ limit: 9 })).some(
            ({ effect, attempts }) => effect.kind === "end-session" && attempts === n,
          ),
        `failure ${n}`,
      );
      ahead += 1_000_000;
      service.dispatcher.poke();
    }
    await service.event("session.closed");
    await until(
      async () =>
        (await service.parts.store.items.load(world.ref(number))).lanes.every(
          ({ hold }) => hold === null,
        ),
      "the open lane",
    );
  },
);

test(
  "a child that outlives its KILL keeps no other item's effects waiting",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start((parts) => ({
      ...parts,
      timers: {
        ...parts.timers,
        after: (ms, run) => parts.timers.after(ms === 15_000 ? 20 : ms, run),
      },
      run: {
        ...parts.run,
        spawn: async (plan) => ({
          ...(await parts.run.spawn(plan)),
          stop: () => new Promise<never>(() => {}),
        }),
      },
    }));
    const number = world.startIssue("{{stub:bash sleep 600}}");
    await until(
      async () => (await service.turns()).some(({ attempt }) => attempt?.child != null),
      "the child",
    );
    world.host.comment(number, "loop stop", "ada");
    await until(
      async () =>
        (await service.parts.store.outbox.pending({ limit: 9 })).some(
          ({ note }) => note === "its turn is being ended",
        ),
      "the end under way",
    );
    const { number: other } = world.host.openIssue({ title: "No label", by: "ada" });
    world.host.comment(other, "loop start", "ada");
    await service.event("host.posted", ({ workItem }) => workItem === world.ref(other));
  },
);
