import { createRedactor } from "@loopwork/core";
import { expect, test } from "vitest";
import { createLog, type LogOptions } from "../../src/start/log.ts";

function said(options: Partial<LogOptions>): string[] {
  const lines: string[] = [];
  const log = createLog({ format: "pretty", level: "info", redact: createRedactor([{ name: "OURS", value: "hush-hush" }]), ...options, write: (text) => void lines.push(text) });
  for (const level of ["info", "warn", "error"] as const) log.say(level, `a ${level} with hush-hush in it`);
  return lines;
}

test.each([["debug", 3], ["info", 3], ["warn", 2], ["error", 1]] as const)("logging.level %s lets %i of three lines through", (level, count) => {
  expect(said({ level })).toHaveLength(count);
});

test("P17 logging.format json makes a line one JSON document, pretty a sentence; a secret stands in neither", () => {
  const [first] = said({ format: "json" });
  expect(JSON.parse(first ?? "")).toMatchObject({ level: "info", text: "a info with [redacted OURS] in it" });
  expect(said({})[1]).toMatch(/^\d\d:\d\d:\d\d warn: a warn with \[redacted OURS\] in it\n$/);
});
