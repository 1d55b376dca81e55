import { describe, expect, it } from "vitest";
import { stillDue } from "../../src/decide/still-due.ts";
import { issueRef, itemOf, laneOf, pullRef, sessionOf } from "../../src/testing/build-state.ts";
import type { HoldReason, LaneState, Session } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";

const release = { kind: "release", workItem: issueRef, why: "closed" } as const;
const lane = (ref: typeof issueRef, reason: HoldReason | null): LaneState =>
  laneOf(ref, reason === null ? null : { reason, until: null, detail: "" });
const closing = [sessionOf({ status: "closing" })];
const pullClosing = [sessionOf({ endpoint: formatRef(pullRef), status: "closing" })];

/** A release waits for the sessions that end with it, and for nothing else of the item. */
describe("a release is due", () => {
  it.each<[string, readonly Session[], readonly LaneState[], boolean]>([
    [
      "beside a lane that opened anew",
      [],
      [lane(issueRef, "releasing"), lane(pullRef, null)],
      true,
    ],
    ["not before its session has ended", closing, [lane(issueRef, "releasing")], false],
    [
      "nor before that, beside a lane that waits for nothing",
      closing,
      [lane(pullRef, null), lane(issueRef, "releasing")],
      false,
    ],
    [
      "nor before one of two sessions has ended",
      [sessionOf({ status: "closed" }), ...pullClosing],
      [lane(issueRef, "releasing"), lane(pullRef, "releasing")],
      false,
    ],
    [
      "beside a pull request's own end, which is another",
      pullClosing,
      [lane(issueRef, "releasing"), lane(pullRef, "ending")],
      true,
    ],
    [
      "beside a session that is ending, whose lane waits for nothing",
      pullClosing,
      [lane(issueRef, "releasing"), lane(pullRef, null)],
      true,
    ],
    ["not where it was called off", [], [lane(issueRef, null), lane(pullRef, "ending")], false],
  ])("%s", (_what, sessions, lanes, due) => {
    expect(stillDue(release, itemOf("closed", { sessions, lanes }))).toBe(due);
  });
});
