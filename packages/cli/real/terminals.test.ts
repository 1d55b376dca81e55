import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import type { Session, Terminals } from "@loopwork/core/ports";
import { terminalName } from "@loopwork/harness-a";
import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "../src/processes/process-identity.ts";
import { placeOf } from "../src/terminal/place.ts";
import { createTmux } from "../src/terminal/tmux.ts";
import { until } from "../test/support/until.ts";
import {
  createWorld,
  harnessEnvironment,
  type Service,
  type World,
} from "../test/support/world.ts";
import { sitDown } from "./person.ts";

type Terminal = {
  readonly world: World;
  readonly terminals: Terminals;
  tmux(...args: readonly string[]): string;
  session(number: number, service: Service): Promise<Session>;
};

/** The whole service with `routing.runner: tmux`; the terminals end with the test. */
async function createTerminalWorld(routing = ""): Promise<Terminal> {
  const world = await createWorld({ routing: `  runner: tmux\n${routing}` });
  const place = placeOf(world.stateRoot);
  const tmux = (...args: readonly string[]): string =>
    spawnSync("tmux", ["-S", place.socket, ...args], { encoding: "utf8" }).stdout;
  onTestFinished(() => void tmux("kill-server"));
  return {
    world,
    tmux,
    terminals: createTmux(place, process.env["PATH"]),
    async session(number, { parts }) {
      const [session] = (await parts.store.items.load(world.ref(number))).sessions;
      if (session === undefined) throw new Error("there is no session");
      return session;
    },
  };
}

const dump = (service: Service) => async (): Promise<string> =>
  [...service.said, ...(await service.events()).map((event) => JSON.stringify(event))].join("\n");
/** Messages of ours in any transcript. */
function said(world: World): readonly string[] {
  const projects = join(world.scene.home, ".claude", "projects");
  if (!existsSync(projects)) return [];
  const files = readdirSync(projects).flatMap((folder) =>
    readdirSync(join(projects, folder)).map((name) => join(projects, folder, name)),
  );
  return files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.includes('"type":"user"') && line.includes('"content":"Loop turn')),
  );
}

const done = (count: number, service: Service): Promise<unknown> =>
  until(
    async () => (await service.events("turn.done")).length === count,
    `${count} turns done`,
    dump(service),
    60_000,
  );

test("an issue is worked on in a terminal, a comment goes to the same one, and cleanup ends it and nothing else", async () => {
  const { world, terminals, tmux, session } = await createTerminalWorld();
  const service = await world.start();
  const number = world.startIssue("{{stub:bash echo here > note.txt}}");
  await done(1, service);
  const opened = await session(number, service);
  const name = terminalName(opened.harnessSessionId);
  const first = await terminals.find(name);
  expect([opened.runner, first?.ours, first?.alive]).toEqual(["tmux", true, true]);
  expect(existsSync(join(opened.workdir ?? "", "note.txt"))).toBe(true);

  world.host.comment(number, "And the roses, please.", "ada");
  await done(2, service);
  expect((await terminals.find(name))?.pid).toBe(first?.pid);

  tmux("new-session", "-d", "-s", "of-somebody-else", "sleep", "600");
  world.host.comment(number, "loop cleanup", "ada");
  await service.event("checkout.released");
  expect(await terminals.find(name)).toBe(null);
  expect(tmux("list-sessions", "-F", "#{session_name}").trim()).toBe("of-somebody-else");
  expect(existsSync(opened.workdir ?? "")).toBe(false);
});

test("X05: a daemon that is gone in the middle of a turn leaves it at work, and the next one waits for its end", async () => {
  const { world } = await createTerminalWorld();
  const before = await world.start();
  world.startIssue("{{stub:hang 8000}}");
  await until(
    async () =>
      (await before.turns()).some(({ attempt }) => attempt?.child && isAlive(attempt.child)),
    "the turn runs",
    dump(before),
  );
  await until(() => said(world).length === 1, "the message is on record", dump(before), 60_000);
  await before.stop();
  const after = await world.start();
  await done(1, after);
  expect((await after.turns()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ["done", 1],
  ]);
  expect(said(world)).toHaveLength(1);
});

test("X05: with daemon and driver killed, the harness works on; the message is waited for and not said again", async () => {
  const { world, terminals, session } = await createTerminalWorld();
  const before = await world.start();
  const number = world.startIssue("{{stub:hang 8000}}");
  const opened = await until(
    async () =>
      (await before.events("session.opened")).length > 0 && (await session(number, before)),
    "the session",
    dump(before),
  );
  const name = terminalName(opened.harnessSessionId);
  await until(() => said(world).length === 1, "the message is on record", dump(before), 60_000);
  const [running] = await before.turns();
  await before.stop();
  if (running?.attempt?.child) process.kill(-running.attempt.child.pid, "SIGKILL");
  const after = await world.start();
  await done(1, after);
  expect(said(world)).toHaveLength(1);
  expect((await terminals.find(name))?.alive).toBe(true);
});

test("X05: what a terminal was told is not said again when turns no longer run in terminals: the session is told to look", async () => {
  const { world, terminals, session } = await createTerminalWorld();
  const before = await world.start();
  const number = world.startIssue("{{stub:hang 600000}}");
  await until(() => said(world).length === 1, "the message is on record", dump(before), 60_000);
  const opened = await session(number, before);
  const [running] = await before.turns();
  expect(running?.attempt?.runner).toBe("tmux");
  await before.stop();
  if (running?.attempt?.child) process.kill(-running.attempt.child.pid, "SIGKILL");
  world.scene.configure(world.scene.text().replace("runner: tmux", "runner: headless"));
  const after = await world.start();
  const [told] = await until(
    () => (world.prompts().length > 0 ? world.prompts() : null),
    "the turn goes on without a terminal",
    dump(after),
  );
  expect([told?.session, told?.text]).toEqual([
    opened.harnessSessionId,
    expect.stringContaining("You were interrupted"),
  ]);
  expect(await terminals.find(terminalName(opened.harnessSessionId))).toBe(null);
  expect([said(world).length, (await after.turns())[0]?.attempt?.runner]).toEqual([1, "headless"]);
});

test("a person sits down at a session: its lane waits, they type, and it goes on when they leave", async () => {
  const { world, terminals, session } = await createTerminalWorld();
  const service = await world.start();
  const number = world.startIssue("hello");
  await done(1, service);
  const name = terminalName((await session(number, service)).harnessSessionId);
  const person = sitDown(world);
  person.loop("sessions", "attach", world.ref(number));
  await person.sees("accept edits on");
  person.keys("-l", "a question of mine");
  person.keys("Enter");
  await person.sees("❯ a question of mine");

  world.host.comment(number, "And the roses, please.", "ada");
  const lane = async () =>
    (await service.parts.store.items.load(world.ref(number))).lanes[0]?.hold?.reason ?? null;
  await until(
    async () => (await service.turns()).length === 2 || null,
    "the comment waits",
    dump(service),
  );
  expect(await lane()).toBe("attached");
  expect((await world.scene.loop("status")).out).toContain("attached");
  expect((await service.events("turn.done")).length).toBe(1);

  person.keys("C-b", "d");
  expect(await person.left()).toContain("Queued messages continue");
  await done(2, service);
  expect(await lane()).toBe(null);
  expect((await terminals.screen(name)).join("\n")).toContain("And the roses");
});

test("attaching opens a terminal that is not open, in the same conversation, and the next turn goes there", async () => {
  const { world, terminals, session } = await createTerminalWorld();
  const service = await world.start();
  const number = world.startIssue("hello");
  await done(1, service);
  const { harnessSessionId } = await session(number, service);
  const name = terminalName(harnessSessionId);
  await terminals.end(name);
  const person = sitDown(world);
  person.loop("sessions", "attach", world.ref(number));
  await person.sees("accept edits on");
  const opened = await terminals.find(name);
  person.keys("C-b", "d");
  await person.left();
  world.host.comment(number, "And the roses, please.", "ada");
  await done(2, service);
  expect((await terminals.find(name))?.pid).toBe(opened?.pid);
  expect(new Set(said(world).map((line): unknown => Object(JSON.parse(line)).sessionId))).toEqual(
    new Set([harnessSessionId]),
  );
});

test("a person opens the terminal before the first turn, which then goes there; cleanup ends it", async () => {
  const { world, terminals, session } = await createTerminalWorld(
    "  harnessTrust: { enabled: false }",
  );
  const service = await world.start();
  const number = world.startIssue("hello");
  await service.event("lane.held", ({ reason }) => reason === "workspace");
  const { harnessSessionId, begun } = await session(number, service);
  const name = terminalName(harnessSessionId);
  expect([begun, said(world)]).toEqual([false, []]);
  const person = sitDown(world);
  person.loop("sessions", "attach", world.ref(number));
  await person.sees("Yes, I trust this folder");
  person.keys("Down", "Enter");
  await person.sees("accept edits on");
  const opened = await terminals.find(name);
  person.keys("C-b", "d");
  await person.left();
  expect((await service.parts.store.items.load(world.ref(number))).lanes[0]?.hold?.reason).toBe(
    "workspace",
  );
  await world.scene.loop("sessions", "resume", "--work-item", world.ref(number));
  await done(1, service);
  expect([(await terminals.find(name))?.pid, said(world).length]).toEqual([opened?.pid, 1]);
  world.host.comment(number, "loop cleanup", "ada");
  await service.event("checkout.released");
  expect(await terminals.find(name)).toBe(null);
});

test("a folder of the terminals that was opened to others holds the lane and says so; nothing is typed", async () => {
  const { world, terminals, session } = await createTerminalWorld();
  const service = await world.start();
  const number = world.startIssue("hello");
  await done(1, service);
  const name = terminalName((await session(number, service)).harnessSessionId);
  const { folder } = placeOf(world.stateRoot);
  chmodSync(folder, 0o755);
  world.host.comment(number, "And the roses, please.", "ada");
  const held = await service.event("lane.held");
  expect([held.reason, String(held.fields["detail"])]).toEqual([
    "session-busy",
    expect.stringContaining("open to others; remove it, or make it yours alone: chmod 700"),
  ]);
  expect(said(world)).toHaveLength(1);
  chmodSync(folder, 0o700);
  expect((await terminals.screen(name)).join("\n")).not.toContain("And the roses");
  await world.scene.loop("sessions", "resume", "--work-item", world.ref(number));
  await done(2, service);
});

test("a turn is not begun while a person waits for the one before to end, and the person gets in", async () => {
  const { world } = await createTerminalWorld();
  const service = await world.start();
  const release = join(world.scene.dir, "release");
  const number = world.startIssue(`{{fixture:wait ${release}}}`);
  await until(() => said(world).length === 1, "the message is on record", dump(service), 60_000);
  world.host.comment(number, "And the roses, please.", "ada");
  const person = sitDown(world);
  person.loop("sessions", "attach", world.ref(number));
  await person.sees("Attaching when it is done");
  await until(
    async () => (await service.turns()).length === 2 || null,
    "the comment waits",
    dump(service),
  );
  writeFileSync(release, "");
  await done(1, service);
  await person.sees("accept edits on");
  expect(said(world)).toHaveLength(1);
  person.keys("C-b", "d");
  await person.left();
  await done(2, service);
});

test("who only watches keeps nothing waiting, and cannot type", async () => {
  const { world, session, terminals } = await createTerminalWorld();
  const service = await world.start();
  const number = world.startIssue("hello");
  await done(1, service);
  const person = sitDown(world);
  person.loop("sessions", "attach", world.ref(number), "--read-only");
  await person.sees("accept edits on");
  person.keys("-l", "not mine to say");
  world.host.comment(number, "And the roses, please.", "ada");
  await done(2, service);
  expect(
    (await terminals.screen(terminalName((await session(number, service)).harnessSessionId))).join(
      "\n",
    ),
  ).not.toContain("not mine to say");
});

test("a person's own terminal on the same conversation is noticed: the lane waits until they are gone, and nobody else attaches", async () => {
  const { world, terminals, session } = await createTerminalWorld();
  const service = await world.start();
  const number = world.startIssue("hello");
  await done(1, service);
  const { harnessSessionId, workdir } = await session(number, service);
  await terminals.end(terminalName(harnessSessionId));
  const person = sitDown(world);
  person.run(
    "sh",
    "-c",
    `cd '${workdir}' && exec '${join(world.scene.dir, "bin", "claude")}' --resume ${harnessSessionId}`,
  );
  await person.sees("accept edits on");
  world.host.comment(number, "And the roses, please.", "ada");
  await service.event("lane.held", ({ reason }) => reason === "session-busy");
  expect((await service.events("turn.done")).length).toBe(1);
  world.scene.terminal(() => "");
  const attached = await world.scene.loop("sessions", "attach", world.ref(number));
  expect([attached.code, attached.err]).toEqual([
    2,
    expect.stringContaining("LOOP_E_SESSION_BUSY"),
  ]);
  expect(await terminals.find(terminalName(harnessSessionId))).toBe(null);
  person.keys("-l", "/exit");
  person.keys("Enter");
  await person.left();
  await world.scene.loop("sessions", "resume", "--work-item", world.ref(number));
  await done(2, service);
});

test("text that somebody left in the input line holds the lane, and status says what is in the way", async () => {
  const { world, terminals, session } = await createTerminalWorld();
  const service = await world.start();
  const number = world.startIssue("hello");
  await done(1, service);
  await terminals.paste(
    terminalName((await session(number, service)).harnessSessionId),
    "half a thought",
  );
  world.host.comment(number, "And the roses, please.", "ada");
  await service.event("lane.held", ({ reason }) => reason === "session-busy");
  expect((await world.scene.loop("status")).out).toContain(
    "somebody's text stands in its input line",
  );
});

test("X04: a tmux that is not installed holds the lane and says what to do", async () => {
  const { world } = await createTerminalWorld();
  const bin = join(world.scene.dir, "without-tmux");
  mkdirSync(bin);
  for (const name of ["sh", "git", "env"])
    symlinkSync(spawnSync("which", [name], { encoding: "utf8" }).stdout.trim(), join(bin, name));
  Object.assign(world.scene.env, { PATH: bin });
  const service = await world.start();
  const number = world.startIssue("hello");
  const held = await service.event("lane.held");
  expect([held.reason, String(held.fields["detail"])]).toEqual([
    "not-installed",
    expect.stringContaining("tmux was not found"),
  ]);
  expect((await service.parts.store.items.load(world.ref(number))).lanes[0]?.hold?.reason).toBe(
    "not-installed",
  );
});

test("X01: a harness that ignores TERM and works past its deadline is killed, and the lane goes on in the same conversation", async () => {
  const { world, terminals, session } = await createTerminalWorld("  turnTimeoutSeconds: 12");
  const service = await world.start();
  const number = world.startIssue("{{fixture:ignore-term}} {{stub:hang 600000}}");
  const failed = await until(
    async () => (await service.events("turn.failed"))[0] ?? null,
    "the turn fails",
    dump(service),
    60_000,
  );
  expect(failed.reason).toContain("12 seconds");
  const { harnessSessionId } = await session(number, service);
  expect((await terminals.find(terminalName(harnessSessionId)))?.alive).toBe(false);
  world.host.comment(number, "And the roses, please.", "ada");
  await done(1, service);
  expect((await session(number, service)).harnessSessionId).toBe(harnessSessionId);
});

test("X02: a harness that floods its terminal keeps nobody's memory or disk", async () => {
  const { world } = await createTerminalWorld();
  const service = await world.start();
  world.startIssue("{{fixture:flood 40}} {{fixture:flood 10 no-newline}}");
  await done(1, service);
  const turnDir = join(world.stateRoot, "turns", "1");
  const bytes = readdirSync(turnDir, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + statSync(join(turnDir, name)).size,
    0,
  );
  expect(bytes).toBeLessThan(100_000);
});

test("X03: a harness that ends with exit code 0 in the middle of a turn has not done it", async () => {
  const { world } = await createTerminalWorld();
  const service = await world.start();
  world.startIssue("{{fixture:exit 0}}");
  const retried = await until(
    async () => (await service.events("turn.retried"))[0] ?? null,
    "the turn is tried again",
    dump(service),
    60_000,
  );
  expect(retried.fields["next"]).toBe("continue");
  expect(await service.events("turn.done")).toEqual([]);
});

test("a key that the harness loses, as it does while it starts, is pressed once more", async () => {
  const { world } = await createTerminalWorld();
  harnessEnvironment(world, "export FIXTURE_LOSE_ENTER=1");
  const service = await world.start();
  world.startIssue("hello");
  await done(1, service);
  expect(said(world)).toHaveLength(1);
});

test("closing a session by hand ends its terminal", async () => {
  const { world, terminals, session } = await createTerminalWorld();
  const service = await world.start();
  const number = world.startIssue("hello");
  await done(1, service);
  const name = terminalName((await session(number, service)).harnessSessionId);
  expect((await world.scene.loop("sessions", "close", world.ref(number))).code).toBe(0);
  expect(await terminals.find(name)).toBe(null);
});
