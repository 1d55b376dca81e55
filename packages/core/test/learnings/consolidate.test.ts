import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { restsOn } from "../../src/learnings/already-counted.ts";
import { formatBlock, parseBlock } from "../../src/learnings/block.ts";
import { type Book, emptyBook, indexOf, topicsOf } from "../../src/learnings/book.ts";
import { mostBytes, mostLines, score, sizeOfText } from "../../src/learnings/budget.ts";
import type { Candidate } from "../../src/learnings/candidate.ts";
import { applyPlan, consolidate } from "../../src/learnings/consolidate.ts";
import { type Learning, lineTakenOut } from "../../src/learnings/learning.ts";
import type { Plan } from "../../src/learnings/plan.ts";
import { opensAt } from "../../src/learnings/write-gate.ts";

const now = 1_800_000_000_000;

function candidate(text: string, run: string, more: Partial<Candidate> = {}): Candidate {
  return {
    id: `${run}-${text.length}-${text.slice(0, 20)}`,
    text,
    category: "general",
    signal: { kind: "test-fail", by: "check", ref: "" },
    severity: "medium",
    severityReason: null,
    workItem: "host:acme/shop#1",
    run,
    harness: "A",
    instance: "default",
    at: now - 1000,
    evidence: "",
    ...more,
  };
}

function thrice(text: string): readonly Candidate[] {
  return ["r1", "r2", "r3"].map((run) => candidate(text, run));
}

function plan(
  book: Book,
  candidates: readonly Candidate[],
  more: Partial<Parameters<typeof consolidate>[0]> = {},
): Plan {
  return consolidate({ book, candidates, rules: [], verdicts: new Map(), lastId: 0, now, ...more });
}

function learned(...texts: readonly string[]): Book {
  return texts.reduce((book, text) => applyPlan(book, plan(book, thrice(text))), emptyBook);
}

const standing = (book: Book): readonly string[] =>
  book.learnings.filter(({ status }) => status === "active").map(({ text }) => text);

describe("the write-gate", () => {
  test("two runs are not enough, the third one is; the same run again is none", () => {
    const text = "Start the database before the integration tests";
    const two = [
      candidate(text, "r1"),
      candidate(text, "r2"),
      candidate(text, "r2", { id: "again" }),
    ];
    expect(plan(emptyBook, two)).toMatchObject({
      changes: [],
      waiting: expect.arrayContaining(two.map(({ id }) => id)),
    });
    expect(plan(emptyBook, [...two, candidate(text, "r3")]).changes).toMatchObject([
      { kind: "add", learning: { id: 1, text, seen: opensAt } },
    ]);
  });

  test("a severe one passes at once for a reason of the list, and not because it says so itself", () => {
    const text = "Never run the reset script against production";
    expect(plan(emptyBook, [candidate(text, "r1", { severity: "high" })]).changes).toEqual([]);
    expect(
      plan(emptyBook, [candidate(text, "r1", { severity: "high", severityReason: "data-loss" })])
        .changes,
    ).toMatchObject([{ kind: "add", learning: { severity: "high" } }]);
  });

  test("what says the contrary, or names another thing, is counted apart", () => {
    const texts = [
      "Use make test-unit in the api folder",
      "Do not use make test-unit in the api folder",
      "Use make --all in the api folder",
    ];
    expect(
      plan(
        emptyBook,
        texts.map((text, at) => candidate(text, `r${at}`)),
      ).changes,
    ).toEqual([]);
  });

  test("three things of one kind, each met once, are no fact that was met three times", () => {
    const mailers = ["mailer", "importer", "planner"];
    for (const say of [
      (thing: string) => `Never change the cache of the ${thing} in production`,
      (thing: string) => `The cache of the ${thing} no longer exists`,
    ]) {
      expect(
        plan(
          emptyBook,
          mailers.map((thing, at) => candidate(say(thing), `r${at}`, { id: thing })),
        ).changes,
      ).toEqual([]);
    }
  });

  test("three ends of three things are not one end that was met three times, though they end in the same words", () => {
    const things = ["fixture data", "start-up order", "queue depth"];
    expect(
      plan(
        emptyBook,
        things.map((thing, at) =>
          candidate(`The ${thing} of the gateway no longer exists`, `r${at}`, { id: thing }),
        ),
      ),
    ).toMatchObject({ changes: [], waiting: expect.arrayContaining(things) });
  });

  test("what waited for ninety days expires, and is told", () => {
    const old = candidate("Start the database before the tests", "r1", {
      at: now - 91 * 86_400_000,
    });
    expect(plan(emptyBook, [old])).toMatchObject({ changes: [], waiting: [], expired: [old.id] });
  });
});

describe("consolidation", () => {
  test("what is known already counts at once", () => {
    const book = learned("Sessions are stored in Redis");
    const after = applyPlan(book, plan(book, [candidate("Sessions are stored in Redis", "r9")]));
    expect(after.learnings).toMatchObject([{ id: 1, seen: 4 }]);
  });

  test("another value takes the place of the old one; its text is the candidate's", () => {
    const book = learned("Java services target JDK 17");
    expect(
      applyPlan(book, plan(book, thrice("Java services target JDK 21"))).learnings,
    ).toMatchObject([
      { id: 1, text: "Java services target JDK 21", earlier: ["Java services target JDK 17"] },
    ]);
  });

  test("what only says that something is gone ends it; what says what to do instead stands in its place, in one step", () => {
    const book = learned("Deploy staging with scripts/deploy.sh");
    const gone = applyPlan(book, plan(book, thrice("scripts/deploy.sh no longer exists")));
    expect(gone.learnings).toMatchObject([{ id: 1, status: "retired", supersededBy: null }]);
    const contrary = applyPlan(
      book,
      plan(book, thrice("Do not deploy staging with scripts/deploy.sh")),
    );
    expect(contrary.learnings).toMatchObject([
      { id: 1, status: "superseded", supersededBy: 2 },
      { id: 2, status: "active", supersedes: [1] },
    ]);
  });

  test("what a rule file says already is not learned; what differs from it is, and the file stays people's", () => {
    const rules = [{ id: "AGENTS.md:3", text: "Never commit generated files" }];
    expect(plan(emptyBook, thrice("Do not commit generated files"), { rules })).toMatchObject({
      changes: [],
      known: [{ rule: "AGENTS.md:3" }],
    });
    expect(
      plan(emptyBook, thrice("Generated files may be committed"), { rules }).changes,
    ).toMatchObject([{ kind: "add", why: expect.stringContaining("AGENTS.md:3") }]);
  });

  test("an unsure one is told, and an answer about it is taken only for what was retrieved", () => {
    const book = learned(
      "Add a contract test for each new endpoint",
      "Rotate the keys every ninety days",
    );
    const unsure = thrice("Add a smoke test for new endpoints of partners");
    const alone = plan(book, unsure);
    expect(alone.unsure).toHaveLength(1);
    const ask = (op: "ADD" | "UPDATE" | "DELETE" | "NOOP", target: string): Plan =>
      plan(book, unsure, { verdicts: new Map([[unsure[0]?.id ?? "", { op, target }]]) });
    expect(ask("UPDATE", "1")).toMatchObject({
      unsure: [],
      changes: [{ kind: "update", learning: { id: 1 } }],
    });
    expect(alone.unsure[0]?.retrieved).toEqual(
      expect.arrayContaining([{ id: "1", text: "Add a contract test for each new endpoint" }]),
    );
    for (const verdict of [ask("UPDATE", "77"), ask("DELETE", "1"), ask("ADD", "1")])
      expect(verdict).toEqual(alone);
  });

  test("ids are never used again", () => {
    const book = learned("Deploy staging with scripts/deploy.sh");
    const gone = applyPlan(book, plan(book, thrice("scripts/deploy.sh no longer exists")));
    expect(
      applyPlan(gone, plan(gone, thrice("Deploy staging with make staging"))).learnings.map(
        ({ id }) => id,
      ),
    ).toEqual([1, 2]);
  });
});

describe("what ended", () => {
  const text = "Deploy staging with scripts/deploy.sh";
  const takenOut = (book: Book): Book => ({
    ...book,
    learnings: book.learnings.map((each) => ({
      ...each,
      status: "retired",
      earlier: [...each.earlier, lineTakenOut],
    })),
  });

  test("by a person stays ended, however often and severely it is met again, also in other words", () => {
    const book = takenOut(learned("Sessions are stored in Redis"));
    for (const again of [
      ["n1", "n2", "n3"].map((run) => candidate("Sessions are stored in Redis", run)),
      ["n1", "n2", "n3"].map((run) => candidate("Sessions get stored in Redis", run)),
      [
        candidate("Store sessions in Redis", "r8", {
          severity: "high",
          severityReason: "prod-outage",
        }),
      ],
      [candidate("Sessions are stored in Redis", "r9")],
    ]) {
      expect(plan(book, again)).toMatchObject({
        changes: [],
        waiting: [],
        known: [{ rule: "[001], which a person ended,", candidates: again.map(({ id }) => id) }],
      });
    }
  });

  test("stays ended also where it would take the place of another value; what differs is learned", () => {
    const book = applyPlan(takenOut(learned("Java services target JDK 17")), { changes: [] });
    const both: Book = {
      ...book,
      learnings: [
        ...book.learnings,
        ...learned("Java services target JDK 21").learnings.map((each) => ({ ...each, id: 2 })),
      ],
    };
    expect(plan(both, thrice("Java services target JDK 17"))).toMatchObject({
      changes: [],
      known: [{ rule: "[001], which a person ended," }],
    });
    expect(plan(book, thrice("Java services target JDK 25")).changes).toMatchObject([
      { kind: "add" },
    ]);
  });

  test("by what was met comes back by other runs, and not by those that it rested on", () => {
    const gone = applyPlan(
      learned(text),
      plan(
        learned(text),
        ["e1", "e2", "e3"].map((run) => candidate("scripts/deploy.sh no longer exists", run)),
      ),
    );
    expect(gone.learnings).toMatchObject([{ status: "retired" }]);
    expect(plan(gone, thrice(text))).toMatchObject({
      changes: [],
      known: [{ rule: "[001], which ended," }],
    });
    expect(
      plan(
        gone,
        ["r1", "r2", "n1"].map((run) => candidate(text, run)),
      ),
    ).toMatchObject({ changes: [], waiting: [expect.stringContaining("n1")] });
    expect(plan(gone, [candidate("scripts/deploy.sh no longer exists", "e1")])).toMatchObject({
      changes: [],
      known: [{ rule: "[001], which ended," }],
    });
    expect(
      plan(
        gone,
        ["n1", "n2", "n3"].map((run) => candidate(text, run)),
      ).changes,
    ).toMatchObject([{ kind: "add", learning: { id: 2, text } }]);
  });

  test("a candidate that was taken in as known in other words rests where its run does, also in a file of an earlier version", () => {
    const book = learned("Do not use default exports; use named exports");
    const other = candidate("No default exports", "r1");
    const after = applyPlan(book, plan(book, [other]));
    const [met] = after.learnings;
    if (met === undefined) throw new Error("nothing was learned");
    expect(met).toMatchObject({
      seen: 3,
      sources: [
        { run: "r1", words: [expect.any(String), expect.any(String)] },
        { run: "r2" },
        { run: "r3" },
      ],
    });
    const before: Learning = {
      ...met,
      sources: met.sources.map(({ workItem, run, signal, at, ref }) => ({
        workItem,
        run,
        signal,
        at,
        ref,
      })),
    };
    for (const known of [met, before]) {
      expect(restsOn(known, other)).toBe(true);
      expect(restsOn(known, { ...other, run: "r77" })).toBe(false);
      expect(restsOn(known, { ...other, text: "Default exports are named after their file" })).toBe(
        false,
      );
    }
    expect(plan(after, [other])).toMatchObject({
      changes: [],
      known: [{ rule: "[001], which rests on it," }],
    });
  });

  test("another fact of the same run is looked at, however alike it is", () => {
    const book = learned("Add a contract test for each new endpoint");
    const other = candidate("Add a smoke test for new endpoints of partners", "r1");
    expect(plan(book, [other])).toMatchObject({ changes: [], known: [], waiting: [other.id] });
  });
});

describe("when a fact is met again", () => {
  test("a higher severity is its own from then on, also out of a run that is counted; a lower one is not", () => {
    const book = learned("Never run the reset script against production");
    expect(book.learnings).toMatchObject([{ severity: "medium" }]);
    const severe = candidate("Never run the reset script against production", "r1", {
      id: "severe",
      severity: "high",
      severityReason: "data-loss",
    });
    const raised = applyPlan(book, plan(book, [severe]));
    expect(raised.learnings).toMatchObject([{ severity: "high", seen: 3 }]);
    expect(
      applyPlan(
        raised,
        plan(raised, [
          candidate("Never run the reset script against production", "r9", { severity: "low" }),
        ]),
      ).learnings,
    ).toMatchObject([{ severity: "high", seen: 4 }]);
    const bare = candidate("Never run the reset script against production", "r9", {
      severity: "high",
    });
    expect(applyPlan(book, plan(book, [bare])).learnings).toMatchObject([{ severity: "medium" }]);
  });

  test("another value and a replacement keep its severity's best and its pin", () => {
    const pinned = (book: Book): Book => ({
      ...book,
      learnings: book.learnings.map((each) => ({ ...each, pinned: true, severity: "high" })),
    });
    const changed = pinned(learned("Java services target JDK 17"));
    expect(
      applyPlan(changed, plan(changed, thrice("Java services target JDK 21"))).learnings,
    ).toMatchObject([{ pinned: true, severity: "high" }]);
    const replaced = pinned(learned("Deploy staging with scripts/deploy.sh"));
    expect(
      applyPlan(replaced, plan(replaced, thrice("Do not deploy staging with scripts/deploy.sh")))
        .learnings,
    ).toMatchObject([
      { id: 1, status: "superseded" },
      { id: 2, status: "active", pinned: true },
    ]);
  });
});

const words = [
  "tests",
  "deploy",
  "cache",
  "staging",
  "lockfile",
  "worker",
  "queue",
  "schema",
  "index",
  "linter",
  "token",
  "release",
  "branch",
  "port",
  "image",
  "proxy",
];
const anyText = fc
  .tuple(
    fc.constantFrom("Use", "Never use", "Run", "Do not run", "The"),
    fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 6 }),
    fc.constantFrom("", "was removed", "is on 8080", "is on 9090", "with --all"),
  )
  .map(([lead, some, end]) => [lead, ...some, end].join(" ").trim());
const anyCandidate = fc
  .record({
    text: anyText,
    run: fc.integer({ min: 1, max: 6 }),
    high: fc.boolean(),
    age: fc.integer({ min: 0, max: 100 }),
    category: fc.constantFrom("testing", "build", "general"),
  })
  .map(({ text, run, high, age, category }) =>
    candidate(text, `r${run}`, {
      id: `${text}/${run}/${age}/${high}/${category}`,
      severity: high ? "high" : "low",
      severityReason: high ? "security" : null,
      at: now - age * 86_400_000,
      category: category as Candidate["category"],
    }),
  );
const anyCandidates = fc.uniqueArray(anyCandidate, { selector: ({ id }) => id, maxLength: 40 });

const anyLearning: fc.Arbitrary<Learning> = fc
  .record({
    text: anyText,
    severity: fc.constantFrom<Learning["severity"]>("low", "medium", "high"),
    seen: fc.integer({ min: 1, max: 30 }),
    age: fc.integer({ min: 0, max: 400 }),
    long: fc.boolean(),
  })
  .map(({ text, severity, seen, age, long }) => ({
    id: 0,
    text: long ? `${text} ${"ö".repeat(158 - text.length)}` : text,
    category: seen % 3 === 0 ? "testing" : "build",
    kind: "do",
    status: "active",
    severity,
    seen,
    firstSeen: 0,
    lastSeen: now - age * 86_400_000,
    pinned: false,
    supersedes: [],
    supersededBy: null,
    keys: [],
    sources: [],
    earlier: [],
  }));
const anyBook = fc.array(anyLearning, { maxLength: 260, size: "max" }).map((some): Book => ({
  ...emptyBook,
  learnings: some.map((each, at) => ({ ...each, id: at + 1 })),
}));

describe("whatever comes", { timeout: 300_000 }, () => {
  test("the same plan twice changes nothing more, nor do its candidates when they are planned again over what came out", () => {
    fc.assert(
      fc.property(anyCandidates, anyCandidates, (first, second) => {
        const book = applyPlan(emptyBook, plan(emptyBook, first));
        const made = plan(book, second);
        const once = applyPlan(book, made);
        expect(applyPlan(once, made)).toEqual(once);
        const done = new Set([
          ...made.changes.flatMap(({ candidates }) => candidates),
          ...made.known.flatMap(({ candidates }) => candidates),
        ]);
        expect(
          applyPlan(
            once,
            plan(
              once,
              second.filter(({ id }) => done.has(id)),
            ),
          ),
        ).toEqual(once);
      }),
      { numRuns: 120 },
    );
  });

  test("no run is counted twice, also when the same candidates come again", () => {
    fc.assert(
      fc.property(anyCandidates, (some) => {
        const once = applyPlan(emptyBook, plan(emptyBook, some));
        for (const { seen, sources } of [
          ...once.learnings,
          ...applyPlan(once, plan(once, some)).learnings,
        ]) {
          expect(seen).toBe(sources.length);
          expect(new Set(sources.map(({ workItem, run }) => `${workItem} ${run}`)).size).toBe(seen);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("no candidate is lost: each stands in exactly one place of the plan", () => {
    fc.assert(
      fc.property(anyCandidates, anyCandidates, (first, second) => {
        const made = plan(applyPlan(emptyBook, plan(emptyBook, first)), second);
        const told = [
          ...made.changes.flatMap(({ candidates }) => candidates),
          ...made.waiting,
          ...made.expired,
          ...made.known.flatMap(({ candidates }) => candidates),
        ];
        expect(told.toSorted((one, other) => one.localeCompare(other))).toEqual(
          second.map(({ id }) => id).toSorted((one, other) => one.localeCompare(other)),
        );
      }),
      { numRuns: 60 },
    );
  });

  test("no id is given twice, and none is taken away", () => {
    fc.assert(
      fc.property(fc.array(anyCandidates, { maxLength: 4 }), (waves) => {
        let book = emptyBook;
        for (const wave of waves) {
          const next = applyPlan(book, plan(book, wave));
          expect(next.learnings.slice(0, book.learnings.length).map(({ id }) => id)).toEqual(
            book.learnings.map(({ id }) => id),
          );
          expect(new Set(next.learnings.map(({ id }) => id)).size).toBe(next.learnings.length);
          book = next;
        }
      }),
      { numRuns: 40 },
    );
  });

  test("the index is under its caps, and nothing that left it is worth more than what stayed", () => {
    fc.assert(
      fc.property(anyBook, (book) => {
        const made = plan(book, []);
        const after = applyPlan(book, made);
        const { lines, bytes } = sizeOfText(formatBlock(indexOf(after, now)));
        expect(made.tooLarge).toBe(false);
        expect(lines).toBeLessThanOrEqual(mostLines);
        expect(bytes).toBeLessThanOrEqual(mostBytes);
        const worth = (status: Learning["status"]): readonly number[] =>
          after.learnings.filter((each) => each.status === status).map((each) => score(each, now));
        expect(Math.max(0, ...worth("evicted"))).toBeLessThanOrEqual(
          Math.min(...worth("active"), Number.POSITIVE_INFINITY),
        );
        expect(topicsOf(after, now).reduce((all, topic) => all + topic.lines.length, 0)).toBe(
          worth("evicted").length,
        );
      }),
      { numRuns: 25 },
    );
  });

  test("what was written is read back as it was", () => {
    fc.assert(
      fc.property(anyBook, fc.string(), fc.string(), (book, before, after) => {
        fc.pre(!`${before}${after}`.includes("loop:learnings"));
        const index = indexOf({ ...book, before: `${before}\n`, after }, now);
        expect(parseBlock(formatBlock(index))).toEqual({ ok: true, file: index });
      }),
      { numRuns: 25 },
    );
  });
});

test("what recurs comes back from its topic", () => {
  const book = learned("Sessions are stored in Redis");
  const away: Book = {
    ...book,
    learnings: book.learnings.map((each) => ({ ...each, status: "evicted" })),
  };
  expect(
    standing(applyPlan(away, plan(away, [candidate("Sessions are stored in Redis", "r9")]))),
  ).toEqual(["Sessions are stored in Redis"]);
});

test("pinned learnings alone may be too many: then nothing is written", () => {
  const pinned = Array.from({ length: 230 }, (_, at): Learning => ({
    id: at + 1,
    text: `Fact ${at} of the pinned ones`,
    category: "build",
    kind: "fact",
    status: "active",
    severity: "low",
    seen: 1,
    firstSeen: 0,
    lastSeen: 0,
    pinned: true,
    supersedes: [],
    supersededBy: null,
    keys: [],
    sources: [],
    earlier: [],
  }));
  expect(plan({ ...emptyBook, learnings: pinned }, []).tooLarge).toBe(true);
});
