import type { CiEvent } from "../../../src/event/event.ts";
import { ciEvent } from "../../../src/testing/build-event.ts";
import { itemOf, linkOf, pullRef, sessionOf, targetOf } from "../../../src/testing/build-state.ts";
import { given } from "../../../src/testing/given.ts";
import type { CiAttempt } from "../../../src/work-item/records.ts";
import { formatRef } from "../../../src/ref/ref.ts";
import type { Rule } from "./rule.ts";

type Told = Parameters<typeof ciEvent>;

const sha = (letter: string): string => letter.repeat(40);
const target = targetOf({ provenance: "recorded-link" });
const atWork = given({
  item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }),
  target,
});
const red = (letter: string, check: Told[0] = {}, told: Told[1] = {}): CiEvent =>
  ciEvent({ name: "build", headSha: sha(letter), source: "github-actions", ...check }, told);
const green = (letter: string, check: Told[0] = {}, told: Told[1] = {}): CiEvent =>
  red(letter, { conclusion: "success", ...check }, told);
const [A, B] = [{ run: "1" }, { run: "2" }];
const suite = { event: "check_suite" } as const;
const workflow = { event: "workflow_run" } as const;
const status = { event: "status" } as const;
const [at1, at2] = [{ at: "2026-03-02T11:00:00Z" }, { at: "2026-03-02T11:30:00Z" }];
const told = ["turn resume #7"];

/** The pull request as recorded at half past ten, with b as its head. */
const atB = given({
  item: itemOf("started", {
    sessions: [sessionOf()],
    pullRequests: [linkOf({ headSha: sha("b"), updatedAt: "2026-03-02T10:30:00Z" })],
  }),
  target,
});
/** Two pull requests are recorded, and only the head of the first is known to have moved since. */
const ofTwo = given({
  item: itemOf("started", {
    sessions: [sessionOf()],
    pullRequests: [
      linkOf({ headSha: sha("b"), updatedAt: "2026-03-02T10:30:00Z" }),
      linkOf({ pullRequest: formatRef({ ...pullRef, number: 13 }) }),
    ],
  }),
  target,
});
const headless = given({
  item: itemOf("started", {
    sessions: [sessionOf()],
    pullRequests: [linkOf({ headSha: null, updatedAt: "2026-03-02T10:30:00Z" })],
  }),
  target,
});
const unrecorded = given({ item: itemOf("started", { sessions: [sessionOf()] }), target });
/**
 * A check of which no payload tells the head of the pull request: of a fork, or a commit status.
 */
const nameless = { pullRequests: [] };
const now = { at: "2026-03-02T10:45:00Z" };
const before = { at: "2026-03-02T10:15:00Z" };

const listensToAll = given(
  { item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }), target },
  { ciWakeOn: "all" },
);
const suitesAlone = given(
  { item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }), target },
  { events: new Set(["check_suite"]) },
);
const ofEarlierVersion = (attempt: Partial<CiAttempt>): typeof atWork =>
  given({
    item: itemOf("started", {
      sessions: [sessionOf()],
      pullRequests: [linkOf()],
      ciAttempts: [
        {
          pullRequest: linkOf().pullRequest,
          check: "build",
          headShas: [sha("a")],
          failing: true,
          noticed: false,
          ...attempt,
        },
      ],
    }),
    target,
  });
const attempts = (count: number): readonly CiEvent[] =>
  Array.from({ length: count }, (_, n) => green("a", { name: `shard ${n}` }));

/** What is the same check, which commit counts, and which result is the newest (ADR 0008). */
export const ciOfManyRules: readonly Rule[] = [
  // One name in two workflows: on one commit the suite tells them apart.
  {
    name: "a job of the same name fails in a second workflow",
    given: atWork.after(red("a", A)),
    when: red("a", B),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "a job of the same name succeeds in a second workflow",
    given: atWork.after(red("a", A)),
    when: green("a", B),
    says: "noted: ci-no-change",
  },
  {
    name: "the first workflow is green as well",
    given: atWork.after(red("a", A), green("a", B)),
    when: green("a", A),
    says: "delivered: ci-recovered",
    does: told,
  },
  {
    name: "both failed and one is green again",
    given: atWork.after(red("a", A), red("a", B)),
    when: green("a", A),
    says: "noted: ci-no-change",
  },
  {
    name: "on the next commit one of two workflows is green",
    given: atWork.after(red("a", A), green("a", B)),
    when: green("b", { run: "3" }),
    says: "noted: ci-no-change",
  },
  {
    name: "on the next commit both are green",
    given: atWork.after(red("a", A), green("a", B), green("b", { run: "3" })),
    when: green("b", { run: "4" }),
    says: "delivered: ci-recovered",
    does: told,
  },
  {
    name: "then both fail on that commit, and each is told: a recovery is no failure that was told",
    given: atWork.after(
      red("a", A),
      red("a", B),
      green("b", { run: "3" }),
      green("b", { run: "4" }),
      red("b", { run: "3" }),
    ),
    when: red("b", { run: "4" }),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "both workflows use up one wake",
    given: atWork.after(red("a", A), red("a", B), red("b", { run: "3" })),
    when: red("c", { run: "4" }),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "a fourth suite of one commit wakes no more",
    given: atWork.after(red("a", A), red("a", B), red("a", { run: "3" })),
    when: red("a", { run: "4" }),
    says: "noted: ci-no-change",
  },
  {
    name: "a suite of which a failure was told fails again beside another one that failed",
    given: atWork.after(red("a", A), red("a", B)),
    when: red("a", A),
    says: "noted: ci-no-change",
  },
  {
    name: "a second suite that was green on the commit of a told failure runs again and fails",
    given: atWork.after(red("a", A), green("a", B)),
    when: red("a", B),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "where every result is told, a success of one of two suites that failed is no recovery, and stays none on the next commit",
    given: listensToAll.after(red("a", A), red("a", B), green("b", { run: "3" })),
    when: green("c", { run: "4" }),
    says: "delivered: activity-of-session",
    does: told,
  },
  {
    name: "two workflows of one name",
    given: atWork.after(red("a", { source: "11 push" }, workflow)),
    when: green("a", { source: "12 push" }, workflow),
    says: "noted: ci-no-change",
  },
  {
    name: "the workflow that failed runs green",
    given: atWork.after(
      red("a", { source: "11 push" }, workflow),
      green("a", { source: "12 push" }, workflow),
    ),
    when: green("b", { source: "11 push" }, workflow),
    says: "delivered: ci-recovered",
    does: told,
  },
  {
    name: "a status of the name of a check run",
    given: atWork.after(red("a")),
    when: green("a", { source: null }, status),
    says: "noted: ci-no-change",
  },
  {
    name: "a check run of the same name of another app",
    given: atWork.after(red("a")),
    when: red("a", { source: "other-ci" }),
    says: "delivered: ci-first-failure",
    does: told,
  },
  // Suites.
  {
    name: "a suite fails and its runs are listened to",
    given: atWork,
    when: red("a", A, suite),
    says: "ignored: ci-suite-of-runs",
  },
  {
    name: "a suite that could not start has no runs",
    given: atWork,
    when: red("a", { ...A, conclusion: "startup_failure" }, suite),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "a suite alone fails",
    given: suitesAlone,
    when: red("a", A, suite),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "the second of two suites of one push",
    given: suitesAlone.after(red("a", A, suite)),
    when: green("a", B, suite),
    says: "noted: ci-no-change",
  },
  {
    name: "the first of two suites of one push",
    given: suitesAlone.after(red("a", A, suite), green("a", B, suite)),
    when: green("a", A, suite),
    says: "delivered: ci-recovered",
    does: told,
  },
  // Commits.
  {
    name: "an older commit ends green after the newer one failed",
    given: atWork.after(red("b")),
    when: green("a", { pullRequestHead: sha("b") }),
    says: "ignored: ci-older-commit",
  },
  {
    name: "the newer one is green after that",
    given: atWork.after(red("b"), green("a", { pullRequestHead: sha("b") })),
    when: green("b"),
    says: "delivered: ci-recovered",
    does: told,
  },
  {
    name: "an older commit fails",
    given: atWork,
    when: red("a", { pullRequestHead: sha("b") }),
    says: "ignored: ci-older-commit",
  },
  {
    name: "an older commit fails once more in another suite after its failure was told",
    given: atWork.after(red("a", A)),
    when: red("a", { ...B, pullRequestHead: sha("b") }),
    says: "ignored: ci-older-commit",
  },
  {
    name: "a newer push to another pull request of the item makes no commit of this one older",
    given: ofTwo,
    when: red("a", { pullRequests: [13] }, before),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "a newer picture of the pull request without its head leaves the head that the payload tells",
    given: headless,
    when: red("a", { pullRequestHead: sha("b") }, before),
    says: "ignored: ci-older-commit",
  },
  {
    name: "where nobody tells the head of the pull request, a success on the next commit is a recovery",
    given: unrecorded.after(red("a", nameless)),
    when: green("b", nameless),
    says: "delivered: ci-recovered",
    does: told,
  },
  {
    name: "a commit that is older by the record fails late",
    given: atB,
    when: red("a", nameless, before),
    says: "ignored: ci-older-commit",
  },
  {
    name: "a payload from before the newest push",
    given: atB,
    when: red("a", {}, before),
    says: "ignored: ci-older-commit",
  },
  {
    name: "another commit than the recorded head may be newer, and its failure is told",
    given: atB,
    when: red("c", nameless, now),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "another commit than the recorded head is green",
    given: atB.after(red("b", nameless, now)),
    when: green("a", nameless, now),
    says: "noted: ci-no-change",
  },
  {
    name: "the recorded head is green after that",
    given: atB.after(red("b", nameless, now), green("a", nameless, now)),
    when: green("b", nameless, now),
    says: "delivered: ci-recovered",
    does: told,
  },
  {
    name: "the commit that failed is green, although there is a newer one",
    given: atWork.after(red("a")),
    when: green("a", { pullRequestHead: sha("b") }),
    says: "delivered: ci-recovered",
    does: told,
  },
  // Late results.
  {
    name: "R19 an older failure is told after the success",
    given: atWork.after(green("a", A, at2)),
    when: red("a", A, at1),
    says: "ignored: ci-older-result",
  },
  {
    name: "R19 an older success is told after the failure",
    given: atWork.after(red("a", A, at2)),
    when: green("a", A, at1),
    says: "ignored: ci-older-result",
  },
  {
    name: "a failure of a later attempt",
    given: atWork.after(green("a", A, at1)),
    when: red("a", A, at2),
    says: "delivered: ci-first-failure",
    does: told,
  },
  // Records.
  {
    name: "a failure that an earlier version told is told no more",
    given: ofEarlierVersion({}),
    when: red("a", A),
    says: "noted: ci-no-change",
  },
  {
    name: "the recovery of a failure that an earlier version told",
    given: ofEarlierVersion({}),
    when: green("b", A),
    says: "delivered: ci-recovered",
    does: told,
  },
  {
    name: "and on the commit of that failure, although there is a newer one",
    given: ofEarlierVersion({}),
    when: green("a", { ...A, pullRequestHead: sha("b") }),
    says: "delivered: ci-recovered",
    does: told,
  },
  {
    name: "wakes that an earlier version counted",
    given: ofEarlierVersion({ headShas: [sha("a"), sha("b"), sha("c")] }),
    when: red("d", A),
    says: "noted: ci-wakes-used-up",
    does: ["reply #12"],
  },
  {
    name: "of checks that woke nobody a hundred are kept",
    given: atWork.after(red("a"), ...attempts(100)),
    when: green("a", { name: "one more" }),
    says: "noted: ci-no-change",
    leaves: [
      (after) =>
        after.ciAttempts
          .map(({ check }) => check)
          .filter((check) => /build|shard [01]"|more/.test(check)).length +
        after.ciAttempts.length / 1000,
      3.101,
    ],
  },
  {
    name: "of a check's results sixteen are kept, among them what was told",
    given: atWork.after(
      red("a"),
      ...Array.from({ length: 20 }, (_, n) => green("b", { run: String(n) })),
    ),
    when: green("b", { run: "20" }),
    says: "noted: ci-no-change",
    leaves: [
      (after) => [after.ciAttempts[0]?.results?.length, after.ciAttempts[0]?.results?.[0]?.headSha],
      [16, sha("a")],
    ],
  },
];
