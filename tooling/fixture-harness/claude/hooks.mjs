import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * Hooks of our plugins, and of the settings that `--setting-sources` lets in; `{event: [{matcher,
 * command, args, timeout, env}]}`.
 */
export function loadHooks({ pluginDirs, sources, settings, configDir, cwd }) {
  const files = [
    ...pluginDirs.map((dir) => ({
      file: path.join(dir, "hooks/hooks.json"),
      env: { CLAUDE_PLUGIN_ROOT: dir },
    })),
    ...(sources.includes("user") ? [{ file: path.join(configDir, "settings.json"), env: {} }] : []),
    ...(sources.includes("project")
      ? [{ file: path.join(cwd, ".claude/settings.json"), env: {} }]
      : []),
    ...(sources.includes("local")
      ? [{ file: path.join(cwd, ".claude/settings.local.json"), env: {} }]
      : []),
  ].filter(({ file }) => existsSync(file));
  const texts = files.map(({ file, env }) => ({
    hooks: JSON.parse(readFileSync(file, "utf8")).hooks ?? {},
    env,
  }));
  if (settings)
    texts.push({
      hooks:
        (settings.startsWith("{")
          ? JSON.parse(settings)
          : JSON.parse(readFileSync(settings, "utf8"))
        ).hooks ?? {},
      env: {},
    });
  const byEvent = {};
  for (const { hooks, env } of texts) {
    for (const [event, groups] of Object.entries(hooks)) {
      for (const group of groups)
        for (const hook of group.hooks)
          (byEvent[event] ??= []).push({ ...hook, matcher: group.matcher ?? "", env });
    }
  }
  return byEvent;
}

/**
 * Runs the hooks of an event one after the other; `{blocked: reason|null, context: string[],
 * decision}`.
 */
export async function runHooks(hooks, event, { input, tool, env, cwd }) {
  const result = { blocked: null, context: [], decision: null };
  for (const hook of hooks[event] ?? []) {
    if (
      hook.matcher &&
      hook.matcher !== "*" &&
      tool &&
      !new RegExp(`^(${hook.matcher})$`).test(tool)
    )
      continue;
    const end = await runOne(hook, {
      input: JSON.stringify({ ...input, hook_event_name: event }),
      env: { ...env, ...hook.env },
      cwd,
    });
    const answer = parse(end.stdout);
    if (end.code === 2) result.blocked = end.stderr.trim();
    if (answer?.decision === "block") result.blocked = answer.reason;
    if (answer?.hookSpecificOutput?.decision) result.decision = answer.hookSpecificOutput.decision;
    if (answer?.hookSpecificOutput?.additionalContext)
      result.context.push(answer.hookSpecificOutput.additionalContext);
    else if (
      answer === null &&
      end.stdout.trim() !== "" &&
      ["SessionStart", "UserPromptSubmit"].includes(event)
    )
      result.context.push(end.stdout.trim());
  }
  return result;
}

/** A hook over its time is killed and the turn goes on; so it does after any exit code but 2. */
function runOne(hook, { input, env, cwd }) {
  return new Promise((resolve) => {
    const child = hook.args
      ? spawn(
          expand(hook.command, env),
          hook.args.map((arg) => expand(arg, env)),
          { cwd, env, detached: true },
        )
      : spawn(expand(hook.command, env), { shell: "/bin/sh", cwd, env, detached: true });
    const end = { stdout: "", stderr: "", code: null };
    child.stdout.on("data", (text) => (end.stdout += text));
    child.stderr.on("data", (text) => (end.stderr += text));
    child.stdin.on("error", () => {});
    const timer = setTimeout(
      () => process.kill(0 - child.pid, "SIGKILL"),
      (hook.timeout ?? 60) * 1000,
    );
    const settle = (code) => {
      clearTimeout(timer);
      resolve({ ...end, code });
    };
    child.on("error", () => settle(127));
    child.on("close", settle);
    child.stdin.end(input);
  });
}

function expand(text, env) {
  return text.replaceAll("${CLAUDE_PLUGIN_ROOT}", env.CLAUDE_PLUGIN_ROOT ?? "");
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
