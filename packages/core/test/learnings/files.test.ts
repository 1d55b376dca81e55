import fc from "fast-check";
import { expect, test } from "vitest";
import { parseBlock } from "../../src/learnings/block.ts";
import { type Candidate, formatCandidate, parseCandidate } from "../../src/learnings/candidate.ts";
import { bodyOf, detailAfter, formatDetail, parseDetail } from "../../src/learnings/detail-file.ts";
import { learningOf } from "../../src/learnings/learning.ts";

const candidate: Candidate = {
  id: "01-a",
  text: "Start the database before the tests",
  category: "testing",
  signal: { kind: "ci-fail", by: "check", ref: "https://host/acme/shop/runs/7" },
  severity: "high",
  severityReason: "prod-outage",
  workItem: "host:acme/shop#7",
  run: "turn-1",
  harness: "A",
  instance: "default",
  at: 1_800_000_000_000,
  evidence: "connect ECONNREFUSED",
};

test("a candidate is read back as it was, whatever its evidence holds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (evidence) => {
      fc.pre(evidence.isWellFormed());
      const read = parseCandidate(formatCandidate({ ...candidate, evidence }));
      expect(read).toEqual({ ok: true, candidate: { ...candidate, evidence } });
    }),
  );
});

test.each([
  ["v: 1", "v: 2"],
  ["text: Start", "text: <!-- /loop:learnings --> Start"],
  ["by: check", "by: stranger"],
  ["kind: ci-fail", "kind: rumour"],
  ["severity: high", "severity: dire"],
  ["workItem: host:acme/shop#7", "workItem: ''"],
  ["at: 1800000000000", "at: soon"],
])("a candidate with %s made into %s is refused", (right, wrong) => {
  const text = formatCandidate(candidate);
  expect(text).toContain(right);
  expect(parseCandidate(text.replace(right, wrong)).ok).toBe(false);
});

test("a category that is no name of ours becomes a general one, and leads to no file", () => {
  expect(
    parseCandidate(formatCandidate(candidate).replace("category: testing", "category: ../../etc")),
  ).toMatchObject({ ok: true, candidate: { category: "general" } });
});

test("aliases are refused before they can grow", () => {
  expect(parseCandidate(`v: 1\nevidence: &a x\nref: *a\n${formatCandidate(candidate)}`).ok).toBe(
    false,
  );
});

test("a detail file is read back as it was, with the words of people in its body", () => {
  const learning = learningOf(17, candidate, [candidate], [3]);
  const body = `${bodyOf(learning)}\nMore of my own.\n---\nand this\n`;
  expect(parseDetail(formatDetail({ learning, body }))).toEqual({
    ok: true,
    detail: { learning, body },
  });
});

test("what we wrote into a detail gives way when its fact changes or ends; what people wrote there stays", () => {
  const learning = learningOf(17, candidate, [candidate], []);
  const mine = "My own words: Start the database before the tests, always.";
  const before = { learning, body: `${bodyOf(learning)}\n${mine}\n` };
  const changed = detailAfter(before, { ...learning, text: "Start the cache before the tests" });
  expect(changed.body).toContain("## Learning\n\nStart the cache before the tests\n");
  expect(changed.body.match(/Start the database before the tests/gu)).toHaveLength(1);
  expect(changed.body).toContain(mine);
  const ended = detailAfter(changed, {
    ...changed.learning,
    status: "superseded",
    supersededBy: 18,
  });
  expect(ended.body).not.toContain("Follow it");
  expect(ended.body).toContain("## Action\n\nNone: [018] stands in its place.\n");
  expect(detailAfter(ended, ended.learning)).toEqual(ended);
  expect(detailAfter(before, { ...learning, status: "retired" }).body).toContain(
    "None: it holds no longer.",
  );
});

test.each([
  "",
  "no front matter",
  "---\nid: 1\n",
  "---\n- a list\n---\n",
  "---\nid: 0\ntext: two words\n---\n",
])("%j is no detail file", (text) => {
  expect(parseDetail(text).ok).toBe(false);
});

const block = (...lines: readonly string[]): string =>
  `# Learnings\n<!-- loop:learnings v1; managed block, edit text freely, keep ids -->\n${lines.map((line) => `${line}\n`).join("")}<!-- /loop:learnings -->\nafter\n`;

test.each([
  ["a line without an id", block("## testing", "- run the tests twice"), 4],
  ["a learning before any category", block("- [001] run the tests twice"), 3],
  ["a category that there is not", block("## ../etc"), 3],
  ["a category twice", block("## testing", "## build", "## testing"), 5],
  [
    "an id twice",
    block("## testing", "- [001] run the tests twice", "- [001] run the linter once"),
    5,
  ],
  ["a pointer to another category", block("## testing", "- more: topics/build.md (3)"), 4],
  ["a line that is too long", block("## testing", `- [001] ${"word ".repeat(60)}`), 4],
  [
    "a block without an end",
    "<!-- loop:learnings v1; managed block, edit text freely, keep ids -->\n",
    1,
  ],
  ["two blocks", `${block()}${block()}`, 6],
  ["a block of another version", block().replace("v1", "v2"), 2],
])("%s is refused, with its line", (_what, text, line) => {
  expect(parseBlock(text)).toMatchObject({ ok: false, line });
});

test("a file without a block keeps its words, and gets the block behind them", () => {
  expect(parseBlock("# Ours\n\nsome words")).toEqual({
    ok: true,
    file: { before: "# Ours\n\nsome words\n", sections: [], after: "" },
  });
});
