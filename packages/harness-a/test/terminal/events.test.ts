import { describe, expect, test } from "vitest";
import { parseCurrentTurn, parseEvents, recordEvent } from "../../src/terminal/events.ts";

const call = JSON.stringify({ session_id: "s-1", prompt_id: "p-1", hook_event_name: "Stop" });

describe("an event of a terminal", () => {
  test("is one line in the folder that the variable names, and is read back", () => {
    const recorded = recordEvent("stop", call, { LOOP_TERMINAL: "/state/terminals/s-1" }, 7);
    expect(recorded?.file).toBe("/state/terminals/s-1/events.jsonl");
    expect(parseEvents(recorded?.line ?? "")).toEqual([
      { event: "stop", sessionId: "s-1", promptId: "p-1", tool: null, input: null, at: 7 },
    ]);
  });

  test("of a permission keeps what was asked for", () => {
    const asked = JSON.stringify({
      session_id: "s-1",
      prompt_id: "p-1",
      tool_name: "Bash",
      tool_input: { command: "curl x" },
    });
    expect(
      parseEvents(recordEvent("permission", asked, { LOOP_TERMINAL: "/t" }, 7)?.line ?? ""),
    ).toMatchObject([{ event: "permission", tool: "Bash", input: { command: "curl x" } }]);
  });

  test.each([
    ["outside of a terminal", call, {}],
    ["for a folder that is no path", call, { LOOP_TERMINAL: "relative" }],
    ["for something that is no call of a hook", "[]", { LOOP_TERMINAL: "/t" }],
    ["without a session", "{}", { LOOP_TERMINAL: "/t" }],
  ])("is not recorded %s", (_what, stdin, env) => {
    expect(recordEvent("stop", stdin, env, 7)).toBe(null);
  });

  test("that is being written, or is none, is left out", () => {
    expect(
      parseEvents(
        '{"event":"stop","sessionId":"s"}\n{"event":"nonsense","sessionId":"s"}\n{"event":"sto',
      ).map(({ event }) => event),
    ).toEqual(["stop"]);
  });
});

test.each([
  ['{"turn":"7","turnDir":"/t/7","receipt":"r"}', { turn: "7", turnDir: "/t/7", receipt: "r" }],
  ['{"turn":7,"turnDir":"/t/7","receipt":"r"}', null],
  ["", null],
])("the turn of a terminal is read from %j", (text, turn) => {
  expect(parseCurrentTurn(text)).toEqual(turn);
});
