import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createScene } from "../support/scene.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

/** Not the synchronous one: the host that it speaks to lives in this process. */
const execute = promisify(execFile);

const ref = "host:practice/garden#7";
const uuid = "0B2D1C3A-1111-4222-8333-444455556666";

test("a relative --workdir means the caller's directory, not the daemon's", async () => {
  const scene = createScene("state: { root: state }\n");
  expect(
    (
      await scene.loop(
        "sessions",
        "register",
        "--work-item",
        ref,
        "--harness-session-id",
        uuid,
        "--workdir",
        "sub",
      )
    ).code,
  ).toBe(0);
  const shown = await scene.loop("sessions", "show", ref, "--json");
  expect(shown.out).toContain(JSON.stringify(join(scene.cwd, "sub")));
});

test.each([
  ["A", "not-a-uuid-at-all"],
  ["A", ""],
  ["B", "short"],
  ["B", "with blank in it"],
  ["C", uuid],
])("harness %s with the id %j is refused at once", async (harness, id) => {
  const scene = createScene("state: { root: state }\n");
  const ran = await scene.loop(
    "sessions",
    "register",
    "--work-item",
    ref,
    "--harness",
    harness,
    "--harness-session-id",
    id,
  );
  expect(ran.code).toBe(2);
  expect(ran.err).toContain("LOOP_E_USAGE");
});

test.each([
  ["A", { CLAUDE_CODE_SESSION_ID: uuid }, uuid],
  ["B", { CURSOR_CONVERSATION_ID: "chat-0001-abcd" }, "chat-0001-abcd"],
  ["A", { CLAUDE_CODE_SESSION_ID: uuid, CURSOR_CONVERSATION_ID: "chat-0001-abcd" }, uuid],
])(
  "inside of harness %s its own conversation is meant, by what the harness says of itself",
  async (harness, env, id) => {
    const scene = createScene("state: { root: state }\n");
    Object.assign(scene.env, env);
    const ran = await scene.loop("sessions", "register", "--work-item", ref, "--json");
    expect(ran.json()).toMatchObject({ harness, harnessSessionId: id });
  },
);

test(
  "a registration that fails is reported, the session's work goes on, and the item's events are logged and dropped",
  { timeout: 180_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const { number } = world.host.openIssue({ title: "Water the garden", by: "ada" });
    // The person's session sees a configuration whose state root cannot be one.
    const [repository, blocked] = [
      join(world.scene.dir, "repository"),
      join(world.scene.dir, "blocked.yaml"),
    ];
    writeFileSync(blocked, "state: { root: blocked.yaml }\n");
    await execute("git", ["clone", "-q", world.host.cloneUrl, repository]);
    const register = `loop sessions register --work-item ${world.ref(number)}`;
    const session = crypto.randomUUID();
    const env = {
      ...world.scene.env,
      LOOP_CONFIG: blocked,
      IS_SANDBOX: "1",
      PATH: `${join(world.stateRoot, "bin")}:${world.scene.env["PATH"]}`,
    };
    const prompt = `{{stub:bash ${register}}} {{stub:bash git -c user.name=ada -c user.email=ada@practice.invalid commit -q --allow-empty -m "The work goes on"}} {{stub:text worked}}`;
    const working = execute(
      join(world.scene.dir, "bin", "claude"),
      [
        "-p",
        prompt,
        "--session-id",
        session,
        "--dangerously-skip-permissions",
        "--output-format",
        "stream-json",
        "--verbose",
      ],
      { cwd: repository, env },
    );
    working.child.stdin?.end();
    const { stdout: said } = await working;
    expect(said).toMatch(
      /Exit code 2.{0,10}the state root .{1,300}cannot be used.{1,300}\(LOOP_E_STATE_ROOT\)/,
    );
    expect(said).not.toMatch(/ {4}at .{1,200}\.ts:/);
    expect(
      (await execute("git", ["log", "-1", "--format=%s"], { cwd: repository })).stdout.trim(),
    ).toBe("The work goes on");

    world.host.comment(number, "And the balcony?", "ada");
    const dropped = await service.event(
      "delivery.decided",
      ({ fields }) => fields["event"] === "issue_comment",
    );
    expect([dropped.fields["verdict"], await service.turns()]).toEqual(["ignored", []]);
    // The same words with a state root reach the session from then on.
    expect(
      await world.scene.loop(
        "sessions",
        "register",
        "--work-item",
        world.ref(number),
        "--harness",
        "A",
        "--harness-session-id",
        session,
        "--workdir",
        repository,
      ),
    ).toMatchObject({ code: 0 });
    world.host.comment(number, "And the roof?", "ada");
    await until(
      async () => (await service.turns()).length === 1,
      "the turn",
      () => service.said.join("\n"),
      60_000,
    );
  },
);
