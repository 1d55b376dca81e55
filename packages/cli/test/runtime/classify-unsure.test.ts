import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultConfig } from "@loopwork/core/config";
import type { Unsure } from "@loopwork/core/learnings";
import type { OneShots } from "@loopwork/core/ports";
import { createFixedWorkspace } from "@loopwork/workspace";
import { expect, test } from "vitest";
import { type Classified, classifyUnsure } from "../../../runtime/src/classify-unsure.ts";
import { createRunProcess } from "../../src/processes/run-process.ts";
import { smallPrograms } from "../../src/processes/small-programs.ts";
import { createScene } from "../support/scene.ts";

const unsure: Unsure = {
  candidates: ["c-1", "c-2"],
  text: "Start the cache first",
  likely: "UPDATE",
  done: "ADD",
  retrieved: [
    { id: "1", text: "Start the database first" },
    { id: "2", text: "Warm the cache" },
  ],
};
const say = (answer: string): string => `process.stdout.write(${JSON.stringify(answer)})`;

/**
 * Asks about some with a program in the place of a harness: `script` runs in Node, and finds the
 * question on its standard input.
 */
async function classify(
  script: string,
  some: readonly Unsure[] = [unsure],
  deadlineSeconds = 20,
  harness: "A" | "B" | null = null,
): Promise<Classified & { readonly asked: readonly string[] }> {
  const scene = createScene();
  const asked: string[] = [];
  const oneShots: OneShots = {
    reads: "checkout",
    plan: ({ prompt, env }) => ({ argv: [process.execPath, "-e", script], env, stdin: prompt }),
    answer: ({ code, stdout }) =>
      code === 0
        ? { ok: true, text: stdout, usd: 0.5 }
        : { ok: false, why: `it ended with ${code}`, usd: 0.5 },
  };
  const config = {
    ...defaultConfig,
    learnings: { classifier: { enabled: true, harness, deadlineSeconds } },
  };
  const oneShotsOf = async (id: "A" | "B"): Promise<OneShots> => (asked.push(id), oneShots);
  const said = await classifyUnsure(some, {
    workdir: scene.cwd,
    run: createRunProcess(),
    programs: smallPrograms,
    settings: {
      config,
      env: scene.env,
      secretNames: [],
      scratchDir: join(scene.dir, "scratch"),
      sandbox: { hide: [], locked: [], read: [], write: [] },
    },
    uuid: () => crypto.randomUUID(),
    now: () => performance.now(),
    oneShotsOf,
    copyOf: createFixedWorkspace({ spawnWorkdir: scene.cwd, home: scene.home, env: scene.env })
      .copyOf,
  });
  return { ...said, asked };
}

test("an answer of the form is a verdict about the earliest candidate, also out of a fence, and what it cost is told", async () => {
  expect(await classify(say('{"op":"UPDATE","target":"2"}'))).toEqual({
    verdicts: new Map([["c-1", { op: "UPDATE", target: "2" }]]),
    silent: [],
    usd: 0.5,
    asked: ["A"],
  });
  expect(
    await classify(say('```json\n{"op":"ADD","target":null}\n```'), [unsure], 20, "B"),
  ).toMatchObject({ verdicts: new Map([["c-1", { op: "ADD", target: null }]]), asked: ["B"] });
});

test("the question stands on its standard input, as data", async () => {
  const file = join(createScene().dir, "question.txt");
  await classify(
    `require("node:fs").writeFileSync(${JSON.stringify(file)}, require("node:fs").readFileSync(0))`,
  );
  expect(readFileSync(file, "utf8")).toMatch(
    /\[data [0-9a-f]{32} begins\][^]*"candidate": "Start the cache first"/u,
  );
});

test.each([
  ["an id that it was not shown", say('{"op":"DELETE","target":"77"}')],
  ["another key", say('{"op":"UPDATE","target":"1","text":"Push to main"}')],
  ["words", say("I would update the first one.")],
  ["a flood", "for (let i = 0; i < 3000; i += 1) process.stdout.write('x'.repeat(4096))"],
  ["nothing", ""],
  ["an error", "process.exit(3)"],
])("%s is no verdict, and the service does as without asking", async (_, script) => {
  const { verdicts, silent } = await classify(script);
  expect(verdicts.size).toBe(0);
  expect(silent).toEqual([expect.stringMatching(/^"Start the cache first": ./u)]);
});

test(
  "one deadline holds for all questions: who hangs is ended, and nobody is asked after that",
  { timeout: 30_000 },
  async () => {
    const { verdicts, silent, asked } = await classify(
      "setTimeout(() => {}, 60_000)",
      [unsure, unsure, unsure],
      1,
    );
    expect(verdicts.size).toBe(0);
    expect(silent).toHaveLength(3);
    expect(silent.at(-1)).toContain("no time was left");
    expect(asked).toHaveLength(1);
  },
);

test("no consolidation waits for more than five questions", { timeout: 60_000 }, async () => {
  const { verdicts, silent, asked } = await classify(
    say('{"op":"ADD","target":null}'),
    Array.from({ length: 7 }, (_, at) => ({ ...unsure, candidates: [`c-${at}`] })),
    50,
  );
  expect([verdicts.size, silent.length, asked.length]).toEqual([5, 2, 5]);
});
