import { evolve } from "@loopwork/core";
import { parseRef, type Ref } from "@loopwork/core/ports";
import { openStore } from "@loopwork/store";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createScene, type Scene } from "../support/scene.ts";

const text = "host:acme/widgets#7";
const uuid = "11111111-1111-4111-8111-111111111111";

/** A scene with a session on record, and a person at the terminal. */
async function withSession(harness: "A" | "B", config = ""): Promise<Scene> {
  const scene = createScene(`state: { root: state }\n${config}`);
  const endpoint = parseRef(text) as Ref;
  const store = await openStore(`sqlite:${join(scene.dir, "state", "loop.db")}`, {
    instance: "default",
    now: Date.now,
  });
  await store.items.update("host:acme/widgets#7" as never, (item) => ({
    after: evolve(item, {
      kind: "session-opened",
      endpoint,
      harness,
      harnessSessionId: uuid,
      workdir: scene.cwd,
      runner: "headless",
      at: 1,
    }),
    lines: [],
  }));
  await store.close();
  scene.terminal(() => "");
  return scene;
}

describe("sessions attach", () => {
  test.each([
    ["A", "", "routing.runner is headless", `cd $CWD && claude --resume ${uuid}`],
    [
      "B",
      "routing: { runner: tmux }\n",
      "Cursor doesn't run in one",
      `cd $CWD && cursor-agent --resume ${uuid}`,
    ],
  ] as const)(
    "of harness %s without a terminal is refused, with what resumes the conversation by hand",
    async (harness, config, why, byHand) => {
      const scene = await withSession(harness, config);
      const ran = await scene.loop("sessions", "attach", text);
      expect(ran.code).toBe(2);
      expect(ran.err).toContain("LOOP_E_NOT_ATTACHABLE");
      expect(ran.err).toContain(why);
      expect(ran.err).toContain(byHand.replace("$CWD", scene.cwd));
    },
  );

  test("needs a terminal of its own", async () => {
    const ran = await createScene("state: { root: state }\n").loop("sessions", "attach", text);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("LOOP_E_NO_TERMINAL")]);
  });

  test("says that there is no session", async () => {
    const scene = createScene("state: { root: state }\nrouting: { runner: tmux }\n");
    scene.terminal(() => "");
    const ran = await scene.loop("sessions", "attach", text);
    expect([ran.code, ran.out]).toEqual([1, `No session for ${text}\n`]);
  });

  test("`loop doctor` looks for tmux where it is needed, and nowhere else", async () => {
    for (const [config, seen] of [
      ["routing: { runner: tmux }\n", true],
      ["", false],
    ] as const) {
      const scene = createScene(`state: { root: state }\n${config}`);
      Object.assign(scene.env, { PATH: "/nonexistent" });
      expect((await scene.loop("doctor")).out.includes("Install tmux")).toBe(seen);
    }
  });

  test("a person's own terminal on the same conversation keeps everybody else out: two would write one conversation", async () => {
    const scene = await withSession("A", "routing: { runner: tmux }\n");
    Object.assign(scene.env, { PATH: "/nonexistent" }); // Whoever opened a terminal would need tmux.
    const register = join(scene.home, ".claude", "sessions");
    mkdirSync(register, { recursive: true });
    writeFileSync(
      join(register, `${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: uuid, status: "idle" }),
    );
    const ran = await scene.loop("sessions", "attach", text);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("LOOP_E_SESSION_BUSY")]);
    expect((await scene.loop("status")).out).not.toContain("attached");
  });

  test("watching opens nothing", async () => {
    const scene = await withSession("A", "routing: { runner: tmux }\n");
    const ran = await scene.loop("sessions", "attach", text, "--read-only");
    expect([ran.code, ran.out]).toEqual([1, expect.stringContaining("isn't open")]);
  });
});
