import { describe, expect, it } from "vitest";
import { evolve, initialItemState } from "../../src/decide/evolve.ts";
import { issueRef, itemOf, laneOf, pullRef, sessionOf } from "../../src/testing/build-state.ts";
import type { Hold, ItemState } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";

const login: Hold = { reason: "login", until: null, detail: "The program asks for a login." };
const held = (hold: Hold | null): ItemState =>
  itemOf("started", { lanes: [laneOf(issueRef, hold)] });
const holdsOf = (item: ItemState): unknown => item.lanes.map(({ hold }) => hold?.reason ?? null);

/** What a lane waits for, as `loop sessions` and a resume meet it. */
describe("the hold of a lane", () => {
  it.each<[string, Hold]>([
    ["another reason of the same weight", { ...login, reason: "billing" }],
    ["another end", { ...login, until: 9 }],
    ["another sentence", { ...login, detail: "The program asks for a login again." }],
  ])("is the newer one, also where that has only %s", (_what, newer) => {
    expect(
      evolve(held(login), { kind: "lane-held", endpoint: issueRef, hold: newer }).lanes,
    ).toEqual([laneOf(issueRef, newer)]);
  });

  it("found once more leaves the very object", () => {
    const item = held(login);
    expect(evolve(item, { kind: "lane-held", endpoint: issueRef, hold: { ...login } })).toBe(item);
  });

  it("leaves other lanes the very objects, open and held", () => {
    const item = itemOf("started", {
      lanes: [laneOf(issueRef), laneOf(pullRef, { ...login }), laneOf({ ...pullRef, number: 13 })],
    });
    const after = evolve(item, {
      kind: "lane-held",
      endpoint: { ...pullRef, number: 13 },
      hold: login,
    });
    expect([
      after.lanes[0] === item.lanes[0],
      after.lanes[1] === item.lanes[1],
      holdsOf(after),
    ]).toEqual([true, true, [null, "login", "login"]]);
  });

  it("counts whether or not it is said what was known when it was found, also before anything is on record", () => {
    expect(
      holdsOf(evolve(held(null), { kind: "lane-held", endpoint: issueRef, hold: login })),
    ).toEqual(["login"]);
    expect(
      holdsOf(
        evolve(initialItemState, {
          kind: "lane-held",
          endpoint: issueRef,
          hold: login,
          foundUnder: null,
        }),
      ),
    ).toEqual(["login"]);
  });

  it("is lifted from the lane that is opened, and from no other", () => {
    const item = itemOf("started", { lanes: [laneOf(issueRef, login), laneOf(pullRef, login)] });
    expect(holdsOf(evolve(item, { kind: "lane-opened", endpoint: pullRef }))).toEqual([
      "login",
      null,
    ]);
  });

  it("that waits for a session's end is lifted by that session's end, and by no other's", () => {
    const ending: Hold = { reason: "ending", until: null, detail: "" };
    const sessions = [
      sessionOf({ status: "closing" }),
      sessionOf({ endpoint: formatRef(pullRef), status: "closing" }),
    ];
    const item = itemOf("stopped", {
      sessions,
      lanes: [laneOf(issueRef, ending), laneOf(pullRef, ending)],
    });
    expect(holdsOf(evolve(item, { kind: "session-closed", endpoint: issueRef }))).toEqual([
      null,
      "ending",
    ]);
  });

  it("gives way, while the item is paused, to the pause and whose it is", () => {
    const item = itemOf("paused", { lanes: [laneOf(issueRef, login)] });
    expect(evolve(item, { kind: "lane-opened", endpoint: issueRef }).lanes).toEqual([
      laneOf(issueRef, { reason: "paused", until: null, detail: "paused by alice" }),
    ]);
  });
});
