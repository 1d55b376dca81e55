import { describe, expect, test } from "vitest";
import { type Book, emptyBook } from "../../src/learnings/book.ts";
import type { Candidate } from "../../src/learnings/candidate.ts";
import { applyPlan, consolidate } from "../../src/learnings/consolidate.ts";
import { type Learning, learningOf } from "../../src/learnings/learning.ts";
import type { ConsolidationFacts, Plan } from "../../src/learnings/plan.ts";
import { candidate, now } from "./candidates.ts";

const plan = (
  book: Book,
  candidates: readonly Candidate[],
  more: Partial<ConsolidationFacts> = {},
): Plan =>
  consolidate({ book, candidates, rules: [], verdicts: new Map(), lastId: 0, now, ...more });
const thrice = (text: string, prefix = "n"): readonly Candidate[] =>
  [1, 2, 3].map((run) => candidate(text, `${prefix}${run}`));
const learning = (id: number, text: string, over: Partial<Learning> = {}): Learning => ({
  ...learningOf(id, candidate(text, `r${id}`), [candidate(text, `r${id}`)], []),
  ...over,
});
const bookOf = (...learnings: readonly Learning[]): Book => ({ ...emptyBook, learnings });
const ids = (some: readonly Candidate[]): readonly string[] => some.map(({ id }) => id);
const nothing = { waiting: [], expired: [], known: [], unsure: [], tooLarge: false };

const redis = "Sessions are stored in Redis";
const deploy = "Deploy staging with scripts/deploy.sh";
const jdk = "Java services target JDK 17";

describe("what is new is added, with the reason", () => {
  const severe = { severity: "high", severityReason: "data-loss" } as const;
  test.each([
    ["because it was met in three runs", thrice(redis), "met in 3 runs; nothing said it before"],
    [
      "because it is severe",
      [candidate(redis, "n1", severe)],
      "severe (data-loss); nothing said it before",
    ],
    [
      "because one of them is severe, for its reason",
      [
        candidate(redis, "n1", { id: "a", severityReason: "security" }),
        candidate(redis, "n1", { id: "b", severity: "high" }),
        candidate(redis, "n2", severe),
      ],
      "severe (data-loss); nothing said it before",
    ],
    [
      "because it was met in three runs, though it is severe",
      [candidate(redis, "n1", severe), candidate(redis, "n2"), candidate(redis, "n3")],
      "met in 3 runs; nothing said it before",
    ],
  ])("%s", (_what, some, why) => {
    expect(plan(emptyBook, some)).toEqual({
      ...nothing,
      changes: [
        { kind: "add", learning: learningOf(1, some[0]!, some, []), candidates: ids(some), why },
      ],
    });
  });

  test("each under an id of its own, above all that were given anywhere", () => {
    const { changes } = plan(
      bookOf(learning(4, redis)),
      [...thrice(deploy), ...thrice("Rotate the signing keys every quarter")],
      { lastId: 7 },
    );
    expect(changes.map(({ kind, learning: { id } }) => `${kind} ${id}`)).toEqual([
      "add 8",
      "add 9",
    ]);
    expect(
      applyPlan(bookOf(learning(9, redis)), {
        changes: [{ kind: "add", learning: learning(2, deploy), candidates: [], why: "" }],
      }).learnings.map(({ id }) => id),
    ).toEqual([2, 9]);
  });

  test("also where it differs from a rule of people's, which stays", () => {
    const rules = [
      { id: "AGENTS.md:2", text: "Check the links" },
      { id: "AGENTS.md:3", text: jdk },
    ];
    const some = thrice("Java services target JDK 21");
    expect(plan(emptyBook, some, { rules })).toEqual({
      ...nothing,
      changes: [
        {
          kind: "add",
          learning: learningOf(1, some[0]!, some, []),
          candidates: ids(some),
          why: "met in 3 runs; it differs from AGENTS.md:3, which people wrote and which stays",
        },
      ],
    });
    expect(plan(emptyBook, thrice(jdk), { rules })).toEqual({
      ...nothing,
      changes: [],
      known: [{ candidates: ids(thrice(jdk)), rule: "AGENTS.md:3" }],
    });
  });
});

describe("what is known", () => {
  const old = learning(3, redis);

  test("is met again", () => {
    const again = candidate(redis, "n1");
    expect(plan(bookOf(old), [again])).toEqual({
      ...nothing,
      changes: [
        {
          kind: "seen",
          learning: {
            ...old,
            seen: 2,
            sources: [...old.sources, { ...old.sources[0], run: "n1" }],
          },
          candidates: [again.id],
          why: "it says the same",
        },
      ],
    });
  });

  test("comes back into the index where it had to leave it", () => {
    const gone: Learning = { ...old, status: "evicted" };
    expect(plan(bookOf(gone), [candidate(redis, "n1")]).changes).toMatchObject([
      { kind: "promote", learning: { id: 3, status: "active", seen: 2 }, why: "it was met again" },
    ]);
  });

  test("and was counted before changes nothing, but for a higher severity", () => {
    const again = candidate(redis, "r3", { id: "again" });
    expect(plan(bookOf(old), [again])).toEqual({
      ...nothing,
      changes: [],
      known: [{ candidates: ["again"], rule: "[003], which rests on it," }],
    });
    const severe = candidate(redis, "r3", {
      id: "severe",
      severity: "high",
      severityReason: "security",
    });
    expect(plan(bookOf(old), [again, severe])).toEqual({
      ...nothing,
      changes: [
        {
          kind: "seen",
          learning: { ...old, severity: "high" },
          candidates: ["again", "severe"],
          why: "it says the same, more severely",
        },
      ],
    });
  });
});

describe("what stood", () => {
  test("gets another text", () => {
    const old = learning(1, jdk, { earlier: ["Java services target JDK 11"] });
    const some = thrice("Java services target JDK 21");
    expect(plan(bookOf(old), some).changes).toMatchObject([
      {
        kind: "update",
        learning: {
          id: 1,
          text: some[0]?.text,
          kind: "do",
          status: "active",
          seen: 4,
          keys: ["21"],
          earlier: ["Java services target JDK 11", jdk],
        },
        candidates: ids(some),
        why: `it says something else than "${jdk}"`,
      },
    ]);
  });

  test.each([
    ["by what only says so", "scripts/deploy.sh no longer exists"],
    ["by what says so with a word more", "scripts/deploy.sh was removed, finally"],
  ])("ends %s", (_what, text) => {
    const old = learning(1, deploy, { earlier: ["Deploy by hand"] });
    const some = thrice(text);
    const { changes } = plan(bookOf(old), some);
    expect(changes).toMatchObject([
      {
        kind: "retire",
        learning: {
          id: 1,
          status: "retired",
          supersededBy: null,
          seen: 4,
          earlier: ["Deploy by hand", `ended by: ${text}`],
        },
        candidates: ids(some),
        why: `"${text}" ends it`,
      },
    ]);
  });

  test.each([
    ["what forbids it", deploy, "Do not deploy staging with scripts/deploy.sh"],
    [
      "what says what to do instead",
      deploy,
      "scripts/deploy.sh was removed; staging follows each tag",
    ],
    ["what allows it", "Never commit generated files", "Generated files may be committed"],
  ])("gives way to %s, in one step", (_what, stood, text) => {
    const some = thrice(text);
    const { changes } = plan(bookOf(learning(1, stood)), some);
    expect(changes.map(({ kind, candidates, why }) => ({ kind, candidates, why }))).toEqual([
      { kind: "retire", candidates: [], why: `"${text}" ends it` },
      {
        kind: "add",
        candidates: ids(some),
        why: `met in 3 runs; it takes the place of "${stood}"`,
      },
    ]);
    expect(changes.map(({ learning: each }) => each)).toMatchObject([
      { status: "superseded", supersededBy: 2 },
      { id: 2, status: "active", supersedes: [1], pinned: false },
    ]);
  });
});

describe("an unsure classification", () => {
  const book = bookOf(
    learning(1, "Add a contract test for each new endpoint"),
    learning(2, "Rotate the keys every ninety days"),
    learning(3, "Test the endpoints"),
    learning(4, "Never force-push"),
  );
  const some = thrice("Add a smoke test for new endpoints of partners");
  const text = some[0]?.text ?? "";
  const asked = (op: "ADD" | "UPDATE" | "NOOP" | "DELETE", target: string | null): Plan =>
    plan(book, some, { verdicts: new Map([[some[0]?.id ?? "", { op, target }]]) });
  const added = { kind: "add", learning: learningOf(5, some[0]!, some, []), candidates: ids(some) };

  test("is told with what was retrieved, and done as loses least", () => {
    expect(plan(book, some)).toEqual({
      ...nothing,
      changes: [{ ...added, why: "met in 3 runs; nothing said it before" }],
      unsure: [
        {
          candidates: ids(some),
          text,
          likely: "UPDATE",
          done: "ADD",
          retrieved: [
            { id: "1", text: "Add a contract test for each new endpoint" },
            { id: "3", text: "Test the endpoints" },
            { id: "2", text: "Rotate the keys every ninety days" },
          ],
        },
      ],
    });
  });

  test("is done as a classifier said, where that is possible", () => {
    expect(asked("ADD", null)).toEqual({
      ...nothing,
      changes: [{ ...added, why: "met in 3 runs; nothing said it before" }],
    });
    expect(asked("UPDATE", "3")).toMatchObject({
      unsure: [],
      changes: [{ kind: "update", learning: { id: 3 } }],
    });
    expect(asked("NOOP", "1")).toMatchObject({
      unsure: [],
      changes: [{ kind: "seen", learning: { id: 1 } }],
    });
  });

  test.each([
    ["ADD", "1"],
    ["UPDATE", null],
    ["UPDATE", "4"],
    ["DELETE", "1"],
  ] as const)("is done as if no classifier had said %s of %s", (op, target) => {
    expect(asked(op, target)).toEqual(plan(book, some));
  });

  test("that something ends ends only the nearest fact", () => {
    const two = bookOf(learning(1, "Use red blue"), learning(2, "Use red green"));
    const gone = thrice("Red blue pump was removed");
    const said = (target: string): Plan =>
      plan(two, gone, { verdicts: new Map([[gone[0]?.id ?? "", { op: "DELETE", target }]]) });
    expect(plan(two, gone).unsure).toHaveLength(1);
    expect(said("1")).toMatchObject({
      unsure: [],
      changes: [{ kind: "retire", learning: { id: 1 } }],
    });
    expect(said("2")).toEqual(plan(two, gone));
  });

  test("is all that a classifier is asked about", () => {
    const known = candidate(redis, "n1", { severity: "high", severityReason: "security" });
    expect(
      plan(bookOf(learning(1, redis)), [known], {
        verdicts: new Map([[known.id, { op: "ADD", target: null }]]),
      }).changes,
    ).toMatchObject([{ kind: "seen", learning: { id: 1 } }]);
  });
});

test("what has no room leaves the index, the least first to go, and is told what it is worth", () => {
  const many = Array.from({ length: 196 }, (_, at) =>
    learning(at + 1, `Fact number ${at + 1}`, {
      category: "git",
      severity: "low",
      seen: at + 1,
      lastSeen: now,
    }),
  );
  const others = [
    learning(300, "Fact of old", { status: "retired", seen: 0, lastSeen: 0 }),
    learning(301, "Fact in a topic", { status: "evicted", category: "git", seen: 0, lastSeen: 0 }),
  ];
  const { changes, ...rest } = plan(bookOf(...many, ...others), []);
  expect(rest).toEqual(nothing);
  expect(changes.map(({ learning: { id } }) => id)).toEqual(
    Array.from({ length: 21 }, (_, at) => 21 - at),
  );
  expect(changes.at(-1)).toEqual({
    kind: "evict",
    learning: { ...many[0], status: "evicted" },
    candidates: [],
    why: "the index has no room for it: it is worth 3.00, and the least that stays 6.52",
  });
});
