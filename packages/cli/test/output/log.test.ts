import { createRedactor } from "@loopwork/core";
import { expect, test } from "vitest";
import { createLog, type LogOptions } from "../../src/output/log.ts";

function said(options: Partial<LogOptions>): string[] {
  const lines: string[] = [];
  const log = createLog({
    format: "pretty",
    level: "info",
    redact: createRedactor([{ name: "OURS", value: "hush-hush" }]),
    ...options,
    write: (text) => void lines.push(text),
  });
  for (const level of ["info", "warn", "error"] as const)
    log.say(level, `a ${level} with hush-hush in it`);
  return lines;
}

test.each([
  ["debug", 3],
  ["info", 3],
  ["warn", 2],
  ["error", 1],
] as const)("logging.level %s lets %i of three lines through", (level, count) => {
  expect(said({ level })).toHaveLength(count);
});

test("P17 logging.format json makes a line one JSON document, pretty a sentence; a secret stands in neither", () => {
  const [first] = said({ format: "json" });
  expect(JSON.parse(first ?? "")).toMatchObject({
    level: "info",
    text: "a info with [redacted OURS] in it",
  });
  expect(said({})[1]).toMatch(/^\d\d:\d\d:\d\d warn: a warn with \[redacted OURS\] in it\n$/);
});

test.each(["pretty", "json"] as const)(
  "logging.format %s shows what doesn't print escaped, so that no line steers a terminal or looks like two",
  (format) => {
    const lines: string[] = [];
    const log = createLog({
      format,
      level: "info",
      redact: (text) => text,
      write: (text) => void lines.push(text),
    });
    const odd = "a\n12:00:00 error: forged\r\u009b2J\u001b[31m\u202ereversed\u200b\u2066";
    log.say("info", odd);
    const [line = ""] = lines;
    expect(line.slice(0, -1)).not.toMatch(/[\n\r\p{Cc}\p{Cf}]/u);
    expect(line.endsWith("\n")).toBe(true);
    if (format === "json") expect(JSON.parse(line)).toMatchObject({ text: odd });
    else
      expect(line).toContain(
        String.raw`a\n12:00:00 error: forged\r\u009b2J\u001b[31m\u202ereversed\u200b\u2066`,
      );
  },
);
