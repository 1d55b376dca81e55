import { expect, test } from "vitest";
import { auditBlocks, auditsOf, remedyOf, resultOf } from "../../src/views/audits-view.ts";
import { pollBlocks, pollsOf } from "../../src/views/polls-view.ts";

const now = Date.parse("2024-05-06T12:00:00Z");
const record = (report: object): { readonly repository: string; readonly record: string } => ({
  repository: "maria/garden",
  record: JSON.stringify(report),
});
const linesOf = (blocks: ReturnType<typeof pollBlocks>): string => JSON.stringify(blocks);

test("status tells the newest word of the host about its limit, and that polling rests", () => {
  const budget = (remaining: number) => ({ remaining, limit: 5000, resetAt: now + 600_000 });
  expect(
    linesOf(
      pollBlocks(
        pollsOf([
          record({ at: now - 1, stored: 2, budget: budget(499), failure: null }),
          record({ at: now - 9, budget: budget(4000) }),
        ]),
        true,
        now,
      ),
    ),
  ).toContain("499 of 5000 requests left until 12:10 UTC (polling pauses until then)");
  expect(
    linesOf(
      pollBlocks(
        pollsOf([record({ at: now, budget: { remaining: 3, limit: 5000, resetAt: now - 1 } })]),
        true,
        now,
      ),
    ),
  ).not.toContain("5000");
  for (const odd of [null, 7, {}, { remaining: "3", limit: 1, resetAt: 1 }])
    expect(pollsOf([record({ at: now, budget: odd })])[0]?.budget).toBeNull();
});

test("status and doctor tell what the last look for lost deliveries found, and what it needs", () => {
  const rows: readonly (readonly [object, string, string | null])[] = [
    [{ at: now, hooks: 1, gaps: 0, lost: 0, failure: null }, "none", null],
    [{ at: now, hooks: 1, gaps: 3, lost: 0, failure: null }, "3 missing, all recovered", null],
    [{ at: now, hooks: 1, gaps: 3, lost: 1, failure: null }, "3 missing, 1 lost for good", null],
    [
      { at: now, hooks: 0, gaps: 0, lost: 0, failure: null },
      "no webhook points here",
      "Create a webhook that points to the receiver, or run `loop init` with --public-url",
    ],
    [
      { at: now, failure: { code: "LOOP_E_HOST_NOT_FOUND", message: "not found" } },
      "Check failed: not found",
      "Allow the token in T to read the repository's webhooks (permission Webhooks, or scope admin:repo_hook)",
    ],
    [
      { at: now, failure: { code: "LOOP_E_HOST_NO_TOKEN", message: "no token" } },
      "Check failed: no token",
      "Set T: without a token, missed deliveries can't be recovered",
    ],
    [
      { at: now, failure: { code: "LOOP_E_HOST_UNAUTHORIZED", message: "no" } },
      "Check failed: no",
      "Set T to a valid token",
    ],
    [
      { at: now, failure: { code: "LOOP_E_HOST_SERVER", message: "502" } },
      "Check failed: 502",
      null,
    ],
  ];
  for (const [report, result, remedy] of rows) {
    const [audit] = auditsOf([record(report)]);
    if (audit === undefined) throw new Error("no audit");
    expect([resultOf(audit), remedyOf(audit, "T")]).toEqual([result, remedy]);
  }
  expect(auditsOf([{ repository: "a/b", record: "{" }])).toEqual([
    { repository: "a/b", at: null, hooks: 0, gaps: 0, lost: 0, failure: null },
  ]);
  expect(auditBlocks([], now)).toEqual([]);
});
