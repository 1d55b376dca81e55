import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { turnInTerminal } from "../../src/start/hook-records.ts";
import { turnByVariables } from "../../src/steer/turn-here.ts";
import { createScene, type Scene } from "../support/scene.ts";

const call = JSON.stringify({
  session_id: "s-1",
  prompt_id: "p-1",
  tool_name: "Bash",
  tool_input: { command: "curl x" },
  tool_use_id: "t",
});

/** A scene inside of a conversation's terminal; with a turn, it works for that one. */
function inTerminal(turn: boolean): Scene & { readonly folder: string; readonly turnDir: string } {
  const scene = createScene();
  const [folder, turnDir] = [join(scene.dir, "terminals", "s-1"), join(scene.dir, "turns", "7")];
  mkdirSync(folder, { recursive: true });
  mkdirSync(turnDir, { recursive: true });
  if (turn)
    writeFileSync(
      join(folder, "turn.json"),
      JSON.stringify({ turn: "7", turnDir, receipt: "r-1" }),
    );
  Object.assign(scene.env, {
    LOOP_TERMINAL: folder,
    LOOP_SESSION: "s-1",
    LOOP_WORK_ITEM: "host:octo/demo#1",
  });
  scene.stdin(call);
  return Object.assign(scene, { folder, turnDir });
}

describe("a hook inside of a terminal", () => {
  test.each(["stop", "stop-failure", "session-end"])(
    "%s is on record, and nothing is answered",
    async (event) => {
      const scene = inTerminal(true);
      expect(await scene.loop("hook", event)).toMatchObject({ code: 0, out: "" });
      expect(JSON.parse(readFileSync(join(scene.folder, "events.jsonl"), "utf8"))).toMatchObject({
        event,
        sessionId: "s-1",
        promptId: "p-1",
      });
    },
  );

  test("stop is on record also where nobody can find out whether the work is complete", async () => {
    const scene = inTerminal(true);
    scene.configure("routing: [ { specDir: x }\n");
    scene.stdin(
      JSON.stringify({
        ...JSON.parse(call),
        hook_event_name: "Stop",
        cwd: scene.cwd,
        stop_hook_active: false,
      }),
    );
    const { code, out, err } = await scene.loop("hook", "stop");
    expect([code, out, err]).toEqual([0, "", expect.stringContaining("hook failed")]);
    expect(JSON.parse(readFileSync(join(scene.folder, "events.jsonl"), "utf8"))).toMatchObject({
      event: "stop",
      promptId: "p-1",
    });
  });

  test("session-start is on record, and the session is reminded of its work item", async () => {
    const scene = inTerminal(true);
    expect(await scene.loop("hook", "session-start")).toMatchObject({
      code: 0,
      out: expect.stringContaining("this session works on host:octo/demo#1"),
    });
    expect(JSON.parse(readFileSync(join(scene.folder, "events.jsonl"), "utf8"))).toMatchObject({
      event: "session-start",
    });
  });

  test("a permission is denied during a turn of ours, and left to the person who is attached between turns", async () => {
    const [during, between] = [inTerminal(true), inTerminal(false)];
    expect(JSON.parse((await during.loop("hook", "permission")).out)).toMatchObject({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny" } },
    });
    expect((await between.loop("hook", "permission")).out).toBe("");
  });

  test("a tool call goes to the ledger of the turn of the moment; between turns there is none", async () => {
    const [during, between] = [inTerminal(true), inTerminal(false)];
    await during.loop("hook", "pre-tool");
    await between.loop("hook", "pre-tool");
    expect(JSON.parse(readFileSync(join(during.turnDir, "tools.jsonl"), "utf8"))).toMatchObject({
      tool: "Bash",
      receipt: "r-1",
    });
    expect(existsSync(join(between.turnDir, "tools.jsonl"))).toBe(false);
  });

  test("outside of a terminal it does nothing, whatever it is told", async () => {
    const scene = createScene();
    scene.stdin(call);
    for (const event of ["stop", "permission", "nonsense"])
      expect(await scene.loop("hook", event)).toMatchObject({ code: 0, out: "" });
  });
});

test("P07 a process inside of a terminal belongs to an agent: to its turn, or to one that nobody can name", () => {
  const [during, between] = [inTerminal(true), inTerminal(false)];
  expect(turnByVariables(during.env, turnInTerminal)).toEqual({
    turnDir: during.turnDir,
    workItem: "host:octo/demo#1",
  });
  expect(turnByVariables(between.env, turnInTerminal)).toEqual({
    turnDir: null,
    workItem: "host:octo/demo#1",
  });
});
