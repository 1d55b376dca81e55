import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CriticScope } from "@loopwork/core";
import { expect, test } from "vitest";
import { recordLink } from "../../support/record-link.ts";
import { dump, judged, walked, writeGraph, writeProgram } from "../../support/small-graph.ts";
import { until } from "../../support/until.ts";
import { createWorld, type World } from "../../support/world.ts";

const longestMs = 240_000;

test(
  "a critic that is a prompt judges in a conversation of its own: found, taken up again, passed, and nothing of it in the session's",
  { timeout: 600_000 },
  async () => {
    const verdict = (text: string): string =>
      JSON.stringify(
        `Look for drips. {{stub:bash touch made-by-critic}} {{stub:tool StructuredOutput ${text}}}`,
      );
    const found = verdict(
      '{"verdict":"fail","findings":[{"severity":"major","title":"The tap drips","file":"tap.ts"}]}',
    );
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
      more: `critics: [{ name: drips, prompt: ${found} }]`,
    });
    writeGraph(
      world,
      [{ id: "work" }, { id: "review", more: ["critics: all", "scope: work-item"] }],
      ["{ from: review, to: work, when: rejected }"],
    );
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");

    await until(
      async () => (await judged(service)).length > 0,
      "the first round",
      dump(service),
      longestMs,
    );
    world.scene.configure(
      readFileSync(world.scene.configFile, "utf8").replace(
        found,
        verdict('{"verdict":"pass","findings":[]}'),
      ),
    );
    await until(
      async () => (await walked(service)).at(-1) === "end",
      "the end of the graph",
      dump(service),
      longestMs,
    );

    const rounds = await judged(service);
    expect(rounds[0]).toMatchObject({
      node: "review",
      what: "critics",
      reason: "rework",
      detail: "major: The tap drips",
    });
    expect(rounds.at(-1)).toMatchObject({ node: "review", reason: "passed" });
    expect(
      world
        .prompts()
        .map(({ text }) => text)
        .join("\n"),
    ).toContain("major: The tap drips (tap.ts), found by drips");

    // The only conversation on disk is the work item's, and no question of the critic stands in it.
    const item = await service.parts.store.items.load(world.ref(number));
    expect(item.sessions).toHaveLength(1);
    expect(transcripts(world).map(({ file }) => file)).toEqual([
      `${item.sessions[0]?.harnessSessionId}.jsonl`,
    ]);
    expect(
      transcripts(world)
        .map(({ text }) => text)
        .join(""),
    ).not.toContain("You are the critic");
    expect(existsSync(join(item.sessions[0]?.workdir ?? "", "made-by-critic"))).toBe(false);
    // What it cost counts for the work item's budget.
    const usd = (await service.events("graph.judged")).reduce(
      (sum, { fields }) => sum + Number(fields["usd"]),
      0,
    );
    const turns = (await service.events("turn.done")).reduce(
      (sum, { fields }) => sum + Number(fields["usd"] ?? 0),
      0,
    );
    expect(usd).toBeGreaterThan(0);
    expect(item.workItem?.spend.usd).toBeCloseTo(usd + turns, 6);
  },
);

test(
  "a review covers every pull request of the work item in every repository; one that cannot be read is told to a person, and keeps none of the others from being judged",
  { timeout: 600_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
      more: "critics: [{ name: careful, command: [node, critic.mjs], prompt: look for holes }]",
    });
    world.scene.configure(
      readFileSync(world.scene.configFile, "utf8").replace(
        "[practice/garden]",
        "[practice/garden, practice/shed, practice/gone]",
      ),
    );
    const seen = join(world.scene.dir, "seen.jsonl");
    writeProgram(
      world,
      "critic.mjs",
      `import { appendFileSync, readFileSync } from "node:fs";
appendFileSync(${JSON.stringify(seen)}, readFileSync(0, "utf8") + "\\n");
console.log('{"verdict":"pass"}');
`,
    );
    const own = await pullIn(world, "practice/garden", "pipe.txt");
    const other = await pullIn(world, "practice/shed", "hose.txt");
    const gone = "host:practice/gone#3";
    const links = [String(own), `host:practice/shed#${other}`]
      .map((pull) => `{{stub:bash loop sessions link-pr --pull-request ${pull}}}`)
      .join(" ");
    writeGraph(
      world,
      [
        { id: "work", says: links },
        { id: "review", more: ["critics: all", "scope: work-item"] },
      ],
      ["{ from: review, to: work, when: rejected }"],
    );
    const service = await world.start();
    await recordLink(service.parts, world.ref(own + 1), gone);
    const number = world.startIssue("Water the garden by itself.");
    const thread = (): string =>
      world.host
        .issue(number)
        .comments.map(({ body }) => body)
        .join("\n");

    await until(
      () => Promise.resolve(thread().includes(`${gone} could not be read`)),
      "the question on the thread",
      dump(service),
      longestMs,
    );
    const scope = readFileSync(seen, "utf8")
      .trim()
      .split("\n")
      .map((line): CriticScope => JSON.parse(line))
      .at(-1);
    expect(
      scope?.pullRequests.map(({ ref, repository, unreadable }) => [ref, repository, unreadable]),
    ).toEqual([
      [gone, "practice/gone", "the host shows no such pull request to this token"],
      [`host:practice/garden#${own}`, "practice/garden", null],
      [`host:practice/shed#${other}`, "practice/shed", null],
    ]);
    expect(
      scope?.pullRequests.map(({ diff }) => /^\+\+\+ b\/(\S+)$/m.exec(diff ?? "")?.[1] ?? null),
    ).toEqual([null, "pipe.txt", "hose.txt"]);
    expect((await judged(service)).map(({ reason, detail }) => [reason, detail])).toContainEqual([
      "failed",
      `loop: ${gone} could not be read: the host shows no such pull request to this token`,
    ]);
    expect((await walked(service)).at(-1)).toBe("review");

    // Another one's word does not settle it, an authorized person's does.
    await until(
      async () =>
        (await service.events("turn.done")).every(({ time }) => Date.now() - time > 2_000) &&
        (await service.parts.store.stats()).turns.ready === 0,
      "some seconds without a turn",
      dump(service),
      longestMs,
    );
    world.host.comment(number, "approved", "mallory");
    world.host.comment(number, "Approved.", "ada");
    await until(
      async () => (await walked(service)).at(-1) === "end",
      "the end of the graph",
      dump(service),
      longestMs,
    );
    expect((await service.events("graph.answered")).map(({ fields }) => fields)).toEqual([
      { node: "review", approved: true, by: "ada" },
    ]);
  },
);

/**
 * A pull request that adds a file, in a repository that is made where it is missing; its number.
 */
async function pullIn({ host }: World, fullName: string, file: string): Promise<number> {
  const [owner = "", repo = ""] = fullName.split("/");
  const repository =
    fullName === "practice/garden" ? host : await host.addRepository({ owner, repo });
  await repository.commit({ branch: "change", message: "Change", files: { [file]: "new\n" } });
  return (await repository.openPull({ title: "Change", head: "change", by: "loop-agent" })).number;
}

function transcripts({
  scene,
}: World): readonly { readonly file: string; readonly text: string }[] {
  const projects = join(scene.home, ".claude", "projects");
  const files = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".jsonl"),
  );
  return files.map((file) => ({
    file: file.split("/").at(-1) ?? "",
    text: readFileSync(join(projects, file), "utf8"),
  }));
}
