import { expect, test } from "vitest";
import { auditBlocks, auditsOf, remedyOf, resultOf } from "../../src/commands/audits-view.ts";
import { pollBlocks, pollsOf } from "../../src/commands/polls-view.ts";

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
  ).toContain("499 of 5000 requests are left until 12:10 UTC; polling rests until then");
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
    [
      { at: now, hooks: 1, gaps: 3, lost: 0, failure: null },
      "3 had not arrived, all brought in",
      null,
    ],
    [
      { at: now, hooks: 1, gaps: 3, lost: 1, failure: null },
      "3 had not arrived, 1 are lost for good",
      null,
    ],
    [
      { at: now, hooks: 0, gaps: 0, lost: 0, failure: null },
      "no webhook leads here",
      "make a webhook that leads to the receiver, or `loop init` with --public-url",
    ],
    [
      { at: now, failure: { code: "LOOP_E_HOST_NOT_FOUND", message: "not found" } },
      "cannot look: not found",
      "let the token in T read the repository's webhooks (permission Webhooks, or the scope admin:repo_hook)",
    ],
    [
      { at: now, failure: { code: "LOOP_E_HOST_NO_TOKEN", message: "no token" } },
      "cannot look: no token",
      "put a token into T: without one a delivery that the host sent in vain stays lost",
    ],
    [
      { at: now, failure: { code: "LOOP_E_HOST_UNAUTHORIZED", message: "no" } },
      "cannot look: no",
      "put a token that the host knows into T",
    ],
    [
      { at: now, failure: { code: "LOOP_E_HOST_SERVER", message: "502" } },
      "cannot look: 502",
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
