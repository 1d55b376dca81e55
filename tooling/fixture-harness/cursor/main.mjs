import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { causeAccidents } from "../claude/accidents.mjs";
import { reply } from "../claude/model.mjs";
import { runTool } from "../claude/tools.mjs";

/** The documented flags; `true` takes a value. */
const flags = {
  "--print": false,
  "--force": false,
  "--trust": false,
  "--approve-mcps": false,
  "--stream-partial-output": false,
  "--version": false,
  "--output-format": true,
  "--resume": true,
  "--workspace": true,
  "--model": true,
  "--mode": true,
  "--plugin-dir": true,
  "--api-key": true,
  "--sandbox": true,
};
const short = { "-p": "--print", "-f": "--force", "--yolo": "--force", "-v": "--version" };

/**
 * `fixture-cursor`: harness B by its documents, never compared with the real program. A failure
 * prints no JSON. The refusal of an untrusted folder was reported with exit code 0 and with 1:
 * FIXTURE_CURSOR_REFUSAL chooses (default 1). FIXTURE_CURSOR_LOGGED_OUT has nobody logged in,
 * FIXTURE_CURSOR_SILENT makes no chat and says nothing.
 */
export async function main(argv) {
  const { options, words, unknown } = parse(argv);
  if (unknown) return leave(1, "", `error: unknown option '${unknown}'\n`);
  if (options["--version"]) return leave(0, "2026.10.01-fixture\n");
  if (process.env.FIXTURE_CURSOR_LOGGED_OUT) return leave(1, "", "Error: Not logged in\n");
  const chats = path.join(
    process.env.CURSOR_DATA_DIR || path.join(homedir(), ".cursor"),
    "fixture-chats",
  );
  if (words[0] === "create-chat") {
    if (process.env.FIXTURE_CURSOR_SILENT) return leave(0, "");
    const id = randomUUID();
    mkdirSync(chats, { recursive: true });
    writeFileSync(path.join(chats, id), "");
    return leave(0, `${id}\n`);
  }
  if (!options["--trust"])
    return leave(Number(process.env.FIXTURE_CURSOR_REFUSAL ?? 1), "Workspace Trust Required\n");
  const chat = options["--resume"] ?? randomUUID();
  if (options["--resume"] && !existsSync(path.join(chats, chat)))
    return leave(1, "", "Chat not found\n");
  return turn({
    chat,
    file: path.join(chats, chat),
    prompt: words.join(" ") || readFileSync(0, "utf8"),
    cwd: options["--workspace"] ?? process.cwd(),
    asking: options["--mode"] === "ask",
    json: options["--output-format"] === "json",
  });
}

async function turn({ chat, file, prompt, cwd, asking, json }) {
  const print = (line) =>
    (!json || line.type === "result") &&
    process.stdout.write(`${JSON.stringify({ ...line, session_id: chat })}\n`);
  print({ type: "system", subtype: "init", cwd, model: "fixture" });
  print({ type: "user", message: { role: "user", content: [{ type: "text", text: prompt }] } });
  const rules = rulesOf(cwd);
  for (const { command } of hooksOf(cwd).sessionStart ?? [])
    execFileSync("/bin/sh", ["-c", command], {
      cwd,
      input: JSON.stringify({
        hook_event_name: "sessionStart",
        conversation_id: chat,
        cursor_version: "fixture",
      }),
    });
  await causeAccidents(prompt);
  let lastResult = null;
  const results = [];
  for (let step = 0; ; step += 1) {
    const next = reply({ prompt, step, lastResult });
    if (next.hang) await new Promise((resolve) => setTimeout(resolve, next.hang));
    if (next.error) return leave(1, "", `Error: ${next.error.status} ${next.error.message}\n`);
    if (!next.tool)
      return finish({ print, file, record: { prompt, cwd, rules, results, answer: next.text } });
    print({
      type: "tool_call",
      subtype: "started",
      tool_call: { shellToolCall: { args: next.input } },
    });
    if (asking && next.tool !== "Read") lastResult = "The mode `ask` changes nothing.";
    else
      lastResult = (
        await runTool({
          tool: next.tool,
          input: next.input,
          cwd,
          env: { ...process.env, CURSOR_AGENT: "1", CURSOR_CONVERSATION_ID: chat },
        })
      ).text;
    results.push(lastResult);
    print({
      type: "tool_call",
      subtype: "completed",
      tool_call: { shellToolCall: { args: next.input, result: lastResult } },
    });
  }
}

/**
 * What a project tells every conversation in it: the rules of its `.cursor` folder, and AGENTS.md.
 */
function rulesOf(cwd) {
  const folder = path.join(cwd, ".cursor/rules");
  const files = [
    ...(existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : []),
    path.join(cwd, "AGENTS.md"),
  ];
  return files.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
}

/** The project's own hooks, of which this runs those of the session's start. */
function hooksOf(cwd) {
  const file = path.join(cwd, ".cursor/hooks.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")).hooks ?? {}) : {};
}

function finish({ print, file, record }) {
  const text = record.answer;
  print({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(record)}\n`, { flag: "a" });
  print({
    type: "result",
    subtype: "success",
    is_error: false,
    duration_ms: 1,
    result: text,
    request_id: randomUUID(),
  });
}

function parse(argv) {
  const options = {};
  const words = [];
  for (let at = 0; at < argv.length; at += 1) {
    const name = short[argv[at]] ?? argv[at];
    if (!name.startsWith("-")) words.push(name);
    else if (!(name in flags)) return { options, words, unknown: name };
    else options[name] = flags[name] ? argv[(at += 1)] : true;
  }
  return { options, words, unknown: null };
}

function leave(code, stdout, stderr = "") {
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
}
