import { randomUUID } from "node:crypto";
import { causeAccidents } from "./accidents.mjs";
import { runHooks } from "./hooks.mjs";
import { obstacle } from "./interface.mjs";
import { reply } from "./model.mjs";
import { isAllowed } from "./permissions.mjs";
import { answerTool, enforcement, misfit } from "./structured.mjs";
import { runTool } from "./tools.mjs";

const maxStops = 8;

/** Somebody in front of the terminal stopped the turn. */
export class Interrupted extends Error {}

const unlessInterrupted = (run, work) =>
  run.whenInterrupted ? Promise.race([work, run.whenInterrupted]) : work;

/**
 * One turn: our message in, an end of turn out. `run` is what the process knows (options,
 * transcript, hooks, print); `message` is `{uuid, prompt}`. Answers with the exit code that the
 * process takes when this was its last turn.
 */
export async function runTurn(run, message) {
  const { transcript, print } = run;
  const lifecycle = (state) =>
    message.uuid &&
    print({ type: "command_lifecycle", command_uuid: message.uuid, state, uuid: randomUUID() });
  const uuid = message.uuid ?? randomUUID();
  const { asked, answered } = transcript.state(uuid);
  const echo = (extra) =>
    run.options["--replay-user-messages"] &&
    print({
      type: "user",
      message: { role: "user", content: message.prompt },
      parent_tool_use_id: null,
      uuid,
      ...extra,
      isReplay: true,
    });
  if (answered) {
    echo({});
    lifecycle("completed");
    return 0;
  }
  lifecycle("queued");
  lifecycle("started");
  const state = {
    run,
    uuid,
    prompt: message.prompt,
    promptId: randomUUID(),
    denials: [],
    replies: 0,
    started: Date.now(),
  };
  const submitted = await hook(state, "UserPromptSubmit", { prompt: message.prompt });
  if (submitted.blocked !== null) {
    print(initLine(state));
    return end(state, lifecycle, {
      text: `UserPromptSubmit operation blocked by hook:\n${submitted.blocked}`,
      turns: 0,
      code: 0,
      reason: undefined,
    });
  }
  recordMessage(state, asked);
  noteContext(run, "SessionStart", run.startContext.splice(0));
  print(initLine(state));
  await causeAccidents(state.prompt);
  echo({ timestamp: new Date().toISOString() });
  return end(state, lifecycle, await converse(state));
}

/**
 * With the eager flush our message is on disk before the model is asked; without it, it lags like
 * everything else.
 */
function recordMessage({ run, uuid, prompt, promptId }, asked) {
  run.transcript.note({ type: "queue-operation", operation: "enqueue", content: prompt });
  run.transcript.note({ type: "queue-operation", operation: "dequeue" });
  if (asked) run.transcript.continueFrom(uuid);
  else
    run.transcript.append({
      promptId,
      type: "user",
      message: { role: "user", content: prompt },
      uuid,
      permissionMode: run.mode,
      promptSource: run.promptSource ?? "sdk",
    });
  if (run.env.CLAUDE_CODE_EAGER_FLUSH === "1") run.transcript.flush();
}

/** The model's replies and the tools between them, until it stops and every Stop hook lets it. */
async function converse(state) {
  const blocked = await state.run.transcript.holdDuring(obstacle(state.run.env, state.prompt));
  if (blocked) return fail(state, blocked);
  let lastResult = null;
  let stops = 0;
  for (let step = 0; ; step += 1) {
    const next = await (state.run.practice ?? reply)({ prompt: state.prompt, step, lastResult });
    if (next.hang)
      await unlessInterrupted(state.run, new Promise((resolve) => setTimeout(resolve, next.hang)));
    if (next.error || next.limit)
      return fail(state, next.limit ? limitError(next.limit, state.run) : plainError(next.error));
    state.replies += 1;
    if (next.tool === answerTool && state.run.schema) {
      const wrong = misfit(next.input, state.run.schema);
      if (wrong === null)
        return {
          text: JSON.stringify(next.input),
          turns: state.replies + 1,
          code: 0,
          reason: "completed",
          fields: { structured_output: next.input },
        };
      lastResult = `Output does not match required schema: ${wrong}`;
      continue;
    }
    if (next.tool) {
      lastResult = await useTool(state, next);
      continue;
    }
    if (state.run.schema && state.prompt !== enforcement) {
      state.prompt = enforcement;
      step = -1;
      continue;
    }
    say(state, [{ type: "text", text: next.text }], "end_turn");
    const stop = await hook(state, "Stop", {
      stop_hook_active: stops > 0,
      last_assistant_message: next.text,
    });
    if (stop.blocked === null || stops >= maxStops)
      return { text: next.text, turns: state.replies, code: 0, reason: "completed" };
    stops += 1;
    state.run.transcript.append({
      type: "user",
      isMeta: true,
      message: { role: "user", content: `Stop hook feedback:\n${stop.blocked}` },
    });
  }
}

async function useTool(state, { tool, input }) {
  const { run } = state;
  const id = `toolu_fixture_${randomUUID().slice(0, 8)}`;
  say(state, [{ type: "tool_use", id, name: tool, input }], "tool_use");
  const call = { tool_name: tool, tool_input: input, tool_use_id: id };
  const before = await hook(state, "PreToolUse", call, tool);
  const result =
    before.blocked === null
      ? await runIfAllowed(state, { tool, input, id })
      : { text: before.blocked, failed: true };
  run.print({
    type: "user",
    message: {
      role: "user",
      content: [
        { tool_use_id: id, type: "tool_result", content: result.text, is_error: result.failed },
      ],
    },
    parent_tool_use_id: null,
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
  });
  run.transcript.append({
    type: "user",
    promptId: state.promptId,
    message: {
      role: "user",
      content: [
        { tool_use_id: id, type: "tool_result", content: result.text, is_error: result.failed },
      ],
    },
  });
  if (!result.response) return result.text;
  const event = result.failed ? "PostToolUseFailure" : "PostToolUse";
  noteContext(
    run,
    event,
    (await hook(state, event, { ...call, tool_response: result.response }, tool)).context,
  );
  return result.text;
}

/** What hooks tell the model goes along with its next request, and on record. */
export function noteContext(run, hookEvent, context) {
  if (context.length > 0)
    run.transcript.note({
      type: "attachment",
      attachment: { type: "hook_additional_context", hookEvent, content: context },
    });
}

async function runIfAllowed(state, { tool, input, id }) {
  const { run } = state;
  if (run.tools && !run.tools.includes(tool))
    return {
      text: `<tool_use_error>Error: No such tool available: ${tool}. ${tool} is disabled for this session, in subagents as well as here.</tool_use_error>`,
      failed: true,
    };
  if (isAllowed({ tool, input, mode: run.mode, allowed: run.allowed, folders: run.folders }))
    return unlessInterrupted(run, runTool({ tool, input, cwd: run.cwd, env: run.toolEnv }));
  if (run.askPermission) {
    const answer = await run.askPermission(state, { tool, input });
    return answer.allowed
      ? unlessInterrupted(run, runTool({ tool, input, cwd: run.cwd, env: run.toolEnv }))
      : { text: answer.text, failed: true };
  }
  state.denials.push({ tool_name: tool, tool_use_id: id, tool_input: input });
  return {
    text: "Permission for this tool use was denied. It requires approval, and this session has no approval surface.",
    failed: true,
  };
}

function say(state, content, stopReason) {
  const message = {
    id: `msg_fixture_${randomUUID().slice(0, 8)}`,
    type: "message",
    role: "assistant",
    model: "fixture",
    stop_sequence: null,
    content,
    stop_reason: stopReason,
    usage: { input_tokens: 10, output_tokens: 5 },
  };
  const row = state.run.transcript.append({ type: "assistant", message });
  state.run.print({
    type: "assistant",
    message: { ...message, stop_reason: null },
    parent_tool_use_id: null,
    uuid: row.uuid,
    timestamp: row.timestamp,
    user_message_uuid: state.uuid,
    user_message_uuids: [state.uuid],
  });
}

/**
 * An error of the model's interface: a synthetic reply on record, and a result that calls itself a
 * success.
 */
async function fail(state, error) {
  const { run } = state;
  if (error.event)
    run.print({ type: "rate_limit_event", rate_limit_info: error.event, uuid: randomUUID() });
  const message = {
    role: "assistant",
    model: "<synthetic>",
    content: [{ type: "text", text: error.text }],
  };
  const row = run.transcript.append({
    type: "assistant",
    isApiErrorMessage: true,
    apiErrorStatus: error.status,
    error: error.kind,
    ...(error.name
      ? { apiError: error.name, apiErrorParams: { rate_limit_info: error.event } }
      : {}),
    message,
  });
  run.print({
    type: "assistant",
    message,
    parent_tool_use_id: null,
    uuid: row.uuid,
    error: error.kind,
    api_error_status: error.status,
    user_message_uuids: [state.uuid],
  });
  await hook(state, "StopFailure", { error: error.kind });
  return {
    text: error.text,
    turns: 1,
    code: 1,
    reason: error.reason ?? "api_error",
    failed: true,
    fields: {
      api_error_status: error.status,
      api_error_type: error.type,
      ...(error.name ? { api_error: error.name } : {}),
    },
  };
}

function plainError({ status, type, message }) {
  const base = {
    status,
    type,
    kind: status >= 500 ? "server_error" : status === 429 ? "rate_limit" : "invalid_request",
    text: `API Error: ${status} ${message}`,
  };
  if (status === 401) return { ...base, text: "Invalid API key · Fix external API key" };
  if (status === 403) return { ...base, text: `Failed to authenticate. API Error: 403 ${message}` };
  if (status === 429) return { ...base, text: `API Error: Request rejected (429) · ${message}` };
  if (message.startsWith("prompt is too long"))
    return { ...base, reason: "prompt_too_long", text: `Prompt is too long · ${message}` };
  if (message.startsWith("Your credit balance is too low"))
    return { ...base, text: "Credit balance is too low" };
  return base;
}

/** Only a subscription is told when its limit ends; with a key it is a plain 429. */
function limitError({ window, resetsAt }, run) {
  if (!run.env.CLAUDE_CODE_OAUTH_TOKEN)
    return plainError({ status: 429, type: "rate_limit_error", message: "limited" });
  const event = { status: "rejected", resetsAt, rateLimitType: window, isUsingOverage: false };
  return {
    status: 429,
    type: "rate_limit_error",
    kind: "rate_limit",
    name: "usage_limit_reached",
    text: "You've hit your limit",
    event,
  };
}

function end(state, lifecycle, { text, turns, code, reason, failed = false, fields = {} }) {
  const usd = failed ? 0 : 0.00014 * turns;
  const cost =
    usd === 0
      ? {}
      : { fixture: { inputTokens: 10 * turns, outputTokens: 5 * turns, costUSD: usd } };
  // The total of a result line runs over the whole conversation, across processes.
  const total =
    usd +
    (state.run.transcript.rows().findLast((row) => row.type === "cost-state")?.totalCostUSD ?? 0);
  state.run.transcript.note({ type: "last-prompt", lastPrompt: state.prompt });
  state.run.transcript.note({ type: "cost-state", totalCostUSD: total });
  state.run.printResult({
    type: "result",
    subtype: "success",
    is_error: failed,
    api_error_status: null,
    result: text,
    num_turns: turns,
    duration_ms: Date.now() - state.started,
    duration_api_ms: 1,
    total_cost_usd: total,
    permission_denials: state.denials,
    ...(reason ? { terminal_reason: reason } : {}),
    stop_reason: failed ? "stop_sequence" : "end_turn",
    ...fields,
    user_message_uuid: state.uuid,
    user_message_uuids: [state.uuid],
    queued_turn_count: 0,
    result_index: 0,
    model_usage_since_last_result: cost,
    uuid: randomUUID(),
  });
  lifecycle(failed ? "cancelled" : "completed");
  return code;
}

function initLine({ run, uuid }) {
  return {
    type: "system",
    subtype: "init",
    cwd: run.cwd,
    tools: ["Bash", "Edit", "Read", "Write"],
    mcp_servers: [],
    model: "fixture",
    permissionMode: run.mode,
    slash_commands: [],
    claude_code_version: run.version,
    plugins: run.plugins,
    sandbox_enabled: run.sandboxed,
    uuid: randomUUID(),
    user_message_uuids: [uuid],
  };
}

function hook({ run, promptId }, event, input, tool) {
  return runHooks(run.hooks, event, {
    input: {
      session_id: run.sessionId,
      transcript_path: run.transcript.file,
      cwd: run.cwd,
      prompt_id: promptId,
      permission_mode: run.mode,
      ...input,
    },
    tool,
    env: run.hookEnv,
    cwd: run.cwd,
  });
}
