import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "./args.mjs";
import { loadHooks, runHooks } from "./hooks.mjs";
import { loggedIn } from "./interface.mjs";
import { enabledPluginDirs, runPluginCommand } from "./plugins.mjs";
import { createPractice } from "./practice.mjs";
import { registerSession } from "./registry.mjs";
import { runTerminal } from "./terminal.mjs";
import { findTranscript, newTranscriptPath, openTranscript } from "./transcript.mjs";
import { runTurn } from "./turn.mjs";

/** The version whose contract this fixture keeps. */
export const version = "2.1.332";

/**
 * The program: `fixture-claude` answers to the arguments, files and signals of the real harness A.
 */
export async function main(argv) {
  if (argv[0] === "plugin") {
    const { code, out = "", err = "" } = runPluginCommand(argv.slice(1), configDirOf());
    return leave(code, err, out && `${out}\n`);
  }
  const { options, prompt, error } = parseArgs(argv);
  if (error) return leave(1, error);
  if (options["--version"]) return leave(0, "", `${version} (Claude Code)\n`);
  if (prompt === "auth status")
    return leave(
      loggedIn(process.env) ? 0 : 1,
      "",
      `${JSON.stringify({ loggedIn: loggedIn(process.env) })}\n`,
    );
  const refusal = refusalOf(options);
  if (refusal) return leave(1, refusal);
  if (!options["--print"])
    return runTerminal({ options, start, trusted: isTrusted(configDirOf(), process.cwd()) });
  const run = start(options);
  if (run.refusal) return leave(1, run.refusal, run.stdout);
  const stop = () => {
    run.transcript.flush();
    run.registry.remove();
    process.exit(143);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const started = await runHooks(run.hooks, "SessionStart", {
    input: {
      session_id: run.sessionId,
      transcript_path: run.transcript.file,
      cwd: run.cwd,
      source: options["--resume"] ? "resume" : "startup",
    },
    env: run.hookEnv,
    cwd: run.cwd,
  });
  run.startContext.push(...started.context);
  let code = 0;
  for await (const message of options["--input-format"] === "stream-json"
    ? streamMessages(run)
    : plainMessage(prompt)) {
    run.registry.setStatus("busy");
    code = await runTurn(run, message);
    run.registry.setStatus("idle");
  }
  await runHooks(run.hooks, "SessionEnd", {
    input: { session_id: run.sessionId, reason: "other" },
    env: run.hookEnv,
    cwd: run.cwd,
  });
  run.transcript.flush();
  run.registry.remove();
  await new Promise((resolve) => process.stdout.write("", resolve));
  process.exit(run.broken ?? code);
}

/**
 * What the settings ask for. Nothing is boxed here: only what the first row says of it is as with
 * the real program. `FIXTURE_WITHOUT_SANDBOX` names a file: while it is there, settings count for
 * nothing.
 */
function isSandboxed(settings) {
  if (settings === undefined || existsSync(process.env.FIXTURE_WITHOUT_SANDBOX ?? "")) return false;
  return (
    JSON.parse(settings.startsWith("{") ? settings : readFileSync(settings, "utf8")).sandbox
      ?.enabled === true
  );
}

function refusalOf(options) {
  if (!options["--print"] && !process.stdin.isTTY)
    return "Error: the fixture runs in a terminal, or with --print";
  if (options["--output-format"] === "stream-json" && !options["--verbose"])
    return "Error: When using --print, --output-format=stream-json requires --verbose";
  if (options["--session-id"] && options["--resume"] && !options["--fork-session"])
    return "Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.";
  if (options["--session-id"] && !isUuid(options["--session-id"]))
    return "Error: Invalid session ID. Must be a valid UUID.";
  if (
    options["--dangerously-skip-permissions"] &&
    process.getuid?.() === 0 &&
    !process.env.IS_SANDBOX
  )
    return "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons";
  return null;
}

/** What one process knows: its session, files, hooks and how it prints. */
function start(options) {
  const cwd = process.cwd();
  const configDir = configDirOf();
  const sessionId = options["--resume"] ?? options["--session-id"] ?? randomUUID();
  const found = findTranscript(configDir, sessionId);
  const print = (line) =>
    options["--output-format"] === "stream-json" &&
    process.stdout.write(`${JSON.stringify({ ...line, session_id: sessionId })}\n`);
  if (options["--resume"] && found === null) {
    const words = `No conversation found with session ID: ${sessionId}`;
    print({
      type: "result",
      subtype: "error_during_execution",
      is_error: true,
      num_turns: 0,
      errors: [words],
      permission_denials: [],
      total_cost_usd: 0,
      duration_ms: 0,
    });
    return { refusal: words };
  }
  if (options["--session-id"] && found !== null)
    return { refusal: `Error: Session ID ${sessionId} is already in use.` };
  const sources = (options["--setting-sources"] ?? "user,project,local").split(",");
  const pluginDirs = pluginDirsOf(options, sources, configDir);
  warnOfUntrusted({ cwd, configDir, sources });
  const hookEnv = {
    ...process.env,
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: sessionId,
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_PROJECT_DIR: cwd,
    CLAUDE_PID: String(process.pid),
  };
  const mode = options["--dangerously-skip-permissions"]
    ? "bypassPermissions"
    : (options["--permission-mode"] ?? "default");
  return {
    tools: options["--tools"]?.flatMap((list) => list.split(",")) ?? null,
    schema: options["--json-schema"] ? JSON.parse(options["--json-schema"]) : null,
    options,
    cwd,
    sessionId,
    version,
    print,
    mode,
    folders: [cwd, ...(options["--add-dir"] ?? []).map((dir) => path.resolve(dir))],
    printResult: (line) => printResult(options, { ...line, session_id: sessionId }),
    env: process.env,
    hookEnv,
    toolEnv: {
      ...process.env,
      CLAUDECODE: "1",
      CLAUDE_CODE_SESSION_ID: sessionId,
      AI_AGENT: `claude-code_${version.replaceAll(".", "-")}_agent`,
    },
    allowed: [
      ...(options["--allowedTools"] ?? []),
      ...(isTrusted(configDir, cwd) ? projectAllows(cwd, sources) : []),
    ],
    plugins: pluginDirs.map((dir) => ({
      name: JSON.parse(readFileSync(path.join(dir, ".claude-plugin/plugin.json"), "utf8")).name,
      path: dir,
    })),
    sandboxed: isSandboxed(options["--settings"]),
    hooks: loadHooks({ pluginDirs, sources, settings: options["--settings"], configDir, cwd }),
    transcript: openTranscript(found ?? newTranscriptPath(configDir, cwd, sessionId), {
      sessionId,
      cwd,
      version,
      kept: !options["--no-session-persistence"],
    }),
    registry: registerSession(configDir, { sessionId, cwd, version }),
    /** What hooks said at the start; it goes along with the first message. */
    startContext: [],
    practice:
      process.env.LOOP_PRACTICE === "1"
        ? createPractice({ resume: Boolean(options["--resume"]), env: process.env })
        : null,
  };
}

/** A plugin that is installed as well is loaded once. */
function pluginDirsOf(options, sources, configDir) {
  const given = options["--plugin-dir"].filter((dir) =>
    existsSync(path.join(dir, ".claude-plugin/plugin.json")),
  );
  const installed = sources.includes("user") ? enabledPluginDirs(configDir) : [];
  return [...new Set([...given, ...installed].map((dir) => path.resolve(dir)))];
}

function configDirOf() {
  return process.env.CLAUDE_CONFIG_DIR || path.join(homedir(), ".claude");
}

/**
 * Without trust the checkout's allow rules do not count, and the harness says so; its hooks run all
 * the same.
 */
function warnOfUntrusted({ cwd, configDir, sources }) {
  const count = projectAllows(cwd, sources).length;
  if (count > 0 && !isTrusted(configDir, cwd))
    process.stderr.write(
      `Ignoring ${count} permissions.allow entry from .claude/settings.json: this workspace has not been trusted.\n`,
    );
}

function projectAllows(cwd, sources) {
  const file = path.join(cwd, ".claude/settings.json");
  return sources.includes("project") && existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")).permissions?.allow ?? [])
    : [];
}

/**
 * Inside of a repository its root counts and nothing else, for a worktree that of the main work
 * tree; elsewhere the directory or one above it.
 */
function isTrusted(configDir, cwd) {
  const file = process.env.CLAUDE_CONFIG_DIR
    ? path.join(configDir, ".claude.json")
    : path.join(homedir(), ".claude.json");
  const projects = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")).projects ?? {}) : {};
  const accepted = (dir) => projects[dir]?.hasTrustDialogAccepted === true;
  const root = gitRoot(cwd);
  if (root !== null) return accepted(root);
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    if (accepted(dir)) return true;
    if (path.dirname(dir) === dir) return false;
  }
}

function gitRoot(from) {
  for (let dir = from; ; dir = path.dirname(dir)) {
    const entry = path.join(dir, ".git");
    if (existsSync(path.join(entry, "HEAD"))) return dir;
    if (existsSync(entry))
      return path.resolve(readFileSync(entry, "utf8").trim().slice("gitdir: ".length), "../../..");
    if (path.dirname(dir) === dir) return null;
  }
}

function printResult(options, line) {
  if (options["--output-format"] === "stream-json" || options["--output-format"] === "json")
    process.stdout.write(`${JSON.stringify(line)}\n`);
  else process.stdout.write(`${line.result}\n`);
}

/**
 * Messages of standard input, one JSON object a line; a line that is none ends the process with 1.
 */
async function* streamMessages(run) {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    try {
      const { type, uuid, message } = JSON.parse(line);
      if (type === "user")
        yield {
          uuid,
          prompt:
            typeof message.content === "string"
              ? message.content
              : message.content.map((block) => block.text ?? "").join("\n"),
        };
    } catch (error) {
      process.stderr.write(
        `Error parsing streaming input line (type=unknown, ${line.length} chars): ${error}\n`,
      );
      run.broken = 1;
      return;
    }
  }
}

async function* plainMessage(prompt) {
  let piped = "";
  if (!process.stdin.isTTY) for await (const chunk of process.stdin) piped += chunk;
  const text = [prompt, piped].filter(Boolean).join("\n");
  if (text === "")
    leave(
      1,
      "Error: Input must be provided either through stdin or as a prompt argument when using --print",
    );
  yield { uuid: null, prompt: text };
}

function leave(code, stderr, stdout = "") {
  if (stdout) process.stdout.write(stdout);
  if (stderr) process.stderr.write(`${stderr}\n`);
  process.exitCode = code;
}

function isUuid(text) {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
