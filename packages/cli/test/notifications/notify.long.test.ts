import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Notice } from "@loopwork/core";
import type { EventLine } from "@loopwork/core/ports";
import { expect, onTestFinished, test } from "vitest";
import { keepNotifying } from "../../src/notifications/notify.ts";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const line = (
  kind: EventLine["kind"],
  reason: string | null,
  fields: EventLine["fields"] = {},
): EventLine => ({
  time: Date.now(),
  kind,
  level: "warn",
  instance: "default",
  workItem: "host:practice/garden#1",
  delivery: null,
  reason,
  fields,
});

/** Takes what is posted; answers 500 as often as `failing` says. */
async function listener(
  failing: number,
): Promise<{ readonly url: string; readonly posts: () => readonly Notice[] }> {
  const posts: Notice[] = [];
  let left = failing;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      if (left-- > 0) return void response.writeHead(500).end();
      posts.push(JSON.parse(text) as Notice);
      response.end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/hook`,
    posts: () => posts,
  };
}

async function notified(world: World, isDispatching = () => true): Promise<Service> {
  const service = await world.start();
  const stop = keepNotifying(service.parts, isDispatching);
  onTestFinished(stop);
  if (isDispatching())
    await until(() => service.parts.store.cursors.get("notify", "told"), "the first look");
  return service;
}

test(
  "each change is told once, to whom it is for: by a command without our secrets, and by a post that is tried again",
  { timeout: 60_000 },
  async () => {
    const { url, posts } = await listener(1);
    const world = await createWorld({
      more: `notify:\n  - { on: [uncertain, waiting], command: [./tell] }\n  - { on: [held, failed], url: ${JSON.stringify(url)} }`,
    });
    const [program, told] = [join(world.scene.dir, "tell"), join(world.scene.dir, "told")];
    writeFileSync(
      program,
      `#!/bin/sh\n{ cat; env | grep -c -e practice-secret -e practice-agent || true; } >> '${told}'\n`,
    );
    chmodSync(program, 0o755);
    world.scene.configure(world.scene.text().replace("./tell", program));
    const service = await notified(world);
    const { events } = service.parts.store;
    await events.append([
      line("turn.uncertain", "crash"),
      line("lane.held", "uncertain"),
      line("lane.held", "paused"),
      line("lane.held", "backoff"),
      line("lane.held", "login"),
      line("turn.failed", "deadline"),
      line("session.asked", null),
      line("turn.done", null),
      line("delivery.decided", "closed-by-unauthorized"),
    ]);
    await until(() => posts().length >= 2, "two posts");
    await until(
      () =>
        existsSync(told) &&
        readFileSync(told, "utf8")
          .split("\n")
          .filter((each) => each.startsWith("{")).length >= 3,
      "three calls",
    );
    await events.append([line("turn.failed", "again")]);
    await until(() => posts().length >= 3, "the next change");

    expect(posts().map(({ change, reason }) => `${change} ${reason}`)).toEqual([
      "held login",
      "failed deadline",
      "failed again",
    ]);
    expect(posts()[0]).toEqual({
      change: "held",
      time: expect.any(Number),
      instance: "default",
      workItem: "host:practice/garden#1",
      reason: "login",
      sentence: expect.stringContaining("not logged in"),
      event: expect.any(Number),
    });
    const lines = readFileSync(told, "utf8").trim().split("\n");
    expect(
      lines
        .filter((each) => each.startsWith("{"))
        .map((each) => (JSON.parse(each) as Notice).change),
    ).toEqual(["uncertain", "waiting", "waiting"]);
    expect(lines.filter((each) => /^\d+$/.test(each))).toEqual(["0", "0", "0"]);
  },
);

test(
  "what happened before is no change, the next life goes on where the last one was, and who does not dispatch tells nobody",
  { timeout: 60_000 },
  async () => {
    const { url, posts } = await listener(0);
    const world = await createWorld({ more: `notify: [{ url: ${JSON.stringify(url)} }]` });
    const before = await world.start();
    await before.parts.store.events.append([line("turn.failed", "long ago")]);
    await before.stop();
    const first = await notified(world);
    await first.parts.store.events.append([line("turn.failed", "first")]);
    await until(() => posts().length === 1, "the first");
    await until(
      async () =>
        (await first.parts.store.cursors.get("notify", "told")) === String(posts()[0]?.event),
      "it is written down",
    );
    await first.stop();
    const silent = await notified(world, () => false);
    await silent.parts.store.events.append([line("turn.failed", "second")]);
    await silent.stop();
    await notified(world);
    await until(
      () => posts().length === 2,
      "the second",
      () => JSON.stringify(posts()),
    );
    expect(posts().map(({ reason }) => reason)).toEqual(["first", "second"]);
  },
);
