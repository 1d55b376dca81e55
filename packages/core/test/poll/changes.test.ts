import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkHappening, editedHappening, type ListedPush, pushHappenings, readPush, type Subject, suiteHappening, workflowHappening } from "../../src/poll.ts";

const at = "2024-05-06T12:00:00Z";
const repository = { id: 1, name: "garden", full_name: "maria/garden", owner: { login: "maria" } };
const pull = (head: string): Subject => ({ repository, type: "pull-request", number: 12, item: { id: 5, number: 12, state: "open", updated_at: at, head: { sha: head, ref: "issue-7" }, user: { login: "agent", id: 3 }, labels: [] } });
const push = (before: string, after: string, actor: unknown = { login: "ada", id: 1 }): ListedPush => ({ before, after, at, actor });
const told = (head: string, before: string, pushes: readonly ListedPush[]): readonly string[] => pushHappenings(pull(head), before, pushes).map(({ payload }) => `${String(payload["before"])}..${String(payload["after"])} by ${JSON.stringify(Object(payload["sender"])["login"] ?? null)}`);

describe("a head that has moved", () => {
  test("is told push by push, with who made each, from where we were to where it is", () => {
    expect(told("d", "b", [push("c", "d", { login: "ben" }), push("b", "c"), push("a", "b"), push("0", "a")])).toEqual(['b..c by "ada"', 'c..d by "ben"']);
  });

  test("also where the branch was pushed elsewhere in between, and where the list does not reach back", () => {
    expect(told("d", "b", [push("x", "y"), push("c", "d"), push("b", "c")])).toEqual(['b..c by "ada"', 'c..d by "ada"']);
    expect(told("d", "b", [push("c", "d")])).toEqual(['c..d by "ada"']);
  });

  test("is nobody's where the list does not show it, and nothing where it has not moved", () => {
    expect(told("d", "b", [push("a", "c")])).toEqual(["b..d by null"]);
    expect(told("b", "b", [push("a", "b")])).toEqual([]);
  });

  test("each payload shows the head of then, and every name is its own", () => {
    fc.assert(fc.property(fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{4,8}$/), { minLength: 2, maxLength: 8 }), (shas) => {
      const pushes = shas.slice(1).map((after, n) => push(shas[n] ?? "", after)).toReversed();
      const happenings = pushHappenings(pull(shas.at(-1) ?? ""), shas[0] ?? "", pushes);
      expect(happenings.map(({ payload }) => Object(payload["pull_request"])["head"]["sha"])).toEqual(shas.slice(1));
      expect(new Set(happenings.map(({ identity }) => identity)).size).toBe(shas.length - 1);
    }));
  });

  test("only pushes are read of the list of activity", () => {
    const raw = { activity_type: "push", before: "a", after: "b", timestamp: at, actor: null };
    expect(readPush(raw)).toEqual(push("a", "b", null));
    expect(readPush({ ...raw, activity_type: "force_push" })).not.toBeNull();
    for (const odd of [null, [], { ...raw, activity_type: "branch_deletion" }, { ...raw, before: 7 }, { ...raw, timestamp: "x" }]) expect(readPush(odd)).toBeNull();
  });
});

describe("a text that was edited", () => {
  const edited = (edit: Parameters<typeof editedHappening>[2]): unknown => editedHappening(pull("a"), [], edit)?.payload["sender"];

  test("is told with who edited it, by number where that is the author, and by nobody where nobody says", () => {
    expect(edited({ at, editor: "Agent" })).toEqual({ login: "agent", id: 3 });
    expect(edited({ at, editor: "mallory" })).toEqual({ login: "mallory" });
    expect(edited({ at, editor: undefined })).toBeUndefined();
    expect(edited(null)).toBeUndefined();
  });

  test("at the time of its last edit, so that webhook and poll name it alike", () => {
    expect(editedHappening(pull("a"), [], { at: "2024-05-06T11:00:00Z", editor: "ada" })).toMatchObject({ at: "2024-05-06T11:00:00Z", identity: "pull-request:12:edited:2024-05-06T11:00:00Z" });
  });
});

test("of checks, suites and workflow runs only those that have ended are told, and attempts stay apart", () => {
  const ended = { id: 9, status: "completed", conclusion: "failure", completed_at: at, updated_at: at, run_attempt: 2 };
  expect([checkHappening, suiteHappening, workflowHappening].map((read) => read(ended, repository)?.identity)).toEqual([`check-run:9:completed:failure:${at}`, `check-suite:9:completed:failure:${at}`, "workflow-run:9:2:completed:failure"]);
  for (const read of [checkHappening, suiteHappening, workflowHappening]) for (const odd of [null, [], { ...ended, status: "in_progress" }, { ...ended, id: null }, { ...ended, completed_at: 7, updated_at: null }]) expect(read(odd, repository)).toBeNull();
});
