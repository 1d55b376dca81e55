import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { choose } from "../support/choose-loop.ts";
import { createScene, type Scene } from "../support/scene.ts";

const ref = "host:octo/shop#7";
const uuid = "0b2d1c3a-1111-4222-8333-444455556666";

function begin(scene: Scene, over: object = {}): ReturnType<Scene["loop"]> {
  scene.stdin(
    JSON.stringify({
      session_id: uuid,
      hook_event_name: "SessionStart",
      source: "startup",
      cwd: scene.cwd,
      ...over,
    }),
  );
  return scene.loop("hook", "session-start");
}

function install(scene: Scene): void {
  execFileSync("git", ["init", "-q"], { cwd: scene.cwd });
  choose(scene.cwd);
}

const said = (out: string): string =>
  out === ""
    ? ""
    : (JSON.parse(out).hookSpecificOutput?.additionalContext ?? JSON.parse(out).additional_context);

test("a session with a work item is reminded of it, of how it is checked, how to speak, and that it is a guest", async () => {
  const scene = createScene("state: { root: state }\n");
  scene.env["LOOP_WORK_ITEM"] = ref;
  const heard = await begin(scene);
  expect(heard).toMatchObject({ code: 0, err: "" });
  for (const part of [
    ref,
    "loop-operating-model",
    "loop check",
    "`loop comment`",
    "`loop ask`",
    "`loop sessions link-pr --pull-request <number>`",
    "you are a guest",
  ])
    expect(said(heard.out)).toContain(part);
});

test("harness B is told in its own words", async () => {
  const scene = createScene("state: { root: state }\n");
  scene.env["LOOP_WORK_ITEM"] = ref;
  const { out } = await begin(scene, {
    hook_event_name: "sessionStart",
    cursor_version: "2026.10.01",
    conversation_id: uuid,
  });
  expect(JSON.parse(out)).toEqual({ additional_context: expect.stringContaining(ref) });
});

test("a conversation that is registered is reminded without the variable", async () => {
  const scene = createScene("state: { root: state }\n");
  await scene.loop(
    "sessions",
    "register",
    "--work-item",
    ref,
    "--harness",
    "A",
    "--harness-session-id",
    uuid,
  );
  expect(said((await begin(scene)).out)).toContain(ref);
});

test("in a repository that chose loop nobody is a guest, and a conversation without an item learns where to begin", async () => {
  const scene = createScene("state: { root: state }\n");
  install(scene);
  expect(said((await begin(scene)).out)).toContain("begin with the skill loop-operating-model");
  scene.env["LOOP_WORK_ITEM"] = ref;
  expect(said((await begin(scene)).out)).not.toContain("guest");
});

test.each(["state: { root: state }\n", "routing: [\n"])(
  "a conversation that has nothing to do with loop hears nothing, whatever the configuration: %j",
  async (config) => {
    expect(await begin(createScene(config))).toMatchObject({ code: 0, out: "" });
  },
);
