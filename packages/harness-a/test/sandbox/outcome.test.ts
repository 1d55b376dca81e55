import type { Outcome } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import { outcome } from "../../src/outcome.ts";
import { cleanEnd, failedEnd, lines, receipt } from "../support.ts";

const begun = (sandboxed: boolean | null): readonly string[] => [
  lines.lifecycle("queued"),
  lines.lifecycle("started"),
  lines.init([], "2.1.332", sandboxed),
  lines.echo(),
];
const rest = [lines.reply(), lines.result(), lines.lifecycle("completed")];
const judge = (
  stdout: readonly string[],
  sandboxed: boolean,
  more: { readonly stderr?: string; readonly end?: typeof cleanEnd } = {},
): Outcome =>
  outcome({ receipt, stdout, stderr: more.stderr ?? "", end: more.end ?? cleanEnd, sandboxed });

describe("a turn that was to run in the sandbox", () => {
  test("counts as any other when its first row says that the sandbox is on", () => {
    expect(judge([...begun(true), ...rest], true)).toMatchObject({ kind: "done" });
  });

  test.each([
    ["says that it is off", [...begun(false), ...rest]],
    ["says nothing of it", [...begun(null), ...rest]],
    [
      "says on, and off in another row",
      [...begun(false), lines.init([], "2.1.332", true), ...rest],
    ],
    ["says on first, and off later", [...begun(true), lines.init([], "2.1.332", false), ...rest]],
  ])("is none when the harness %s, whatever it then did", (_name, stdout) => {
    expect(judge(stdout, true)).toEqual({
      kind: "unsandboxed",
      detail: "Claude Code 2.1.332 ran the turn without its sandbox",
    });
    expect(judge(stdout, false)).toMatchObject({ kind: "done" });
  });

  test("is none when the harness works without a first row at all", () => {
    expect(judge(rest, true)).toEqual({
      kind: "unsandboxed",
      detail: "Claude Code did not say whether its sandbox is on",
    });
  });

  test("that we stopped for it is no killed one, which would be tried again at once", () => {
    expect(
      judge(begun(false), true, { end: { code: null, signal: "SIGKILL", stopped: "asked" } }),
    ).toMatchObject({ kind: "unsandboxed" });
  });

  test("was refused by the harness, in its own words", () => {
    const refusal = lines.result({
      is_error: true,
      subtype: "error_during_execution",
      num_turns: 0,
      result: undefined,
      user_message_uuid: undefined,
      user_message_uuids: [],
      terminal_reason: undefined,
      errors: ["Sandbox required but unavailable: socat not installed"],
    });
    expect(judge([refusal], true, { end: failedEnd })).toEqual({
      kind: "unsandboxed",
      detail: "Sandbox required but unavailable: socat not installed",
    });
    expect(
      judge([], true, {
        end: failedEnd,
        stderr: "Error: sandbox required but unavailable: bubblewrap (bwrap) not installed",
      }),
    ).toMatchObject({ kind: "unsandboxed" });
  });
});
