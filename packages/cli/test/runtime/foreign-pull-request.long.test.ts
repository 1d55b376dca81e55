import { describe, expect, test } from "vitest";
import { type Intake, intakes, type Listening, listen } from "../support/intake.ts";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

/** An issue at work, and a stranger's pull request from a fork that says that it closes it. */
async function atWork(
  intake: Intake,
  routing = "",
  by = "mallory",
): Promise<{
  readonly world: World;
  readonly listening: Listening;
  readonly number: number;
  readonly pull: number;
  readonly sha: string;
}> {
  const world = await createWorld({ routing });
  const listening = await listen(world, intake);
  const number = world.startIssue();
  await listening.told();
  const fork = await world.host.fork(by);
  const sha = await fork.commit({
    branch: "patch-1",
    message: "Mine",
    files: { "a.txt": "mine\n" },
    by,
  });
  const { number: pull } = await world.host.openPull({
    title: "Mine",
    body: `Closes #${number}`,
    head: "patch-1",
    headRepository: fork.fullName,
    by,
  });
  await listening.told();
  return { world, listening, number, pull, sha };
}

describe.each(intakes)(
  "a stranger's pull request that says it closes an issue at work, by %s",
  (intake) => {
    test(
      "keeps a maintainer's review, comments, checks and its closing away from that issue's session, and says so once",
      { timeout: 120_000 },
      async () => {
        const { world, listening, pull, sha } = await atWork(intake);
        const { host } = world;
        host.commentOnLine(pull, { body: "Rewrite this line.", path: "a.txt", by: "ada" });
        await listening.told();
        host.review(pull, { state: "changes_requested", body: "Use tabs.", by: "ada" });
        host.comment(pull, "Looks odd.", "ada");
        await host.check({ name: "drought", of: sha, conclusion: "failure" });
        await listening.told();
        host.closeIssue(pull, "ada");
        await listening.told();
        expect(world.prompts().length).toBe(1);
        expect(
          (await listening.reasons()).filter((reason) => reason === "foreign-pull-request").length,
        ).toBeGreaterThanOrEqual(4);
        const told = await until(
          () => host.issue(pull).comments.filter(({ author }) => author.login === "loop-agent"),
          "the line on the thread",
        );
        expect(told.map(({ body }) => body.includes("link-pr"))).toEqual([true]);
        expect((await world.scene.loop("why", world.ref(pull))).out).toContain(
          "foreign-pull-request",
        );
      },
    );

    test("`loop stop` on it stops nothing but itself", { timeout: 120_000 }, async () => {
      const { world, listening, number, pull } = await atWork(intake);
      world.host.comment(pull, "loop stop", "ada");
      await listening.told();
      expect(
        (await listening.service.parts.store.items.load(world.ref(number))).workItem?.control
          .status,
      ).toBe("started");
      expect(
        (await listening.service.parts.store.items.load(world.ref(pull))).workItem?.control.status,
      ).toBe("stopped");
    });

    test.each([
      [
        "it is recorded with link-pr",
        "",
        async ({ scene, ref }: World, number: number, pull: number) =>
          void (await scene.loop(
            "sessions",
            "link-pr",
            "--work-item",
            ref(number),
            "--pull-request",
            String(pull),
          )),
      ],
      [
        "its author is a collaborator of the issue",
        "",
        async ({ scene, ref }: World, number: number) =>
          void (await scene.loop("add-collaborator", "@mallory", "--work-item", ref(number))),
      ],
      ["routing.trustForkBranches says so", "  trustForkBranches: true", async () => {}],
    ] as const)(
      "is heard where %s, and the prompt says that it comes from a fork",
      { timeout: 120_000 },
      async (_why, routing, prepare) => {
        const { world, listening, number, pull } = await atWork(intake, routing);
        await prepare(world, number, pull);
        await listening.told();
        world.host.comment(pull, "Looks good to me.", "ada");
        await listening.told();
        const prompts = world.prompts().map(({ text }) => text);
        expect(prompts.at(-1)).toContain("Looks good to me.");
        expect(prompts.at(-1)).toContain(`pull request #${pull} comes from a fork`);
      },
    );
  },
);

test(
  "an agent that a person began records no stranger's pull request either, by command or by hook",
  { timeout: 120_000 },
  async () => {
    const { world, number, pull } = await atWork(intakes[0]);
    const { scene } = world;
    Object.assign(scene.env, { CLAUDECODE: "1", LOOP_WORK_ITEM: world.ref(number) });
    const typed = await scene.loop("sessions", "link-pr", "--pull-request", String(pull));
    expect(typed).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_FOREIGN_PULL_REQUEST"),
    });
    const output = { stdout: `${world.host.url}/practice/garden/pull/${pull}`, stderr: "" };
    const call = {
      session_id: "0b2d1c3a-1111-4222-8333-444455556666",
      hook_event_name: "PostToolUse",
    };
    const tool = { tool_name: "Bash", tool_use_id: "t-1", tool_input: { command: "gh pr create" } };
    scene.stdin(JSON.stringify({ ...call, ...tool, tool_response: output }));
    const heard = await scene.loop("hook", "post-tool");
    expect(heard.out).toContain("its author has no authority there");
    const links = async (): Promise<unknown> =>
      Object((await scene.loop("sessions", "show", world.ref(number), "--json")).json())[
        "pullRequests"
      ];
    expect(await links()).toEqual([]);
    delete scene.env["CLAUDECODE"];
    expect(await scene.loop("sessions", "link-pr", "--pull-request", String(pull))).toMatchObject({
      code: 0,
    });
  },
);
