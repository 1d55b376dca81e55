import type { ItemState } from "@loopwork/core/ports";
import fc from "fast-check";
import { expect, test } from "vitest";
import { holdOf, refText, sessionOf, workItemOf } from "../src/contract/build.ts";
import type { Driver } from "./subjects.ts";

const ref = refText(1);
const endpoint = fc.integer({ min: 1, max: 4 }).map(refText);
const string = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", "'; drop table session; --", "\u0000", "{}"),
);

const item: fc.Arbitrary<ItemState> = fc.record({
  workItem: fc.option(string.map((title) => workItemOf(1, { title }))),
  sessions: unique(
    fc
      .record({
        endpoint,
        harnessSessionId: string,
        workdir: fc.option(string),
        status: fc.constantFrom("active" as const, "closed" as const),
      })
      .map((over) => sessionOf(1, over)),
    (each) => each.endpoint,
  ),
  pullRequests: unique(
    fc.record({
      pullRequest: endpoint,
      headSha: fc.option(string),
      headBranch: fc.option(string),
      open: fc.boolean(),
      at: fc.nat(),
    }),
    (each) => each.pullRequest,
  ),
  collaborators: unique(
    fc.record({ login: string, id: fc.option(string), grantedBy: string, at: fc.nat() }),
    (each) => each.login,
  ),
  lanes: unique(
    fc.record({ endpoint, hold: fc.option(fc.nat().map((until) => holdOf("backoff", until))) }),
    (each) => each.endpoint,
  ),
  ciAttempts: unique(
    fc.record({
      pullRequest: endpoint,
      check: fc.constantFrom("a", "b"),
      headShas: fc.array(string),
      failing: fc.boolean(),
      noticed: fc.boolean(),
    }),
    (each) => `${each.pullRequest} ${each.check}`,
  ),
});

function unique<T>(arbitrary: fc.Arbitrary<T>, selector: (each: T) => string): fc.Arbitrary<T[]> {
  return fc.uniqueArray(arbitrary, { selector, maxLength: 4 });
}

/** Lanes stay known once they were listed, open; all else is the last state that was saved. */
function expected(saved: readonly ItemState[]): ItemState | undefined {
  const last = saved.at(-1);
  const known = [...new Set(saved.flatMap((each) => each.lanes.map((lane) => lane.endpoint)))];
  return (
    last && {
      ...last,
      lanes: known.map((lane) => ({
        endpoint: lane,
        hold: last.lanes.find((each) => each.endpoint === lane)?.hold ?? null,
      })),
    }
  );
}

/** Whatever states are saved after each other, the driver gives back the last. */
export function testItems(driver: Driver): void {
  test(`gives back the last of whatever states are saved after each other (${driver.name})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 6 }), async (states) => {
        const subject = await driver.fresh();
        const { items } = await subject.open();
        for (const after of states) await items.update(ref, () => ({ after, lines: [] }));
        expect(await items.load(ref)).toEqual(expected(states));
        expect(await items.list()).toEqual([expected(states)]);
        await subject.close();
      }),
      { numRuns: 40 },
    );
  }, 30_000);
}
