import fc from "fast-check";
import { expect, test } from "vitest";
import { classify, safeOperation } from "../../src/learnings/classify-against-facts.ts";
import { operations } from "../../src/learnings/model.ts";
import { normalForm } from "../../src/learnings/normal-form.ts";
import { areSiblings } from "../../src/learnings/slot.ts";

const index = [
  { id: "1", text: "Start the database with docker compose up db" },
  { id: "2", text: "Java services target JDK 17" },
  { id: "3", text: "Never edit the lockfile by hand" },
  { id: "4", text: "Sessions are stored in Redis" },
  { id: "5", text: "Add a changelog entry for each user-visible change" },
];

test.each([
  ["a fact of which nothing stands yet", "Rotate the signing keys every quarter", "ADD", null],
  ["another value of the same subject", "Java services target JDK 21", "UPDATE", "2"],
  ["the same in other words", "Do not edit the lockfile by hand", "NOOP", "3"],
  ["the same in other letters", "sessions are stored in **redis**.", "NOOP", "4"],
  ["what was removed", "Redis was removed, sessions are no longer stored there", "DELETE", "4"],
  ["what is allowed now", "The lockfile may be edited by hand", "DELETE", "3"],
  ["what a team gave up", "We dropped Redis for sessions", "DELETE", "4"],
  [
    "what was removed from somewhere else",
    "The changelog entry was removed from the release checklist",
    "DELETE",
    "5",
  ],
  [
    "what must not be done any more",
    "Do not add a changelog entry for each user-visible change",
    "DELETE",
    "5",
  ],
])("%s", (_what, text, op, target) => {
  const { op: got, target: of } = classify(text, index);
  expect({ got, of }).toEqual({ got: op, of: target });
});

const line = fc.oneof(
  fc.string({ maxLength: 120 }),
  fc.constantFrom(...index.map(({ text }) => text)),
  fc
    .array(
      fc.constantFrom("run", "the", "tests", "never", "--all", "src/a.ts", "no", "longer", "not"),
      { maxLength: 10 },
    )
    .map((words) => words.join(" ")),
);

test("a fact that stands is known, whatever else stands", () => {
  fc.assert(
    fc.property(line, fc.array(line, { maxLength: 8 }), (text, others) => {
      fc.pre(normalForm(text).content.length > 0);
      const facts = [text, ...others].map((each, at) => ({ id: String(at), text: each }));
      const { op, target } = classify(text, facts);
      expect(op).toBe("NOOP");
      expect(normalForm(facts[Number(target)]?.text ?? "").key).toBe(normalForm(text).key);
    }),
  );
});

test("every answer has a target among the three nearest or is ADD, and its chances sum up to one", () => {
  fc.assert(
    fc.property(line, fc.array(line, { maxLength: 8 }), (text, others) => {
      const facts = others.map((each, at) => ({ id: String(at), text: each }));
      const got = classify(text, facts);
      expect(operations).toContain(got.op);
      expect(
        got.op === "ADD" ? got.target === null : got.retrieved.includes(got.target ?? "-"),
      ).toBe(true);
      expect(got.retrieved.length).toBeLessThanOrEqual(3);
      expect(got.alternatives.reduce((all, { probability }) => all + probability, 0)).toBeCloseTo(
        1,
        6,
      );
    }),
  );
});

test("nothing ends that nothing was said against", () => {
  const calm = fc.constantFrom(
    "Run",
    "the",
    "tests",
    "with",
    "make",
    "build",
    "docs/a.md",
    "in",
    "staging",
    "port",
    "8080",
    "use",
    "after",
    "deploy",
  );
  fc.assert(
    fc.property(
      fc.array(calm, { minLength: 1, maxLength: 12 }),
      fc.array(fc.array(calm, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
      (words, facts) => {
        expect(
          classify(
            words.join(" "),
            facts.map((each, at) => ({ id: String(at), text: each.join(" ") })),
          ).op,
        ).not.toBe("DELETE");
      },
    ),
  );
});

test.each([
  ["Only the scheduler may write to the queue", "Never write to the queue from a request handler"],
  [
    "Mocks are not used; tests start the real server",
    "Do not use mocks; start the real server in tests",
  ],
  [
    "Builders make the test objects; fixtures are not used",
    "Test objects are made with builders, not with fixtures",
  ],
  [
    "Never write keys into the image; they come from the environment",
    "Keys come from the environment and are never written into the image",
  ],
  ["Subjects of more than 72 characters are not accepted", "Subjects are limited to 72 characters"],
  ["Tables are dropped only after the owner agreed", "Ask the owner before a table is dropped"],
  ["Force pushes are allowed on branches of one person", "Never force-push"],
  ["Show a dialog only before something is deleted", "Do not show a dialog"],
])("%j does not end %j: it says it in other words, or makes an exception", (text, fact) => {
  expect(
    classify(text, [
      { id: "1", text: fact },
      { id: "2", text: "Dates are stored in UTC" },
    ]).op,
  ).not.toBe("DELETE");
});

test("who cannot ask does what loses least: nothing unsure ends a fact or throws a candidate away for nothing", () => {
  const unsure = { target: "1", confidence: 0.5, needsReview: true, retrieved: ["1", "2"] };
  const chances = (
    ...ops: readonly ("ADD" | "UPDATE" | "NOOP" | "DELETE")[]
  ): { op: "ADD" | "UPDATE" | "NOOP" | "DELETE"; probability: number }[] =>
    ops.map((op, at) => ({ op, probability: 0.5 / (at + 1) }));
  expect(
    safeOperation({ ...unsure, op: "DELETE", alternatives: chances("DELETE", "ADD", "UPDATE") }),
  ).toEqual({ op: "ADD", target: null });
  expect(
    safeOperation({ ...unsure, op: "NOOP", alternatives: chances("NOOP", "UPDATE", "ADD") }),
  ).toEqual({ op: "UPDATE", target: "1" });
  expect(
    safeOperation({
      ...unsure,
      op: "DELETE",
      needsReview: false,
      alternatives: chances("DELETE", "ADD"),
    }),
  ).toEqual({ op: "DELETE", target: "1" });
});

const siblings = (one: string, other: string): boolean =>
  areSiblings(normalForm(one), normalForm(other));

test.each([
  ["The port of the mailer is 8080", "The port of the importer is 9090", true],
  [
    "Never restart the mail gateway in production",
    "Never restart the mail scheduler in production",
    true,
  ],
  [
    "The log level of the collector no longer exists",
    "The log level of the balancer is verbose",
    true,
  ],
  [
    "The log level of the balancer no longer exists",
    "The log level of the balancer is verbose",
    false,
  ],
  ["Preview mode: yarn run preview", "Preview mode: npm run preview", false],
  ["The lexer is written by hand", "The lexer is generated by flex", false],
  [
    "Use Set rather than Array, except in fixtures",
    "Do not use Array in the engine except fixtures",
    false,
  ],
])("%s beside %s: siblings %s", (one, other, expected) => {
  expect(siblings(one, other)).toBe(expected);
});

test("the end of one thing does not end another one of the same kind", () => {
  const { op } = classify("The log level of the collector no longer exists", [
    { id: "1", text: "The log level of the balancer is verbose" },
    { id: "2", text: "Sessions are stored in Redis" },
  ]);
  expect(op).toBe("ADD");
});
