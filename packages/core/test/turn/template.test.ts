import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderPrompt } from "../../src/turn/prompt.ts";
import {
  fillTemplate,
  placeholders,
  unknownPlaceholders,
} from "../../src/config/prompt-template.ts";
import { comment, input, lane } from "./build.ts";
import { authorsOf } from "../../src/testing/build-state.ts";

describe("P15 placeholders are substituted literally in one pass", () => {
  const values = {
    work_item: "REF",
    event: "$action",
    action: "$&",
    payload_excerpt: "$interaction_directive $1 $` $' $$ $(cmd) ${x}",
    interaction_directive: "DIRECTIVE",
  };

  test.each([
    [
      "each at its place",
      "$work_item: $event $action [$interaction_directive]",
      "REF: $action $& [DIRECTIVE]",
    ],
    [
      "what a value contains is text",
      "$payload_excerpt | $interaction_directive",
      "$interaction_directive $1 $` $' $$ $(cmd) ${x} | DIRECTIVE",
    ],
    [
      "whole words only",
      "$event_name $events $eventX $event. $interaction_directive",
      "$event_name $events $eventX $action. DIRECTIVE",
    ],
    [
      "unknown ones and lone signs stay",
      "$HOME $5 $ $$work_item $interaction_directive$",
      "$HOME $5 $ $REF DIRECTIVE$",
    ],
    [
      "a name without its sign is a word, also where the template begins",
      "(event) $event $interaction_directive",
      "(event) $action DIRECTIVE",
    ],
    ["the same one twice", "$event $event $interaction_directive", "$action $action DIRECTIVE"],
    [
      "names of the prototype are unknown",
      "$constructor $toString $__proto__ $interaction_directive",
      "$constructor $toString $__proto__ DIRECTIVE",
    ],
  ])("%s", (_, template, expected) =>
    expect(fillTemplate(template, values, "DIRECTIVE")).toBe(expected),
  );

  test("the directive is appended when it is missing, also when a value only looks like it", () => {
    expect(fillTemplate("Do it.\n", values, "DIRECTIVE")).toBe("Do it.\n\nDIRECTIVE");
    expect(fillTemplate("$payload_excerpt", values, "DIRECTIVE")).toBe(
      `${values.payload_excerpt}\n\nDIRECTIVE`,
    );
  });

  test("any template and any values: text around placeholders stays, values stand whole, in order", () => {
    const text = fc.string({ unit: "binary" }).filter((s) => !s.includes("$"));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.constantFrom(...placeholders)), { maxLength: 8 }),
        text,
        fc.dictionary(
          fc.constantFrom(...placeholders),
          fc.string({
            unit: fc.constantFrom("$", "&", "`", "'", "event", "interaction_directive", "x", "1"),
          }),
        ),
        (parts, tail, some) => {
          const all = {
            ...Object.fromEntries(placeholders.map((name) => [name, name.toUpperCase()])),
            ...some,
          };
          // A blank keeps the text behind from going on with the name.
          const template = parts.map(([before, name]) => `${before}$${name} `).join("") + tail;
          const expected = parts.map(([before, name]) => `${before}${all[name]} `).join("") + tail;
          const placed = parts.some(([, name]) => name === "interaction_directive");
          expect(fillTemplate(template, all, "D")).toBe(
            placed ? expected : `${expected.trimEnd()}\n\nD`,
          );
        },
      ),
    );
  });

  test("time grows with the template alone", () => {
    const long = "$event_".repeat(50_000);
    expect(fillTemplate(long, values, "D")).toBe(`${long}\n\nD`);
  });
});

test("a custom template replaces task, directive and data, never the header", () => {
  const prompt = renderPrompt({
    workItem: lane,
    endpoint: lane,
    endpointType: "issue",
    mode: "resume",
    kind: "continue",
    receipt: "r",
    inputs: [input(comment("one")), input(comment("two", { deliveryId: "d-2" }))],
    interaction: "cli",
    template: "$event/$action in $repository for $work_item ($delivery_id)\n$payload_excerpt",
    nonce: "0123456789abcdef",
    unfinished: null,
    notes: [],
    authors: authorsOf(),
  });
  if (!prompt.ok) throw new Error("nonce");
  const lines = prompt.text.split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "Work item: host:acme/widgets#7",
    "Receipt: r",
    "Event 1: issue_comment created, delivery d-1, by alice (authorized)",
    "Event 2: issue_comment created, delivery d-2, by alice (authorized)",
  ]);
  expect(lines).toContain(
    "issue_comment/created in acme/widgets for host:acme/widgets#7 (d-1, d-2)",
  );
  expect(prompt.text).toContain("You were interrupted");
  expect(prompt.text).not.toContain("Task:");
  expect(
    prompt.text.trimEnd().endsWith("Post nothing on the work item unless you are asked to."),
  ).toBe(true);
});

test("slips in a template are found, variables of a shell are not", () => {
  expect(unknownPlaceholders("$payload $event $HOME $events $payload $5")).toEqual([
    "payload",
    "events",
  ]);
  expect(unknownPlaceholders("$Path $eventS $event2 $xX_x")).toEqual([]);
});

test("of a long word that is no placeholder the first 64 letters are told", () => {
  expect(unknownPlaceholders(`$${"a".repeat(65)}`)).toEqual(["a".repeat(64)]);
});
