import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createScene, type Scene } from "../support/scene.ts";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

const ref = "host:octo/shop#7";
const uuid = "0b2d1c3a-1111-4222-8333-444455556666";
const config =
  "state: { root: state }\nintegrations: { codeHost: { host: code.example, apiBaseUrl: http://127.0.0.1:9 } }\nrouting: { repositories: [octo/shop] }\n";

const opening = {
  session_id: uuid,
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_use_id: "t-1",
  tool_input: { command: "gh pr create --title '#4' --fill" },
  tool_response: { stdout: "https://code.example/octo/shop/pull/9", stderr: "" },
};
const openingOfB = {
  conversation_id: uuid,
  hook_event_name: "postToolUse",
  cursor_version: "2026.10.01",
  tool_name: "Shell",
  tool_use_id: "t-1",
  tool_input: { command: "gh pr create --fill" },
  tool_output: JSON.stringify({ output: "https://code.example/octo/shop/pull/9", exitCode: 0 }),
};

function hear(scene: Scene, call: unknown): ReturnType<Scene["loop"]> {
  scene.stdin(JSON.stringify(call));
  return scene.loop("hook", "post-tool");
}

async function links(scene: Scene, item = ref): Promise<unknown> {
  const { json, code } = await scene.loop("sessions", "show", item, "--json");
  return code === 0
    ? Object(json())["pullRequests"]?.map(
        (link: { readonly pullRequest: string }) => link.pullRequest,
      )
    : [];
}

describe("a pull request that a person's own conversation opens", () => {
  test.each([
    ["A", opening, (out: string) => JSON.parse(out).hookSpecificOutput.additionalContext],
    ["B", openingOfB, (out: string) => JSON.parse(out).additional_context],
  ] as const)(
    "is recorded against LOOP_WORK_ITEM, once, and harness %s's model is told",
    async (_, call, contextOf) => {
      const scene = createScene(config);
      scene.env["LOOP_WORK_ITEM"] = ref;
      for (let time = 0; time < 2; time++) {
        const heard = await hear(scene, call);
        expect(heard).toMatchObject({ code: 0, err: "" });
        expect(contextOf(heard.out)).toBe(`loop: recorded host:octo/shop#9 against ${ref}`);
      }
      expect(
        (await scene.loop("events", "--json")).out.match(/"pull-request.linked"/g),
      ).toHaveLength(1);
    },
  );

  test("is recorded against the item that the conversation is registered for", async () => {
    const scene = createScene(config);
    expect(
      await scene.loop(
        "sessions",
        "register",
        "--work-item",
        ref,
        "--harness",
        "A",
        "--harness-session-id",
        uuid,
      ),
    ).toMatchObject({ code: 0 });
    expect((await hear(scene, opening)).out).toContain(`recorded host:octo/shop#9 against ${ref}`);
  });

  test("is nobody's where the conversation is bound to no item", async () => {
    const scene = createScene(config);
    expect(await hear(scene, opening)).toMatchObject({ code: 0, out: "", err: "" });
    expect(await links(scene)).toEqual([]);
  });

  test.each([
    [
      "a command that failed, of harness A",
      {
        ...opening,
        hook_event_name: "PostToolUseFailure",
        tool_response: undefined,
        error: "Exit code 1\nhttps://code.example/octo/shop/pull/9",
      },
    ],
    [
      "a command that failed, of harness B",
      {
        ...openingOfB,
        tool_output: JSON.stringify({
          output: "https://code.example/octo/shop/pull/9",
          exitCode: 1,
        }),
      },
    ],
    [
      "a command that only looks",
      { ...opening, tool_input: { command: "gh pr view 9 --json url" } },
    ],
    ["words that no harness says", "gh pr create https://code.example/octo/shop/pull/9"],
  ])("%s records nothing", async (_, call) => {
    const scene = createScene(config);
    scene.env["LOOP_WORK_ITEM"] = ref;
    expect(await hear(scene, call)).toMatchObject({ code: 0, out: "" });
    expect(await links(scene)).toEqual([]);
  });

  test("where the configuration is broken the session is told so, and goes on", async () => {
    const scene = createScene("routing: [\n");
    scene.env["LOOP_WORK_ITEM"] = ref;
    const heard = await hear(scene, opening);
    expect(heard.code).toBe(0);
    expect(heard.out).toContain("loop: could not record host:code.example/octo/shop#9: ");
    expect(heard.out).toContain("Go on with your work");
  });
});

test(
  "inside of a turn the dispatcher records it, and the model is told in the same turn",
  { timeout: 150_000 },
  async () => {
    const world = await createWorld();
    await world.host.commit({ branch: "mine", message: "Mine", files: { "a.txt": "a\n" } });
    const { number: pull } = await world.host.openPull({
      title: "Mine",
      head: "mine",
      by: "loop-agent",
    });
    hostCommand(world, pull);
    const service = await world.start();
    const number = world.startIssue("{{stub:bash gh pr create --fill}}");
    await until(
      async () => (await service.events("turn.done")).length === 1,
      "the turn",
      undefined,
      90_000,
    );
    expect(
      (await service.parts.store.items.load(world.ref(number))).pullRequests.map(
        ({ pullRequest }) => pullRequest,
      ),
    ).toEqual([world.ref(pull)]);
    expect(await service.events("pull-request.linked")).toHaveLength(1);
  },
);

/** A host's command line that says it opened a pull request. */
function hostCommand(world: World, number: number): void {
  const program = join(world.scene.dir, "bin", "gh");
  writeFileSync(program, `#!/bin/sh\necho ${world.host.url}/practice/garden/pull/${number}\n`);
  chmodSync(program, 0o755);
  world.scene.env["PATH"] = `${join(world.scene.dir, "bin")}:${world.scene.env["PATH"]}`;
}
