import fc from "fast-check";
import { expect, test } from "vitest";
import { type EventLine, eventKinds } from "../../src/event-log/event-line.ts";
import { countHidden, escapeHidden, escapeInline } from "../../src/text/hidden-characters.ts";
import { formatLine, parseLine } from "../../src/event-log/format-line.ts";

const line: EventLine = {
  time: 1,
  kind: "delivery.decided",
  level: "info",
  instance: "default",
  workItem: null,
  delivery: "d-1",
  reason: "unlabelled",
  fields: { actor: "alice", tries: 2, ok: true, none: null },
};
const steering = /[\u0000-\u001f\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

test("a line is one JSON object with its keys in order", () => {
  expect(formatLine(line)).toBe(
    '{"time":1,"kind":"delivery.decided","level":"info","instance":"default","workItem":null,"delivery":"d-1","reason":"unlabelled","fields":{"actor":"alice","tries":2,"ok":true,"none":null}}',
  );
});

test.each([
  "a\nb",
  "\u001b[31mred",
  "\u009b2J",
  "\r{}",
  "\u2028",
  "\u202egnp.exe",
  "\u0000",
  "\u{e0041}",
])("A06 %j in a field neither breaks the line nor steers a terminal, and is not lost", (text) => {
  const formatted = formatLine({ ...line, reason: text, fields: { text } });
  expect(formatted).not.toMatch(steering);
  expect(formatted.split("\n")).toHaveLength(1);
  expect(parseLine(formatted)).toEqual({
    ok: true,
    line: { ...line, reason: text, fields: { text } },
  });
});

test("every line comes back as it was", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string());
  const someLine: fc.Arbitrary<EventLine> = fc.record({
    time: fc.integer(),
    kind: fc.constantFrom(...eventKinds),
    level: fc.constantFrom("debug", "info", "warn", "error"),
    instance: text,
    workItem: fc.option(text),
    delivery: fc.option(text),
    reason: fc.option(text),
    fields: fc.dictionary(
      fc.string({ minLength: 1, maxLength: 10 }).filter((key) => key !== "__proto__"),
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
      { noNullPrototype: true },
    ),
  });
  fc.assert(
    fc.property(someLine, (one) => {
      const formatted = formatLine(one);
      expect(formatted).not.toMatch(steering);
      expect(parseLine(formatted)).toEqual({ ok: true, line: one });
    }),
  );
});

test.each([
  ["", "no JSON object"],
  ["[]", "no JSON object"],
  ['{"time":"1"}', "time is no number"],
  ['{"time":1,"kind":"made.up"}', "unknown kind"],
  ['{"time":1,"kind":"turn.done","level":"loud"}', "unknown level"],
  ['{"time":1,"kind":"turn.done","level":"info","instance":1}', "instance is no text"],
  [
    '{"time":1,"kind":"turn.done","level":"info","instance":"x","workItem":1}',
    "workItem, delivery or reason is neither text nor null",
  ],
  [
    '{"time":1,"kind":"turn.done","level":"info","instance":"x","workItem":null,"delivery":null,"reason":null,"fields":{"a":{}}}',
    "fields hold more than plain values",
  ],
])("%s is refused: %s", (text, why) => expect(parseLine(text)).toEqual({ ok: false, why }));

test("text of one line is escaped and short", () => {
  expect(escapeInline("a\nb\tc\u001b\u200b")).toBe("a\\nb\\tc\\u001b\\u200b");
  expect(escapeInline("x".repeat(300))).toHaveLength(201);
});

test("escaping inside of JSON changes nothing but the looks", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      (text) =>
        JSON.parse(escapeHidden(JSON.stringify(text))) === text &&
        countHidden(escapeHidden(text)) === 0,
    ),
  );
});
