import { describe, expect, it } from "vitest";
import { decidedFact, evolve } from "../../src/decide/evolve.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import { explain } from "../../src/explain/explain-decision.ts";
import { redecide } from "../../src/decide/replay.ts";
import { settle } from "../../src/flow.ts";
import { formatPortableRecord, parsePortableRecord } from "../../src/work-item/portable-record.ts";
import {
  activityEvent,
  carol,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoonMs,
  issueOf,
  mallory,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import { itemOf, policyOf, sessionOf, stateOf } from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";
import type { Collaborator, ItemState } from "../../src/work-item/records.ts";

const at = (minute: number): number => hostNoonMs + minute * 60_000;
const later = (minute: number): string => `2026-03-01T12:${String(minute).padStart(2, "0")}:00Z`;
const granted = (login: string, minute: number): Collaborator => ({
  login,
  id: null,
  grantedBy: "alice",
  at: at(minute),
});
const say = (text: string, minute: number): InboundEvent =>
  commentEvent(text, {
    comment: { createdAt: later(minute) },
    item: issueOf({ updatedAt: later(minute) }),
  });
const typed = (verb: "add-collaborator" | "remove-collaborator", minute: number): InboundEvent =>
  controlEvent({ verb, login: "dave", instance: null }, { receivedAt: at(minute) });
const withBoth = itemOf("started", {
  sessions: [sessionOf()],
  collaborators: [granted("carol", 1), granted("dave", 5)],
});
const after = (item: ItemState, event: InboundEvent): ItemState =>
  given({ item }).when(event).after;
const grants = ({ collaborators }: ItemState): unknown =>
  collaborators.map((each) => [each.login, each.at]);

/** Whom people let in, and until when (ADR 0013). */
describe("a grant", () => {
  it("given twice counts from the later time, in whatever order it is told", () => {
    expect(grants(after(withBoth, say("loop add-collaborator @dave", 9)))).toEqual([
      ["carol", at(1)],
      ["dave", at(9)],
    ]);
    expect(grants(after(withBoth, say("loop add-collaborator @dave", 3)))).toEqual([
      ["carol", at(1)],
      ["dave", at(5)],
    ]);
  });

  it("that is taken back is the only one that goes", () => {
    const { says, after: left } = given({ item: withBoth }).when(
      say("loop remove-collaborator @DAVE", 9),
    );
    expect([says, grants(left)]).toEqual(["revoked: collaborator-revoked", [["carol", at(1)]]]);
  });

  it("given to an account under each of its logins is one, under the login that it was given for last", () => {
    const [old, fresh] = [
      { ...granted("dave", 5), id: "1011" },
      { ...granted("dave2", 7), id: null },
    ];
    const both = itemOf("started", { collaborators: [old, granted("carol", 1), fresh] });
    const once = (minute: number): ItemState =>
      given({ item: both, granteeId: "1011" }).when(say("loop add-collaborator @dave2", minute))
        .after;
    expect(once(9).collaborators).toEqual([
      { ...old, login: "dave2", at: at(9), grantedBy: "alice" },
      granted("carol", 1),
    ]);
    expect(grants(once(6))).toEqual([
      ["dave2", at(7)],
      ["carol", at(1)],
    ]);
  });

  it("given under a login that the account was heard under is that account's, where the host doesn't say whose it is", () => {
    const item = itemOf("started", {
      collaborators: [{ ...granted("dave", 5), id: "1011", calledNow: "dave2" }],
    });
    const after = (id: string | null): unknown =>
      given({ item, granteeId: id })
        .when(say("loop add-collaborator @Dave2", 9))
        .after.collaborators.map((each) => [each.login, each.id]);
    expect(after(null)).toEqual([["Dave2", "1011"]]);
    expect(after("77")).toEqual([
      ["dave", "1011"],
      ["Dave2", "77"],
    ]);
  });

  it("ends with the item's closing, also one of the command line whose clock is ahead of the host's", () => {
    const ahead = after(withBoth, typed("add-collaborator", 50));
    expect(grants(ahead)).toEqual([
      ["carol", at(1)],
      ["dave", at(50)],
    ]);
    expect(
      grants(after(ahead, closedEvent({ at: later(9), item: issueOf({ updatedAt: later(9) }) }))),
    ).toEqual([]);
  });

  it("does not end with a pull request of the item", () => {
    const item = itemOf("stopped", { collaborators: [granted("carol", 1)] });
    const { says, after: left } = given({ item }).when(closedEvent({ item: pullRequestOf() }));
    expect([says, grants(left)]).toEqual(["noted: pull-request-closed", [["carol", at(1)]]]);
  });

  it("ends with a cleanup of what is closed already, whoever closed it", () => {
    const item = itemOf("stopped", {
      workItem: { open: false },
      collaborators: [granted("carol", 1)],
    });
    expect(
      grants(after(item, commentEvent("loop cleanup", { item: issueOf({ open: false }) }))),
    ).toEqual([]);
    expect(grants(after(withBoth, say("loop cleanup", 9)))).toEqual(grants(withBoth));
  });
});

describe("a revocation that finds nobody", () => {
  it("is remembered, also by the command line of an item of which nothing is known", () => {
    expect(given().when(typed("remove-collaborator", 9)).after.workItem?.revoked).toEqual([
      { login: "dave", at: at(9), clock: "machine" },
    ]);
  });

  it("takes nobody's grant back, nor does one that names nobody, as decisions of earlier versions do not", () => {
    expect(grants(after(withBoth, say("loop remove-collaborator @erin", 9)))).toEqual(
      grants(withBoth),
    );
    const ofEarlier = {
      verdict: { kind: "refused", verb: "remove-collaborator" },
      reason: "not-a-collaborator",
      effects: [],
    } as const;
    const left = evolve(
      withBoth,
      decidedFact(
        commentEvent("loop remove-collaborator @erin"),
        ofEarlier,
        stateOf({ item: withBoth }),
        policyOf(),
      ),
    );
    expect([grants(left), left.workItem?.revoked]).toEqual([grants(withBoth), undefined]);
  });
});

describe("a revocation of an account", () => {
  const item = itemOf("started", { collaborators: [{ ...granted("dave", 1), id: "1011" }] });
  const left = given({ item, granteeId: "1011" }).when(
    say("loop remove-collaborator @dave2", 9),
  ).after;

  it("is remembered by its id and each of its logins, so that none of them is let in late", () => {
    expect(left.workItem?.revoked).toEqual(
      ["dave2", "dave"].map((login) => ({ login, at: at(9), clock: "host", ids: ["1011"] })),
    );
    for (const [login, granteeId] of [
      ["dave", null],
      ["dave3", "1011"],
      ["dave2", null],
    ] as const) {
      expect(
        given({ item: left, granteeId }).when(say(`loop add-collaborator @${login}`, 5)).says,
      ).toBe("refused: older-than-known");
    }
    expect(
      given({ item: left, granteeId: "77" }).when(say("loop add-collaborator @dave3", 5)).says,
    ).toBe("granted: collaborator-granted");
  });

  it("goes with the portable record, as do the logins of who is let in", () => {
    const renamed: ItemState = {
      ...left,
      collaborators: [{ ...granted("erin", 1), id: "5", calledNow: "erin2" }],
    };
    const read = parsePortableRecord(JSON.parse(JSON.stringify(formatPortableRecord(renamed))));
    expect(read).toMatchObject({
      ok: true,
      item: { collaborators: renamed.collaborators, workItem: { revoked: left.workItem?.revoked } },
    });
  });

  it("comes to the same decision when it is decided again", () => {
    const event = say("loop remove-collaborator @dave2", 9);
    const settled = settle(event, { ...stateOf({ item }), granteeId: "1011" }, policyOf());
    const row = JSON.parse(
      JSON.stringify({ event, state: settled.state, decision: settled.decision }),
    );
    expect(redecide(row, policyOf())).toEqual({ kind: "same" });
    const { granteeId: _, ...earlier } = stateOf({ item });
    const ofEarlier = given(earlier).when(event).decision;
    expect([
      ofEarlier.reason,
      redecide({ event, state: earlier, decision: ofEarlier }, policyOf()),
    ]).toEqual(["not-a-collaborator", { kind: "same" }]);
  });
});

describe("a reopening of which nobody told", () => {
  const reopened = (minute: number) => issueOf({ updatedAt: later(minute), reopened: true });
  const spoken = (minute: number, by = carol) =>
    commentEvent("hello", {
      by,
      at: later(minute),
      comment: { createdAt: later(minute) },
      item: reopened(minute),
    });
  const item = itemOf("started", {
    sessions: [sessionOf()],
    collaborators: [granted("carol", 1), granted("dave", 20)],
  });
  const heard = (state: ItemState, event: InboundEvent) =>
    settle(event, stateOf({ item: state }), policyOf());

  it("ends every grant of before the picture that shows it, before anybody is heard", () => {
    const { decision, after: left, state, event } = heard(item, spoken(9));
    expect([decision.reason, left && grants(left)]).toEqual([
      "stranger-dropped",
      [["dave", at(20)]],
    ]);
    expect(left?.workItem?.revoked).toEqual([{ login: null, at: at(9), clock: "host" }]);
    expect(explain({ event, state, decision }).join(" ")).toContain(
      "the issue was reopened, and no close arrived since @carol was added",
    );
    expect(redecide(JSON.parse(JSON.stringify({ event, state, decision })), policyOf())).toEqual({
      kind: "same",
    });
  });

  it("ends none of after it: those come with a picture of their own, which is on record then", () => {
    const asked = commentEvent("loop add-collaborator @carol", {
      at: later(9),
      comment: { createdAt: later(9) },
      item: reopened(9),
    });
    const left = heard(itemOf("started", { sessions: [sessionOf()] }), asked).after;
    expect(left && heard(left, spoken(12)).decision.reason).toBe("input-of-collaborator");
    const typed = controlEvent(
      { verb: "add-collaborator", login: "carol", instance: null },
      { receivedAt: at(9), shown: reopened(8) },
    );
    const after = heard(itemOf("started", { sessions: [sessionOf()] }), typed).after;
    expect(after && heard(after, spoken(12)).decision.reason).toBe("input-of-collaborator");
  });

  it("is none where the end of all grants was told, nor before the host says so", () => {
    const told = heard(
      heard(
        itemOf("started", { sessions: [sessionOf()] }),
        closedEvent({ at: later(3), item: issueOf({ updatedAt: later(3) }) }),
      ).after ?? item,
      activityEvent({ action: "reopened", at: later(4), item: reopened(4) }),
    ).after;
    const left =
      told &&
      heard(
        told,
        commentEvent("loop add-collaborator @carol", {
          at: later(5),
          comment: { createdAt: later(5) },
          item: reopened(5),
        }),
      ).after;
    expect(left && grants(left)).toEqual([["carol", at(5)]]);
    expect(left && grants(heard(left, spoken(9)).after ?? item)).toEqual([["carol", at(5)]]);
    expect(grants(heard(item, commentEvent("hello", { by: carol })).after ?? item)).toEqual(
      grants(item),
    );
  });

  it("of another item, or of one that another instance has, ends nothing here", () => {
    const event = spoken(9);
    const state = { ...stateOf({ item }), ownedBy: "other" };
    expect(settle(event, state, policyOf()).state).toBe(state);
    const pull = activityEvent({ by: mallory, item: { ...pullRequestOf(), reopened: true } });
    expect(grants(heard(item, pull).after ?? item)).toEqual(grants(item));
  });
});

describe("grants that stay as they are", () => {
  it.each<[string, ItemState, InboundEvent]>([
    ["given once more in the same second", withBoth, say("loop add-collaborator @dave", 5)],
    ["given once more by what is older", withBoth, say("loop add-collaborator @dave", 3)],
    ["a revocation of another login", withBoth, say("loop remove-collaborator @erin", 9)],
    ["a closing where nobody was let in", itemOf("started"), closedEvent()],
  ])("are the very list: %s", (_what, item, event) => {
    expect(after(item, event).collaborators).toBe(item.collaborators);
  });

  it("leave the very object where a closing is told twice", () => {
    const closed = after(itemOf("idle"), closedEvent());
    expect(closed.workItem?.revoked).toHaveLength(1);
    expect(after(closed, closedEvent({ deliveryId: "again" }))).toBe(closed);
  });
});
