import { describe, expect, it } from "vitest";
import { decidedFact, evolve } from "../../src/decide/evolve.ts";
import type { InboundEvent } from "../../src/normalise/event.ts";
import { closedEvent, commentEvent, controlEvent, given, hostNoonMs, issueOf, itemOf, policyOf, pullRequestOf, sessionOf, stateOf } from "../../src/testing/index.ts";
import type { Collaborator, ItemState } from "../../src/work-item/records.ts";

const at = (minute: number): number => hostNoonMs + minute * 60_000;
const later = (minute: number): string => `2026-03-01T12:${String(minute).padStart(2, "0")}:00Z`;
const granted = (login: string, minute: number): Collaborator => ({ login, id: null, grantedBy: "alice", at: at(minute) });
const say = (text: string, minute: number): InboundEvent => commentEvent(text, { comment: { createdAt: later(minute) }, item: issueOf({ updatedAt: later(minute) }) });
const typed = (verb: "add-collaborator" | "remove-collaborator", minute: number): InboundEvent => controlEvent({ verb, login: "dave", instance: null }, { receivedAt: at(minute) });
const withBoth = itemOf("started", { sessions: [sessionOf()], collaborators: [granted("carol", 1), granted("dave", 5)] });
const after = (item: ItemState, event: InboundEvent): ItemState => given({ item }).when(event).after;
const grants = ({ collaborators }: ItemState): unknown => collaborators.map((each) => [each.login, each.at]);

/** Whom people let in, and until when (service.md 2.3; ADR 72). */
describe("a grant", () => {
  it("given twice counts from the later time, in whatever order it is told", () => {
    expect(grants(after(withBoth, say("loop add-collaborator @dave", 9)))).toEqual([["carol", at(1)], ["dave", at(9)]]);
    expect(grants(after(withBoth, say("loop add-collaborator @dave", 3)))).toEqual([["carol", at(1)], ["dave", at(5)]]);
  });

  it("that is taken back is the only one that goes", () => {
    const { says, after: left } = given({ item: withBoth }).when(say("loop remove-collaborator @DAVE", 9));
    expect([says, grants(left)]).toEqual(["revoked: collaborator-revoked", [["carol", at(1)]]]);
  });

  it("ends with the item's closing, also one of the command line whose clock is ahead of the host's", () => {
    const ahead = after(withBoth, typed("add-collaborator", 50));
    expect(grants(ahead)).toEqual([["carol", at(1)], ["dave", at(50)]]);
    expect(grants(after(ahead, closedEvent({ at: later(9), item: issueOf({ updatedAt: later(9) }) })))).toEqual([]);
  });

  it("does not end with a pull request of the item", () => {
    const item = itemOf("stopped", { collaborators: [granted("carol", 1)] });
    const { says, after: left } = given({ item }).when(closedEvent({ item: pullRequestOf() }));
    expect([says, grants(left)]).toEqual(["noted: pull-request-closed", [["carol", at(1)]]]);
  });

  it("ends with a cleanup of what is closed already, whoever closed it", () => {
    const item = itemOf("stopped", { workItem: { open: false }, collaborators: [granted("carol", 1)] });
    expect(grants(after(item, commentEvent("loop cleanup", { item: issueOf({ open: false }) })))).toEqual([]);
    expect(grants(after(withBoth, say("loop cleanup", 9)))).toEqual(grants(withBoth));
  });
});

describe("a revocation that finds nobody", () => {
  it("is remembered, also by the command line of an item of which nothing is known", () => {
    expect(given().when(typed("remove-collaborator", 9)).after.workItem?.revoked).toEqual([{ login: "dave", at: at(9), clock: "machine" }]);
  });

  it("takes nobody's grant back, nor does one that names nobody, as decisions of earlier versions do not", () => {
    expect(grants(after(withBoth, say("loop remove-collaborator @erin", 9)))).toEqual(grants(withBoth));
    const ofEarlier = { verdict: { kind: "refused", verb: "remove-collaborator" }, reason: "not-a-collaborator", effects: [] } as const;
    const left = evolve(withBoth, decidedFact(commentEvent("loop remove-collaborator @erin"), ofEarlier, stateOf({ item: withBoth }), policyOf()));
    expect([grants(left), left.workItem?.revoked]).toEqual([grants(withBoth), undefined]);
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
