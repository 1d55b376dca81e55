import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { type OneShotAnswer, promptText } from "@loopwork/core/ports";
import { verdictSchema } from "@loopwork/core";
import type { HarnessAOptions } from "@loopwork/harness-a";
import { has, holds, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";

/**
 * One question by the way, as critics ask it: what it may do, what it answers, and what stays of
 * it.
 */
export const oneShotRows: readonly Row[] = [
  row(
    "HA-critic-01",
    "a question is answered by the one object that fits the schema, and nothing of its conversation stays",
    async (scene) => {
      await scene.turn("hello"); // The session on record, beside which it is asked.
      const before = scene.transcript().length;
      const asked = await ask(
        scene,
        'Judge. {{stub:tool Read {"file_path":"CHECKOUT/a.txt"}}} {{stub:tool StructuredOutput {"verdict":"fail","findings":[{"severity":"major","title":"The tap drips","file":"a.txt","line":1}]}}}',
      );
      has("answer", asked.answer, { ok: true });
      same("verdict", verdictOf(asked.answer), {
        verdict: "fail",
        findings: [{ severity: "major", title: "The tap drips", file: "a.txt", line: 1 }],
      });
      same("transcript of the session on record", scene.transcript().length, before);
      same("transcript of its own", scene.transcript(asked.sessionId), []);
      same("conversations on disk", conversations(scene), [`${scene.sessionId}.jsonl`]);
    },
  ),
  row(
    "HA-critic-02",
    "it has no tool that changes anything, also where turns may do everything",
    async (scene) => {
      const bypass = { permissions: "bypass", args: ["--dangerously-skip-permissions"] } as const;
      for (const options of [{}, bypass]) {
        const asked = await ask(
          scene,
          'Judge. {{stub:bash touch CHECKOUT/made}} {{stub:tool Write {"file_path":"CHECKOUT/made","content":"x"}}} {{stub:tool Edit {"file_path":"CHECKOUT/a.txt","old_string":"dry","new_string":"wet"}}} {{stub:tool StructuredOutput {"verdict":"pass","findings":[]}}}',
          options,
        );
        same("verdict", verdictOf(asked.answer), { verdict: "pass", findings: [] });
        same("files", readdirSync(scene.workdir), ["a.txt"]);
      }
    },
  ),
  row("HA-critic-03", "what lies outside of the checkout is not read", async (scene) => {
    scene.write("secret.txt", "the key of the shed");
    const { stdout } = await ask(
      scene,
      `Judge. {{stub:tool Read {"file_path":"${scene.dir}/secret.txt"}}} {{stub:tool StructuredOutput {"verdict":"pass","findings":[]}}}`,
    );
    const { permission_denials: denied }: Readonly<Record<string, unknown>> = JSON.parse(stdout);
    holds("it was denied", JSON.stringify(denied).includes('"tool_name":"Read"'), denied);
  }),
  row(
    "HA-critic-06",
    "a folder that is named beside the checkout is read as well",
    async (scene) => {
      scene.write("artifacts/design.md", "a second tap");
      const { stdout } = await ask(
        scene,
        `Judge. {{stub:tool Read {"file_path":"${scene.dir}/artifacts/design.md"}}} {{stub:tool StructuredOutput {"verdict":"pass","findings":[]}}}`,
        {},
        {},
        [`${scene.dir}/artifacts`],
      );
      const { permission_denials: denied }: Readonly<Record<string, unknown>> = JSON.parse(stdout);
      same("denied", denied, []);
    },
  ),
  row(
    "HA-critic-04",
    "an answer that does not fit the schema is asked for again; without any there is the text, and no verdict",
    async (scene) => {
      const again = await ask(
        scene,
        'Judge. {{stub:tool StructuredOutput {"verdict":"perhaps","findings":[]}}} {{stub:tool StructuredOutput {"verdict":"pass","findings":[]}}}',
      );
      same("verdict", verdictOf(again.answer), { verdict: "pass", findings: [] });
      const words = await ask(scene, "Judge. {{stub:text looks good to me}}");
      holds("no verdict", words.answer.ok && verdictOf(words.answer) === null, words.answer);
    },
  ),
  row(
    "HA-critic-05",
    "an error of the model's interface and a missing login are no answer, and say why",
    async (scene) => {
      const failed = await ask(
        scene,
        "Judge. {{stub:error 400 invalid_request_error nothing doing}}",
      );
      holds(
        "error",
        !failed.answer.ok && failed.answer.why.includes("nothing doing"),
        failed.answer,
      );
      const out = await ask(scene, "Judge.", {}, { ANTHROPIC_API_KEY: "" });
      holds("login", !out.answer.ok && out.answer.why.includes("Not logged in"), out.answer);
    },
  ),
];

type Asked = {
  readonly sessionId: string;
  readonly stdout: string;
  readonly answer: OneShotAnswer;
};

/** Asks in the scene's checkout, which holds `a.txt`. */
async function ask(
  scene: Scene,
  prompt: string,
  options: Partial<HarnessAOptions> = {},
  env: Readonly<Record<string, string>> = {},
  alsoIn: readonly string[] = [],
): Promise<Asked> {
  scene.write(path.join(scene.workdir, "a.txt"), "dry\n");
  const sessionId = randomUUID();
  const { oneShots } = scene.adapter(options);
  const plan = oneShots.plan({
    sessionId,
    prompt: promptText(prompt.replaceAll("CHECKOUT", scene.workdir)),
    workdir: scene.workdir,
    alsoIn,
    schema: verdictSchema,
    env: scene.environment(env),
  });
  const child = await scene.start({ ...plan, closeInput: "after-write" }, scene.workdir);
  await child.write(plan.stdin);
  child.endInput();
  const lines: string[] = [];
  for await (const line of child.lines()) lines.push(line);
  const { code } = await child.ended;
  const stdout = lines.join("\n");
  return {
    sessionId,
    stdout,
    answer: oneShots.answer({ code: code ?? -1, stdout, stderr: child.stderr() }),
  };
}

function verdictOf(answer: OneShotAnswer): unknown {
  try {
    return answer.ok ? JSON.parse(answer.text) : null;
  } catch {
    return null;
  }
}

/** Files of conversations, whichever checkout they belong to. */
function conversations(scene: Scene): readonly string[] {
  const projects = path.join(scene.configDir, "projects");
  return existsSync(projects)
    ? readdirSync(projects, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".jsonl"))
        .map((file) => path.basename(file))
    : [];
}
