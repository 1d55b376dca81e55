import { join } from "node:path";
import { expect, test } from "vitest";
import { createScene } from "../support/scene.ts";

const ref = "host:practice/garden#7";
const uuid = "0B2D1C3A-1111-4222-8333-444455556666";

test("a relative --workdir means the caller's directory, not the daemon's", async () => {
  const scene = createScene("state: { root: state }\n");
  expect((await scene.loop("sessions", "register", "--work-item", ref, "--harness-session-id", uuid, "--workdir", "sub")).code).toBe(0);
  const shown = await scene.loop("sessions", "show", ref, "--json");
  expect(shown.out).toContain(JSON.stringify(join(scene.cwd, "sub")));
});

test.each([["A", "not-a-uuid-at-all"], ["A", ""], ["B", "short"], ["B", "with blank in it"], ["C", uuid]])("harness %s with the id %j is refused at once", async (harness, id) => {
  const scene = createScene("state: { root: state }\n");
  const ran = await scene.loop("sessions", "register", "--work-item", ref, "--harness", harness, "--harness-session-id", id);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain("LOOP_E_USAGE");
});

test.each([
  ["A", { CLAUDE_CODE_SESSION_ID: uuid }, uuid],
  ["B", { CURSOR_CONVERSATION_ID: "chat-0001-abcd" }, "chat-0001-abcd"],
  ["A", { CLAUDE_CODE_SESSION_ID: uuid, CURSOR_CONVERSATION_ID: "chat-0001-abcd" }, uuid],
])("inside of harness %s its own conversation is meant, by what the harness says of itself", async (harness, env, id) => {
  const scene = createScene("state: { root: state }\n");
  Object.assign(scene.env, env);
  const ran = await scene.loop("sessions", "register", "--work-item", ref, "--json");
  expect(ran.json()).toMatchObject({ harness, harnessSessionId: id });
});
