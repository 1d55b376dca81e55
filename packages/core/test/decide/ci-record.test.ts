import { describe, expect, it } from "vitest";
import { isFailure } from "../../src/decide/ci-attempt.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import { ciEvent } from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  linkOf,
  pullRef,
  sessionOf,
  targetOf,
} from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";
import type { CiAttempt, PullRequestLink } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";

const sha = (letter: string): string => letter.repeat(40);
const target = targetOf({ provenance: "recorded-link" });
const item = itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] });
const [changes, all] = [given({ item, target }), given({ item, target }, { ciWakeOn: "all" })];
const red = (letter: string, over: Parameters<typeof ciEvent>[0] = {}): InboundEvent =>
  ciEvent({ headSha: sha(letter), ...over });
const green = (letter: string, over: Parameters<typeof ciEvent>[0] = {}): InboundEvent =>
  ciEvent({ headSha: sha(letter), conclusion: "success", ...over });
const attemptAfter = (
  from: typeof changes,
  ...events: readonly InboundEvent[]
): CiAttempt | undefined => from.after(...events).state.item.ciAttempts.at(-1);
const fresh = {
  pullRequest: "host:octo/shop#12",
  check: '["check_run",null,"test"]',
  headShas: [],
  failing: false,
  noticed: false,
};

describe("the conclusions that a person would call red", () => {
  it.each([
    ["failure", true],
    ["error", true],
    ["timed_out", true],
    ["action_required", true],
    ["startup_failure", true],
    ["success", false],
    ["cancelled", false],
    ["neutral", false],
    ["skipped", false],
    ["stale", false],
    [null, false],
  ])("%s: %s", (conclusion, failed) => {
    const event = ciEvent({ conclusion });
    if (event.kind !== "ci") throw new Error("no check");
    expect(isFailure(event)).toBe(failed);
  });
});

/**
 * Which heads woke the session, whether it knows of a failure that lasts, and whether people were
 * told that the check gives up.
 */
describe("what is remembered of a check", () => {
  it.each<[string, typeof changes, readonly InboundEvent[], Partial<CiAttempt>]>([
    ["a success that nobody was told", changes, [green("a")], {}],
    [
      "a failure that was told",
      changes,
      [red("a")],
      { headShas: [sha("a")], failing: true, failed: sha("a") },
    ],
    [
      "the failure of a second suite of the same commit",
      changes,
      [red("a", { run: "1" }), red("a", { run: "2" })],
      { headShas: [sha("a")], failing: true, failed: sha("a") },
    ],
    [
      "the failure of a second commit",
      changes,
      [red("a"), red("b")],
      { headShas: [sha("a"), sha("b")], failing: true, failed: sha("b") },
    ],
    [
      "its recovery",
      changes,
      [red("a"), green("b")],
      { headShas: [sha("a")], failing: false, failed: sha("a"), recovered: sha("b") },
    ],
    [
      "a notice, after which its last failure is not the newest",
      changes,
      [red("a"), red("b"), red("c"), red("d")],
      { headShas: [sha("a"), sha("b"), sha("c")], failing: false, failed: sha("c"), noticed: true },
    ],
    ["a success told where every result is wanted", all, [green("a")], { headShas: [sha("a")] }],
    [
      "one notice for successes, too",
      all,
      [green("a"), green("b"), green("c"), green("d")],
      { headShas: [sha("a"), sha("b"), sha("c")], noticed: true },
    ],
    [
      "a notice at a success, after which a failure that was told still lasts",
      all,
      [
        green("a", { run: "1" }),
        red("b", { run: "1" }),
        red("c", { run: "1" }),
        red("c", { run: "2" }),
        green("d", { run: "1" }),
      ],
      { headShas: [sha("a"), sha("b"), sha("c")], failing: true, failed: sha("c"), noticed: true },
    ],
  ])("%s", (_what, from, events, left) => {
    const attempt = attemptAfter(from, ...events);
    expect(attempt).toEqual({ ...fresh, ...left, results: attempt?.results });
  });

  it("the result of each suite and commit, whether it was told, and when it was", () => {
    const told = attemptAfter(
      changes,
      red("a", { run: "1" }),
      green("a", { run: "2" }),
      green("b"),
    );
    expect(told?.results).toEqual([
      { headSha: sha("a"), run: "1", at: "2026-03-01T12:00:00Z", red: true, told: true },
      { headSha: sha("a"), run: "2", at: "2026-03-01T12:00:00Z", red: false, told: false },
      { headSha: sha("b"), run: "", at: "2026-03-01T12:00:00Z", red: false, told: false },
    ]);
  });

  it("a later result of the same suite and commit stands for the earlier one, and was told where that was", () => {
    const at = "2026-03-01T13:00:00Z";
    const again = attemptAfter(
      changes,
      red("a"),
      green("a"),
      ciEvent({ headSha: sha("a") }, { at }),
    );
    expect(attemptAfter(changes, red("a"), green("a"))?.results).toMatchObject([
      { red: false, told: true },
    ]);
    expect(again?.results).toEqual([{ headSha: sha("a"), run: "", at, red: true, told: true }]);
  });

  it("a result whose time nobody tells keeps the time of the one that it stands for", () => {
    expect(
      attemptAfter(
        changes,
        red("a"),
        ciEvent({ headSha: sha("a"), conclusion: "success" }, { at: null }),
      )?.results,
    ).toMatchObject([{ at: "2026-03-01T12:00:00Z", red: false }]);
    expect(
      attemptAfter(changes, ciEvent({ headSha: sha("a") }, { at: null }))?.results,
    ).toMatchObject([{ at: null, red: true }]);
  });

  it("only success and failure are results", () => {
    expect(
      attemptAfter(
        all,
        green("a"),
        ciEvent({ headSha: sha("b"), conclusion: "neutral" }),
      )?.results?.map(({ headSha }) => headSha),
    ).toEqual([sha("a")]);
  });

  it("each pull request's check by itself", () => {
    const other = {
      ...fresh,
      pullRequest: formatRef({ ...pullRef, number: 13 }),
      headShas: [sha("a")],
      failing: true,
    };
    const { after } = given({ item: { ...item, ciAttempts: [other] }, target }).when(red("a"));
    expect(after.ciAttempts.map(({ pullRequest, failing }) => [pullRequest, failing])).toEqual([
      ["host:octo/shop#13", true],
      ["host:octo/shop#12", true],
    ]);
    expect(after.ciAttempts[0]).toBe(other);
  });
});

describe("checks that woke nobody", () => {
  const quiet = (count: number): readonly InboundEvent[] =>
    Array.from({ length: count }, (_, n) => green("a", { name: `shard ${n}` }));
  const namesOf = (from: typeof changes): readonly string[] =>
    from.state.item.ciAttempts.map(({ check }) => check);

  it("are kept up to a hundred, beside each that woke somebody; the oldest goes first", () => {
    const full = changes.after(
      red("a", { name: "build" }),
      red("a", { name: "lint" }),
      ...quiet(100),
    );
    expect(namesOf(full)).toHaveLength(102);
    const more = namesOf(full.after(green("a", { name: "one more" })));
    expect([more.length, more[0], more[1], more[2], more.at(-1)]).toEqual([
      102,
      '["check_run",null,"build"]',
      '["check_run",null,"lint"]',
      '["check_run",null,"shard 1"]',
      '["check_run",null,"one more"]',
    ]);
  });
});

describe("the pull request that a check counts for", () => {
  const second = formatRef({ ...pullRef, number: 13 });
  const countedFor = (
    pullRequests: readonly PullRequestLink[],
    event: InboundEvent,
  ): string | undefined =>
    given({ item: itemOf("started", { sessions: [sessionOf()], pullRequests }), target }).when(
      event,
    ).after.ciAttempts[0]?.pullRequest;
  const nameless = red("a", { pullRequests: [] });

  it.each<[string, readonly PullRequestLink[], InboundEvent, string]>([
    [
      "the one that it names, whatever is recorded",
      [linkOf()],
      red("a", { pullRequests: [13] }),
      second,
    ],
    [
      "else the one that was recorded with its head",
      [linkOf({ headSha: sha("b") }), linkOf({ pullRequest: second })],
      nameless,
      second,
    ],
    [
      "also where that is closed",
      [linkOf({ headSha: sha("b") }), linkOf({ pullRequest: second, open: false })],
      nameless,
      second,
    ],
    [
      "else the only one that is open",
      [
        linkOf({ headSha: sha("b"), open: false }),
        linkOf({ headSha: sha("b"), pullRequest: second }),
      ],
      nameless,
      second,
    ],
    [
      "else, where several are open, the work item",
      [linkOf({ headSha: sha("b") }), linkOf({ headSha: sha("b"), pullRequest: second })],
      nameless,
      formatRef(issueRef),
    ],
    ["also where none is recorded", [], nameless, formatRef(issueRef)],
  ])("%s", (_which, links, event, pullRequest) => {
    expect(countedFor(links, event)).toBe(pullRequest);
  });
});

describe("what a check causes", () => {
  it("is a turn under nobody's authority", () => {
    expect(changes.when(red("a")).decision.effects).toMatchObject([
      { kind: "turn", authority: "none" },
    ]);
  });

  it("is at last a notice of which check it is, for how many commits it woke the session, and what wakes it still", () => {
    const { effects } = changes.after(red("a"), red("b"), red("c")).when(red("d")).decision;
    const [notice] = effects.flatMap((effect) => (effect.kind === "reply" ? [effect.text] : []));
    expect(notice).toMatch(/`test`.* 3 commits.* A comment/);
  });
});
