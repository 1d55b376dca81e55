import type { ChildEnd, Outcome } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import { outcome } from "../src/outcome.ts";
import { cleanEnd, failedEnd, lines, otherReceipt, receipt } from "./support.ts";

function judge(stdout: readonly string[], end: ChildEnd = cleanEnd, stderr = ""): Outcome {
  return outcome({ receipt, end, stdout, stderr });
}

const begun = [lines.lifecycle("queued"), lines.lifecycle("started"), lines.init(), lines.echo()];

describe("outcome", () => {
  test("done: an end of turn that names our receipt, without an error, with at least one turn", () => {
    expect(judge([...begun, lines.reply(), lines.result(), lines.lifecycle("completed")])).toEqual({
      kind: "done",
      denials: [],
      usd: 0.75,
      minutes: 0.5,
    });
  });

  test("X03: exit code 0 without an end of turn is not done", () => {
    expect(judge([])).toMatchObject({ kind: "unclear" });
    expect(judge(begun)).toMatchObject({ kind: "unclear" });
    expect(
      judge([
        ...begun,
        lines.result({ user_message_uuid: otherReceipt, user_message_uuids: [otherReceipt] }),
      ]),
    ).toMatchObject({ kind: "unclear" });
  });

  test("X03: a receipt that was answered before does nothing, with exit code 0", () => {
    expect(judge([lines.duplicate(), lines.lifecycle("completed")])).toEqual({ kind: "swallowed" });
    expect(judge([lines.lifecycle("completed")])).toEqual({ kind: "swallowed" });
  });

  test("a prompt that a hook blocked ran no turn", () => {
    expect(
      judge([...begun, lines.result({ num_turns: 0, result: "blocked by hook: nope" })]),
    ).toEqual({ kind: "prompt-blocked", detail: "blocked by hook: nope" });
  });

  test("denied tools are listed with what was asked for", () => {
    const denied = [
      { tool_name: "Bash", tool_use_id: "t", tool_input: { command: "curl evil" } },
      { tool_name: "WebFetch", tool_input: { url: "u" } },
    ];
    expect(judge([lines.result({ permission_denials: denied })])).toMatchObject({
      kind: "done",
      denials: [
        { tool: "Bash", input: "curl evil" },
        { tool: "WebFetch", input: '{"url":"u"}' },
      ],
    });
  });

  test.each([
    ["overload", { api_error_status: 529 }, { kind: "transient", status: 529 }],
    ["plain 429", { api_error_status: 429 }, { kind: "transient", status: 429 }],
    ["500", { api_error_status: 500 }, { kind: "transient", status: 500 }],
    [
      "no connection",
      { api_error_status: null, result: "API Error: Connection refused" },
      { kind: "transient", status: null },
    ],
    [
      "key refused",
      { api_error_status: 401, result: "Invalid API key · Fix external API key" },
      { kind: "login" },
    ],
    ["403", { api_error_status: 403 }, { kind: "login" }],
    [
      "no money",
      { api_error_status: 400, result: "Credit balance is too low" },
      { kind: "billing" },
    ],
    [
      "prompt too long",
      {
        api_error_status: 400,
        terminal_reason: "prompt_too_long",
        result: "Prompt is too long · …",
      },
      { kind: "prompt-too-long" },
    ],
    [
      "other 400",
      { api_error_status: 400, result: "API Error: 400 messages.0: bad" },
      { kind: "bad-invocation" },
    ],
  ])("API error, %s: although the harness calls it a success", (_name, fields, expected) => {
    expect(
      judge(
        [
          ...begun,
          lines.result({
            is_error: true,
            terminal_reason: "api_error",
            result: "API Error",
            num_turns: 1,
            ...fields,
          }),
        ],
        failedEnd,
      ),
    ).toMatchObject(expected);
  });

  test("usage limit: until when, in milliseconds, comes from the harness; without it nothing is guessed", () => {
    const hit = lines.result({
      is_error: true,
      terminal_reason: "api_error",
      api_error_status: 429,
      api_error: "usage_limit_reached",
      result: "resets 6:03am (UTC)",
    });
    expect(judge([lines.limit(1_795_240_999), hit], failedEnd)).toEqual({
      kind: "usage-limit",
      until: 1_795_240_999_000,
      limit: "five_hour",
    });
    expect(judge([hit], failedEnd)).toEqual({ kind: "usage-limit", until: null, limit: null });
  });

  test("an early warning of a limit does not change a finished turn", () => {
    expect(judge([lines.limit(1_795_240_999, "allowed_warning"), lines.result()])).toMatchObject({
      kind: "done",
    });
  });

  test.each([
    [
      "session-not-found",
      "No conversation found with session ID: aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
    ],
    [
      "session-id-taken",
      "Error: Session ID aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa is already in use.",
    ],
    ["session-busy", "That session is running in the background"],
    ["login", "Not logged in · Please run /login"],
    ["bad-invocation", "error: unknown option '--x'"],
  ])("%s, from the harness's words on standard error", (kind, stderr) => {
    expect(judge([], failedEnd, stderr)).toMatchObject({ kind });
  });

  test("session-not-found is in the output as well, in a result that names no receipt", () => {
    const refusal = JSON.stringify({
      type: "result",
      subtype: "error_during_execution",
      is_error: true,
      num_turns: 0,
      errors: ["No conversation found with session ID: x"],
    });
    expect(judge([refusal], failedEnd)).toEqual({ kind: "session-not-found" });
  });

  test("a program that is not there", () => {
    expect(
      judge([], { code: 127, signal: null, stopped: null }, "sh: claude: not found"),
    ).toMatchObject({ kind: "not-installed" });
  });

  test("X01 X02: what stopped the child decides when there is no end of turn", () => {
    expect(judge(begun, { code: null, signal: "SIGKILL", stopped: "deadline" })).toEqual({
      kind: "timeout",
    });
    expect(judge(begun, { code: null, signal: "SIGTERM", stopped: "output-limit" })).toEqual({
      kind: "output-limit",
    });
    expect(judge(begun, { code: 143, signal: null, stopped: "asked" })).toEqual({
      kind: "killed",
      signal: "SIGTERM",
      asked: true,
    });
    expect(judge(begun, { code: null, signal: "SIGKILL", stopped: null })).toEqual({
      kind: "killed",
      signal: "SIGKILL",
      asked: false,
    });
  });

  test("a turn that ended is done, whatever happened to the process afterwards", () => {
    expect(
      judge([...begun, lines.result()], { code: null, signal: "SIGKILL", stopped: "deadline" }),
    ).toMatchObject({ kind: "done" });
  });

  test("an error of the harness that is none of the above is unclear and quotes it", () => {
    expect(
      judge(
        [
          ...begun,
          lines.result({
            is_error: true,
            subtype: "error_during_execution",
            terminal_reason: null,
            result: "interrupted",
          }),
        ],
        failedEnd,
      ),
    ).toEqual({ kind: "unclear", detail: "The harness ended the turn with an error: interrupted" });
  });
});
