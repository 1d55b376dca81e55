import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { answerOf } from "../seen.ts";
import { has, holds, type Row, row, same } from "../row.ts";
import { pluginWith } from "../stages/plugin-with.ts";

/**
 * What the program says by its arguments and exit codes, and what it lets a session do. How turns
 * end is the adapter contract's.
 */
export const outcomeRows: readonly Row[] = [
  row("HA-outcome-04", "an id that is no UUID is refused", async (scene) => {
    const { end, stderr } = await scene.call(["-p", "hello", "--session-id", "nope"]);
    same("exit code", end.code, 1);
    holds("says why", stderr.includes("Invalid session ID"), stderr);
  }),
  row(
    "HA-outcome-05",
    "an id for a new session and a session to resume exclude each other",
    async (scene) => {
      const { end } = await scene.call([
        "-p",
        "hello",
        "--session-id",
        randomUUID(),
        "--resume",
        randomUUID(),
      ]);
      same("exit code", end.code, 1);
    },
  ),
  row("HA-outcome-06", "stream-json output needs --verbose", async (scene) => {
    const { end, stdout } = await scene.call(["-p", "hello", "--output-format", "stream-json"]);
    same("exit code", end.code, 1);
    same("output", stdout, "");
  }),
  row("HA-outcome-07", "an unknown argument of the operator is a bad invocation", async (scene) => {
    has("outcome", (await scene.turn("hello", { options: { args: ["--no-such-flag"] } })).outcome, {
      kind: "bad-invocation",
    });
  }),
  row(
    "HA-outcome-08",
    "a missing plugin folder is ignored without a word, which is why the adapter looks itself",
    async (scene) => {
      const ended = await scene.turn("hello", {
        options: { args: ["--plugin-dir", "/no/such/plugin"] },
      });
      has("outcome", ended.outcome, { kind: "done" });
      same("exit code", ended.end.code, 0);
    },
  ),
  row(
    "HA-outcome-11",
    "input that ends without a message: exit code 0, no output, no session",
    async (scene) => {
      const { end, stdout } = await scene.call([
        "-p",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--verbose",
        "--session-id",
        scene.sessionId,
      ]);
      same("end", [end.code, stdout], [0, ""]);
      same("transcript", scene.transcript(), []);
    },
  ),
  row("HA-outcome-12", "a line of input that is no JSON ends the program with 1", async (scene) => {
    const { end, stdout } = await scene.call(
      ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
      "not json\n",
    );
    same("end", [end.code, stdout], [1, ""]);
  }),
  row(
    "HA-outcome-13",
    "an error of the model's interface: the program calls it a success and exits 1",
    async (scene) => {
      const ended = await scene.turn("{{stub:error 529 overloaded_error}}");
      has("outcome", ended.outcome, { kind: "transient", status: 529 });
      same("exit code", ended.end.code, 1);
      holds(
        "subtype",
        ended.lines.some(
          (line) => line.includes('"subtype":"success"') && line.includes('"is_error":true'),
        ),
      );
    },
  ),
  row(
    "HA-outcome-22",
    "with a key the answer that tells a subscription of its limit is an ordinary 429, without a time",
    async (scene) => {
      has("outcome", (await scene.turn("{{stub:limit five_hour 1900000000}}")).outcome, {
        kind: "transient",
        status: 429,
      });
    },
  ),
  row(
    "HA-outcome-27",
    "guarded: listed commands run with any arguments and in company, edits inside of the checkout run",
    async (scene) => {
      for (const command of [
        "git --version",
        "npm --version && git --version",
        "loop comment hello",
        "touch inside.txt",
        "mkdir made && touch made/too",
      ]) {
        const ended = await scene.turn(`{{stub:bash ${command}}}`, { sessionId: randomUUID() });
        has(command, ended.outcome, { kind: "done", denials: [] });
        holds(`${command} ran`, !answerOf(ended).includes("denied"), answerOf(ended));
      }
    },
  ),
  row(
    "HA-outcome-28",
    "guarded: everything else is denied, also beside a listed command, in a variable or a redirection",
    async (scene) => {
      for (const command of [
        "loop restart",
        "git --version; curl --version",
        `touch ${scene.dir}/outside`,
        `git --version > ${scene.dir}/outside`,
        "X=1 git --version",
        "echo $(curl --version)",
      ]) {
        const ended = await scene.turn(`{{stub:bash ${command}}}`, { sessionId: randomUUID() });
        has(command, ended.outcome, { kind: "done", denials: [{ tool: "Bash", input: command }] });
      }
    },
  ),
  row(
    "HA-outcome-37",
    "guarded: a folder that is named beside the checkout is worked in like the checkout, and the one around it is not",
    async (scene) => {
      scene.write("artifacts/own/begun.md", "begun");
      const write = (file: string): string =>
        `{{stub:tool Write ${JSON.stringify({ file_path: `${scene.dir}/artifacts/${file}`, content: "written" })}}}`;
      const ended = await scene.turn(`${write("own/design.md")} ${write("design.md")}`, {
        alsoIn: [`${scene.dir}/artifacts/own`],
      });
      has("outcome", ended.outcome, { kind: "done" });
      same(
        "files",
        [
          existsSync(`${scene.dir}/artifacts/own/design.md`),
          existsSync(`${scene.dir}/artifacts/design.md`),
        ],
        [true, false],
      );
    },
  ),
  row("HA-outcome-29", "bypass: nothing is denied", async (scene) => {
    const ended = await scene.turn(`{{stub:bash touch ${scene.dir}/outside}}`, {
      options: { permissions: "bypass" },
    });
    has("outcome", ended.outcome, { kind: "done", denials: [] });
  }),
  row(
    "HA-outcome-30",
    "a hook that blocks the prompt: exit code 0 and no turn at all",
    async (scene) => {
      const ended = await scene.turn("hello", {
        options: {
          args: ["--plugin-dir", pluginWith(scene, "UserPromptSubmit", "echo nope >&2; exit 2")],
        },
      });
      has("outcome", ended.outcome, { kind: "prompt-blocked" });
      same("exit code", ended.end.code, 0);
    },
  ),
  row("HA-outcome-31", "version and login are probed without the network", async (scene) => {
    same("logged in", await scene.adapter().turns.probe(), {
      found: true,
      command: scene.subject.command,
      version: "2.1.332",
      tested: true,
      login: "yes",
      hint: null,
    });
    const without = await scene
      .adapter({ environment: scene.environment({ ANTHROPIC_API_KEY: "" }) })
      .turns.probe();
    same("not logged in", without.login, "no");
  }),
];
