import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Act } from "../directives.ts";
import { type MessagesApi, type ModelRequest, startMessagesApi } from "../messages-api.ts";
import { holds, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const storyMs = 180_000;

/** The service itself, from the webhook to the released checkout, on top of the harness. */
export const serviceRows: readonly Row[] = [
  row(
    "HA-service-01",
    "the whole story: issue, start, checkout, session, push, pull request, review, same session again, release",
    async (scene) => {
      await wholeStory(scene, []);
    },
  ),
];

/** The demonstration with the subject as its harness, from the issue to the released checkout. */
export async function wholeStory(scene: Scene, args: readonly string[]): Promise<void> {
  if (!existsSync(`${root}packages/cli/dist/bin.js`))
    throw new Error("the command line is not built: npm run build");
  const api = scene.subject.name === "real" ? await startMessagesApi(await practiceActs()) : null;
  try {
    const { code, told } = await tellStory(scene, api, args);
    same(`exit code (${told.slice(-1500)})`, code, 0);
    for (const part of [
      "decided: started",
      "checkout of its own",
      "pull request #2 recorded against",
      "turn 1 done",
      "said something on the thread",
      "turn 2 done",
      "checkout released",
    ])
      holds(part, told.includes(part), told.slice(-2500));
    if (api !== null)
      same(
        "prompts of one session",
        new Set(api.requests.map((request) => request.prompts)),
        new Set([1, 2]),
      );
  } finally {
    await api?.close();
  }
}

/**
 * Runs the demonstration with the subject as its harness, in the row's own home and configuration.
 */
async function tellStory(
  scene: Scene,
  api: MessagesApi | null,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly told: string }> {
  const harness = api === null ? "practice" : "claude";
  const bin = api === null ? "" : linkAs(scene, "claude");
  const {
    PATH = "",
    LOOP_WORK_ITEM: _item,
    LOOP_INSTANCE: _instance,
    ...env
  } = scene.environment({
    LOOP_PRACTICE_TOKEN: "practice-token-agent",
    ANTHROPIC_BASE_URL: api?.url ?? "",
  });
  scene.write(
    "home/.gitconfig",
    "[user]\n\tname = Practice Agent\n\temail = agent@practice.invalid\n",
  );
  // Without the rows' own double of `loop`, which comes first: the story brings the real one.
  const path = [bin, ...PATH.split(":").slice(1)].filter(Boolean).join(":");
  const child = spawn(
    process.execPath,
    [
      "--conditions=@loopwork/source",
      `${root}tooling/demo/src/main.ts`,
      "--once",
      "--harness",
      harness,
      ...args,
    ],
    { cwd: scene.dir, env: { ...env, PATH: path }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let told = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (told += chunk.toString()));
  const timer = setTimeout(() => child.kill("SIGTERM"), storyMs);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  return { code, told };
}

/**
 * A folder in which the subject's program goes by the name that the configuration has by default.
 */
function linkAs(scene: Scene, name: string): string {
  const script = scene.write(
    `bin/${name}`,
    `#!/bin/sh\nexec '${scene.subject.command}' "$@"\n`,
    0o755,
  );
  return script.slice(0, -name.length - 1);
}

type Practice = {
  createPractice(situation: { resume: boolean; env: Readonly<Record<string, string>> }): (
    asked: Pick<ModelRequest, "prompt" | "step" | "lastResult">,
  ) => {
    readonly tool?: string;
    readonly input?: unknown;
    readonly text?: string;
  };
};

/** The practice agent's steps as the model's answers, so that the real harness carries them out. */
async function practiceActs(): Promise<(request: ModelRequest) => Act> {
  const file = `${root}tooling/fixture-harness/claude/practice.mjs`;
  const { createPractice }: Practice = await import(file);
  return (request) => {
    const {
      tool,
      input,
      text = "",
    } = createPractice({
      resume: request.prompts > 1,
      env: { LOOP_WORK_ITEM: "host:practice/garden#1" },
    })(request);
    return tool === undefined ? { kind: "text", text, afterMs: 0 } : { kind: "tool", tool, input };
  };
}
