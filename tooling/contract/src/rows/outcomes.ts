import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { answerOf, messagesUnder } from "../seen.ts";
import { has, holds, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";

/** Errors of the model's interface, as `{{stub:error …}}` scripts them. */
const apiErrors: readonly (readonly [id: string, name: string, error: string, expected: Readonly<Record<string, unknown>>])[] = [
  ["HA-outcome-13", "overloaded", "529 overloaded_error", { kind: "transient", status: 529 }],
  ["HA-outcome-14", "server error", "500 api_error", { kind: "transient", status: 500 }],
  ["HA-outcome-15", "too many requests", "429 rate_limit_error", { kind: "transient", status: 429 }],
  ["HA-outcome-16", "key refused", "401 authentication_error", { kind: "login" }],
  ["HA-outcome-17", "forbidden", "403 permission_error", { kind: "login" }],
  ["HA-outcome-18", "no credit", "400 invalid_request_error Your credit balance is too low to access the API", { kind: "billing" }],
  ["HA-outcome-19", "prompt too long", "400 invalid_request_error prompt is too long: 250000 tokens > 200000 maximum", { kind: "prompt-too-long" }],
  ["HA-outcome-20", "another bad request", "400 invalid_request_error messages.0: bad", { kind: "bad-invocation" }],
];

/** How a turn ends, in the words of the port, and what the program says by its arguments and exit codes. */
export const outcomeRows: readonly Row[] = [
  row("HA-outcome-01", "a session starts under our id and resumes by it; one transcript holds both messages", async (scene) => {
    const first = await scene.turn("hello");
    has("first turn", first.outcome, { kind: "done", denials: [] });
    const second = await scene.turn("again", { mode: "resume" });
    has("second turn", second.outcome, { kind: "done" });
    same("messages", [messagesUnder(scene, first.receipt).length, messagesUnder(scene, second.receipt).length], [1, 1]);
    same("exit codes", [first.end.code, second.end.code], [0, 0]);
  }),
  row("HA-outcome-02", "resuming a session that is not there", async (scene) => {
    const ended = await scene.turn("hello", { mode: "resume" });
    same("outcome", ended.outcome, { kind: "session-not-found" });
    same("exit code", ended.end.code, 1);
  }),
  row("HA-outcome-03", "starting a session whose id is taken", async (scene) => {
    await scene.turn("hello");
    same("outcome", (await scene.turn("again")).outcome, { kind: "session-id-taken" });
  }),
  row("HA-outcome-04", "an id that is no UUID is refused", async (scene) => {
    const { end, stderr } = await scene.call(["-p", "hello", "--session-id", "nope"]);
    same("exit code", end.code, 1);
    holds("says why", stderr.includes("Invalid session ID"), stderr);
  }),
  row("HA-outcome-05", "an id for a new session and a session to resume exclude each other", async (scene) => {
    const { end } = await scene.call(["-p", "hello", "--session-id", randomUUID(), "--resume", randomUUID()]);
    same("exit code", end.code, 1);
  }),
  row("HA-outcome-06", "stream-json output needs --verbose", async (scene) => {
    const { end, stdout } = await scene.call(["-p", "hello", "--output-format", "stream-json"]);
    same("exit code", end.code, 1);
    same("output", stdout, "");
  }),
  row("HA-outcome-07", "an unknown argument of the operator is a bad invocation", async (scene) => {
    has("outcome", (await scene.turn("hello", { options: { args: ["--no-such-flag"] } })).outcome, { kind: "bad-invocation" });
  }),
  row("HA-outcome-08", "a missing plugin folder is ignored without a word, which is why the adapter looks itself", async (scene) => {
    const ended = await scene.turn("hello", { options: { args: ["--plugin-dir", "/no/such/plugin"] } });
    has("outcome", ended.outcome, { kind: "done" });
    same("exit code", ended.end.code, 0);
  }),
  row("HA-outcome-09", "P16: a prompt may begin with a dash and hold anything", async (scene) => {
    const prompt = "--resume\n$(boom) `boom` \u0007 ünïcödé";
    const ended = await scene.turn(prompt);
    has("outcome", ended.outcome, { kind: "done" });
    has("message on record", Object(messagesUnder(scene, ended.receipt)[0]?.["message"]), { content: prompt });
  }),
  row("HA-outcome-10", "a prompt of 200 KB arrives whole", async (scene) => {
    const prompt = `${"x".repeat(200_000)} end`;
    const ended = await scene.turn(prompt);
    has("outcome", ended.outcome, { kind: "done" });
    has("message on record", Object(messagesUnder(scene, ended.receipt)[0]?.["message"]), { content: prompt });
  }),
  row("HA-outcome-11", "input that ends without a message: exit code 0, no output, no session", async (scene) => {
    const { end, stdout } = await scene.call(["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--session-id", scene.sessionId]);
    same("end", [end.code, stdout], [0, ""]);
    same("transcript", scene.transcript(), []);
  }),
  row("HA-outcome-12", "a line of input that is no JSON ends the program with 1", async (scene) => {
    const { end, stdout } = await scene.call(["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"], "not json\n");
    same("end", [end.code, stdout], [1, ""]);
  }),
  ...apiErrors.map(([id, name, error, expected]) =>
    row(id, `an error of the model's interface: ${name}; the program calls it a success and exits 1`, async (scene) => {
      const ended = await scene.turn(`{{stub:error ${error}}}`, { env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
      has("outcome", ended.outcome, expected);
      same("exit code", ended.end.code, 1);
      holds("subtype", ended.lines.some((line) => line.includes('"subtype":"success"') && line.includes('"is_error":true')));
    }),
  ),
  row("HA-outcome-21", "a usage limit of a subscription says until when", async (scene) => {
    const ended = await scene.turn(limitHit, subscription);
    same("outcome", ended.outcome, { kind: "usage-limit", until: resetsAt * 1000, limit: "five_hour" });
  }),
  row("HA-outcome-22", "with a key the same answer is an ordinary 429, without a time", async (scene) => {
    has("outcome", (await scene.turn(limitHit)).outcome, { kind: "transient", status: 429 });
  }),
  row("HA-outcome-23", "an interface that cannot be reached is transient", async (scene) => {
    has("outcome", (await scene.turn("hello", { env: { ANTHROPIC_BASE_URL: await closedPort() } })).outcome, { kind: "transient", status: null });
  }),
  row("HA-outcome-24", "without a login", async (scene) => {
    has("outcome", (await scene.turn("hello", { env: { ANTHROPIC_API_KEY: "" } })).outcome, { kind: "login" });
  }),
  row("HA-outcome-25", "SIGTERM in the middle of a turn: exit code 143, and the session can be resumed", async (scene) => {
    const begun = await scene.begin("{{stub:hang 30000}}");
    await begun.send();
    await begun.until((_line, signal) => signal?.kind === "session");
    const ended = await begun.kill("SIGTERM");
    same("outcome", ended.outcome, { kind: "killed", signal: "SIGTERM", asked: false });
    same("exit code", ended.end.code, 143);
    has("next turn", (await scene.turn("hello", { mode: "resume" })).outcome, { kind: "done" });
  }),
  row("HA-outcome-26", "denied tools are listed, and the turn is done with exit code 0", async (scene) => {
    const ended = await scene.turn("{{stub:bash curl --version}}");
    has("outcome", ended.outcome, { kind: "done", denials: [{ tool: "Bash", input: "curl --version" }] });
    same("exit code", ended.end.code, 0);
  }),
  row("HA-outcome-27", "guarded: listed commands run with any arguments and in company, edits inside of the checkout run", async (scene) => {
    for (const command of ["git --version", "npm --version && git --version", "loop comment hello", "touch inside.txt", "mkdir made && touch made/too"]) {
      const ended = await scene.turn(`{{stub:bash ${command}}}`, { sessionId: randomUUID() });
      has(command, ended.outcome, { kind: "done", denials: [] });
      holds(`${command} ran`, !answerOf(ended).includes("denied"), answerOf(ended));
    }
  }),
  row("HA-outcome-28", "guarded: everything else is denied, also beside a listed command, in a variable or a redirection", async (scene) => {
    for (const command of ["loop restart", "git --version; curl --version", `touch ${scene.dir}/outside`, `git --version > ${scene.dir}/outside`, "X=1 git --version", "echo $(curl --version)"]) {
      const ended = await scene.turn(`{{stub:bash ${command}}}`, { sessionId: randomUUID() });
      has(command, ended.outcome, { kind: "done", denials: [{ tool: "Bash", input: command }] });
    }
  }),
  row("HA-outcome-29", "bypass: nothing is denied", async (scene) => {
    const ended = await scene.turn(`{{stub:bash touch ${scene.dir}/outside}}`, { options: { permissions: "bypass" } });
    has("outcome", ended.outcome, { kind: "done", denials: [] });
  }),
  row("HA-outcome-30", "a hook that blocks the prompt: exit code 0 and no turn at all", async (scene) => {
    const ended = await scene.turn("hello", { options: { args: ["--plugin-dir", pluginWith(scene, "UserPromptSubmit", "echo nope >&2; exit 2")] } });
    has("outcome", ended.outcome, { kind: "prompt-blocked" });
    same("exit code", ended.end.code, 0);
  }),
  row("HA-outcome-31", "version and login are probed without the network", async (scene) => {
    same("logged in", await scene.adapter().turns.probe(), { found: true, command: scene.subject.command, version: "2.1.329", tested: true, login: "yes", hint: null });
    const without = await scene.adapter({ environment: scene.environment({ ANTHROPIC_API_KEY: "" }) }).turns.probe();
    same("not logged in", without.login, "no");
  }),
  row("HA-outcome-32", "what a resumed turn cost is counted for that turn alone", async (scene) => {
    const first = await scene.turn("hello");
    const second = await scene.turn("again", { mode: "resume" });
    if (first.outcome.kind !== "done" || second.outcome.kind !== "done") throw new Error("both turns are done");
    holds("cost something", first.outcome.usd > 0, first.outcome);
    holds("not a running total", second.outcome.usd < first.outcome.usd * 1.5, second.outcome);
  }),
];

const resetsAt = 1_900_000_000;

const limitHit = `{{stub:limit five_hour ${resetsAt}}}`;

/** A login of a subscription instead of a key. */
export const subscription = { env: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-dummy", CLAUDE_CODE_MAX_RETRIES: "0" } };

/** A plugin of the row's own with one shell hook. */
export function pluginWith(scene: Scene, event: string, command: string, timeout = 5): string {
  const name = `row-${event.toLowerCase()}`;
  scene.write(`${name}/.claude-plugin/plugin.json`, JSON.stringify({ name, version: "0.0.1", description: "A hook of a row", author: { name: "contract" } }));
  const hooks = scene.write(`${name}/hooks/hooks.json`, JSON.stringify({ description: "A hook of a row", hooks: { [event]: [{ hooks: [{ type: "command", command, timeout }] }] } }));
  return hooks.slice(0, -"/hooks/hooks.json".length);
}

async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 1}`;
}
