import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { awayAfterMs, type EventKind, type StoredEvent } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import type { Scene } from "../support/scene.ts";
import { twoMachines } from "../support/two-machines.ts";
import { until } from "../support/until.ts";
import { createWorld, type Service } from "../support/world.ts";

const patienceMs = 120_000;

function told(
  service: Service,
  kind: EventKind,
  fits: (event: StoredEvent) => boolean = () => true,
): Promise<StoredEvent> {
  return until(
    async () => (await service.events(kind)).findLast(fits) ?? null,
    `the event ${kind}`,
    () => service.said.join("\n"),
    patienceMs,
  );
}

const storeOf = (scene: Scene): string => /url: "(sqlite:[^"]+)"/.exec(scene.text())?.[1] ?? "";

test(
  "an instance that was stopped is listed as that, and another one goes on with its work from the pushed branch, in a session of its own",
  { timeout: 300_000 },
  async () => {
    const { north, south, startSouth } = await twoMachines();
    const first = await north.start();
    const number = north.startIssue("{{stub:text ok}}");
    await told(first, "turn.done");
    expect((await south.loop("instances", "list")).out).toMatch(/north +running +any start .* 1\n/);
    const lives = await south.loop("instances", "adopt", "north");
    expect([lives.code, lives.err]).toEqual([2, expect.stringContaining("LOOP_E_INSTANCE_RUNS")]);
    await north.host.commit({
      branch: `issue-${number}`,
      message: "Water",
      files: { "watered.txt": "yes\n" },
      by: "loop-agent",
    });
    await first.stop();

    const second = await startSouth();
    north.host.comment(number, "And the roses {{stub:text ok}}", "ada");
    await north.host.idle();
    await until(
      async () => (await second.parts.store.stats()).undecided === 0,
      "the decisions",
      () => second.said.join("\n"),
      patienceMs,
    );
    expect((await south.loop("instances", "list")).out).toMatch(
      /north +stopped .* 1\n[^]*→ If north won't come back, run `loop instances adopt north`/,
    );
    const adopted = await south.loop("instances", "adopt", "north", "--json");
    expect([adopted.code, adopted.json()]).toEqual([
      0,
      {
        from: "north",
        adopted: [{ workItem: north.ref(number), uncertain: [], posts: [], decidedAnew: 1 }],
      },
    ]);
    await told(second, "turn.done", ({ instance }) => instance === "south");

    const sessions = [...new Set(north.prompts().map(({ session }) => session))];
    expect([north.prompts().length, sessions.length]).toEqual([2, 2]);
    const heard = north.prompts().filter(({ text }) => text.includes("And the roses"));
    expect(
      heard.map(({ text }) =>
        text.includes("The earlier conversation about this work item is lost"),
      ),
    ).toEqual([true]);
    const { workdir } = (await second.parts.store.items.load(north.ref(number))).sessions[0] ?? {};
    expect([
      workdir?.startsWith(south.dir),
      existsSync(join(workdir ?? "", "watered.txt")),
    ]).toEqual([true, true]);
    expect(
      (await second.events("work-item.adopted")).map(({ workItem, fields }) => [
        workItem,
        fields["from"],
      ]),
    ).toEqual([[north.ref(number), "north"]]);
    expect((await south.loop("instances", "adopt", "north")).out).toContain(
      "Instance north has no work items",
    );
  },
);

test(
  "S09: what was under way on an instance that is away is asked of a person, and said to nobody twice",
  { timeout: 300_000 },
  async () => {
    const { north, south, startSouth } = await twoMachines();
    // The first instance stays in the midst of its turn and says nothing more, as one whose process
    // was stopped.
    const first = await north.start((parts) => ({
      ...parts,
      store: {
        ...parts.store,
        instances: { ...parts.store.instances, beat: () => Promise.resolve(true) },
      },
    }));
    const number = north.startIssue("{{stub:hang 3000}}");
    await until(
      () => north.prompts().length === 1,
      "the prompt",
      () => first.said.join("\n"),
      patienceMs,
    );
    const second = await startSouth();
    seenLongAgo(storeOf(south));
    expect((await south.loop("instances", "list")).out).toMatch(/north +not responding, last seen/);
    const adopted = await south.loop("instances", "adopt", "north");
    expect(adopted.out).toMatch(/turn \d+ was running there/);
    expect((await south.loop("status")).out).toContain("loop turns retry");
    // Its turn ends there; what it writes comes too late.
    await until(
      async () => (await first.parts.store.stats()).lateWrites > 0,
      "a late write",
      () => first.said.join("\n"),
      patienceMs,
    );
    expect(north.prompts()).toHaveLength(1);
    expect((await second.turns()).map(({ state }) => state)).toEqual(["uncertain"]);
    const [turn] = await second.turns();
    await south.loop("turns", "retry", String(turn?.id));
    await until(
      async () => (await second.turns()).every(({ state }) => state === "done"),
      "the turn",
      () => second.said.join("\n"),
      patienceMs,
    );
    expect([
      north.prompts().length,
      north.prompts().filter(({ text }) => text.includes("You were interrupted")).length,
    ]).toEqual([2, 1]);
    expect(
      (await second.parts.store.items.load(north.ref(number))).workItem?.control.instance,
    ).toBe("south");
  },
);

test(
  "S09: a comment that was being posted on an instance that is away is posted by nobody again, and who adopts is told to look",
  { timeout: 300_000 },
  async () => {
    const { north, south } = await twoMachines();
    let asked = false;
    let fail: (error: Error) => void = () => {};
    const lost = new Promise<never>((_resolve, reject) => (fail = reject));
    const first = await north.start((parts) => ({
      ...parts,
      host: { ...parts.host, comment: () => ((asked = true), lost) },
      store: {
        ...parts.store,
        instances: { ...parts.store.instances, beat: () => Promise.resolve(true) },
      },
    }));
    const number = north.startIssue("{{stub:text ok}}");
    await told(first, "turn.done");
    north.host.comment(number, "loop resume", "ada");
    await until(
      () => asked,
      "the post",
      () => first.said.join("\n"),
      patienceMs,
    );
    seenLongAgo(storeOf(south));
    const adopted = await south.loop("instances", "adopt", "north");
    expect(adopted.out).toMatch(
      new RegExp(
        `! ${north.ref(number)}  this comment may not have been posted: "[^"]+"\\n +→ Check the thread`,
      ),
    );
    expect(
      (await first.events("host.failed")).map(({ instance, workItem, reason }) => [
        instance,
        workItem,
        reason,
      ]),
    ).toEqual([["south", north.ref(number), "adopted"]]);
    fail(new Error("its process ended"));
  },
);

test(
  "an instance that is drained takes nothing new, says so, and goes on with what it has, until that is undone",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({ more: "instance: { name: north }" });
    const service = await world.start();
    const old = world.startIssue("{{stub:text ok}}");
    await told(service, "turn.done");
    expect((await world.scene.loop("instances", "drain")).out).toContain(
      "north no longer takes new work items. It finishes the 1 work item it has.",
    );
    const fresh = world.startIssue("{{stub:text ok}}");
    await told(
      service,
      "delivery.decided",
      ({ reason, workItem }) => reason === "instance-drained" && workItem === world.ref(fresh),
    );
    world.host.comment(old, "more {{stub:text ok}}", "ada");
    await until(
      async () => (await service.events("turn.done")).length === 2,
      "the second turn",
      () => service.said.join("\n"),
      patienceMs,
    );
    expect((await world.scene.loop("instances", "list")).out).toContain("nothing new (drained)");
    expect((await world.scene.loop("status")).out).toContain(world.ref(fresh));
    await world.scene.loop("instances", "drain", "north", "--undo");
    world.host.comment(fresh, "loop start", "ada");
    await until(
      async () => (await service.events("turn.done")).length === 3,
      "the third turn",
      () => service.said.join("\n"),
      patienceMs,
    );
  },
);

test("names that nobody knows, and this instance's own, are refused with what to do", async () => {
  const world = await createWorld({ more: "instance: { name: north }" });
  for (const words of [
    ["adopt", "nobody"],
    ["drain", "nobody"],
  ]) {
    const ran = await world.scene.loop("instances", ...words);
    expect([ran.code, ran.err]).toEqual([
      2,
      expect.stringMatching(/LOOP_E_INSTANCE_UNKNOWN[^]*loop instances list/),
    ]);
  }
  expect((await world.scene.loop("instances", "adopt", "north")).err).toContain(
    "north is this instance",
  );
});

/**
 * As if the last word of every instance but the living one had come before the time after which one
 * counts as away.
 */
function seenLongAgo(url: string): void {
  const db = new DatabaseSync(url.slice("sqlite:".length));
  db.prepare("update instance set seen_at = seen_at - ? where name = 'north'").run(awayAfterMs * 2);
  db.close();
}
