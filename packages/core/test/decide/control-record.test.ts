import { describe, expect, it } from "vitest";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  alice,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoonMs,
  issueOf,
  labelEvent,
  mallory,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import { issueRef, itemOf, laneOf, pullRef, sessionOf } from "../../src/testing/build-state.ts";
import { type Given, given } from "../../src/testing/given.ts";
import type { ControlRecord, ItemState } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";

const later = (minute: number): string => `2026-03-01T12:${String(minute).padStart(2, "0")}:00Z`;
const at = (minute: number): number => hostNoonMs + minute * 60_000;
const say = (text: string, minute = 0, open = true): InboundEvent =>
  commentEvent(text, {
    at: later(minute),
    item: issueOf({ open, updatedAt: later(minute) }),
    comment: { id: `c${minute}`, createdAt: later(minute) },
    deliveryId: `d-${minute}`,
    key: `comment:c${minute}:created`,
  });
const closed = (minute: number, by = alice): InboundEvent =>
  closedEvent({
    by,
    at: later(minute),
    item: issueOf({ updatedAt: later(minute) }),
    deliveryId: `d-${minute}`,
  });
const reopened = (minute: number): InboundEvent =>
  activityEvent({
    action: "reopened",
    at: later(minute),
    item: issueOf({ updatedAt: later(minute) }),
    deliveryId: `d-${minute}`,
  });

const armed = given({ item: itemOf("idle") });
const atWork = given({ item: itemOf("started", { sessions: [sessionOf()] }) });
const recordAfter = (from: Given, event: InboundEvent): ControlRecord | null =>
  from.when(event).after.workItem?.control ?? null;

/** Who asked for what, by which way, when, and what a resume or a reopening leads back to. */
describe("the control record", () => {
  it("of a start in a comment, from whose time on a start counts", () => {
    expect(recordAfter(armed, say("loop start", 1))).toEqual({
      status: "started",
      instance: "default",
      requestedBy: "alice",
      source: "comment",
      deliveryId: "d-1",
      at: at(1),
      before: null,
      since: { at: at(1), clock: "host" },
    });
  });

  it("of a start by what somebody did, where no keyword is asked for", () => {
    const open = given(
      { item: itemOf("idle", { workItem: { armed: false, labels: [] } }) },
      { requireStartCommand: false },
    );
    expect(
      recordAfter(
        open,
        labelEvent({ at: later(1), deliveryId: "d-1", item: issueOf({ updatedAt: later(1) }) }),
      ),
    ).toMatchObject({
      status: "started",
      requestedBy: "alice",
      source: "activity",
      deliveryId: "d-1",
      at: at(1),
    });
  });

  it.each(["cli", "api"] as const)(
    "of what was asked for by %s, which this machine's clock tells",
    (source) => {
      const stop = controlEvent(
        { verb: "stop", login: null, instance: null },
        { source, deliveryId: "d-9" },
      );
      expect(recordAfter(atWork, stop)).toEqual({
        status: "stopped",
        instance: "default",
        requestedBy: "operator",
        source,
        deliveryId: "d-9",
        at: hostNoonMs,
        before: null,
        since: { at: hostNoonMs, clock: "machine" },
      });
    },
  );

  it("of what the command line tells without a name is the operator's", () => {
    expect(
      recordAfter(
        atWork,
        controlEvent({ verb: "stop", login: null, instance: null }, { actor: null }),
      )?.requestedBy,
    ).toBe("operator");
  });

  it("of a resume of the command line keeps the measure of what comments ask for", () => {
    const resume = controlEvent(
      { verb: "resume", login: null, instance: null },
      { receivedAt: at(50) },
    );
    expect(recordAfter(atWork.after(say("loop pause", 1)), resume)).toMatchObject({
      status: "started",
      at: at(50),
      since: { at: at(1), clock: "host" },
    });
  });

  it("of a closing, with what was before it", () => {
    expect(recordAfter(atWork, closed(1))).toMatchObject({
      status: "closed",
      requestedBy: "alice",
      source: "activity",
      before: "started",
      at: at(1),
    });
    expect(recordAfter(atWork, closed(1))).not.toHaveProperty("beforePause");
  });

  it("of a closing while it was paused, with what was before the pause", () => {
    expect(recordAfter(atWork.after(say("loop pause", 1)), closed(2))).toMatchObject({
      status: "closed",
      before: "paused",
      beforePause: "started",
    });
  });

  it.each<[string, ControlRecord | null]>([
    ["a resume", recordAfter(atWork.after(say("loop pause", 1)), say("loop resume", 2))],
    ["a stop of what is closed", recordAfter(atWork.after(closed(1)), say("loop stop", 2, false))],
    [
      "a second stop of that",
      recordAfter(atWork.after(closed(1), say("loop stop", 2, false)), say("loop stop", 3, false)),
    ],
    [
      "a reopening of what was paused",
      recordAfter(atWork.after(say("loop pause", 1), closed(2)), reopened(3)),
    ],
  ])("of %s says nothing of a pause before it", (_what, record) => {
    expect(record).not.toBeNull();
    expect(record).not.toHaveProperty("beforePause");
  });

  it.each<[string, Given, string | null]>([
    ["what was at work", atWork, "started"],
    ["what nobody had started", armed, "idle"],
    ["what was stopped", atWork.after(say("loop stop", 1)), "stopped"],
    [
      "what the first pause interrupted, also by a second one",
      atWork.after(say("loop pause", 1)),
      "started",
    ],
    ["nothing, where it was at work until it closed", atWork.after(closed(1)), "idle"],
    [
      "a stop, where it was stopped until it closed",
      atWork.after(say("loop stop", 1), closed(2)),
      "stopped",
    ],
    [
      "a stop, where it was stopped, paused and then closed",
      atWork.after(say("loop stop", 1), say("loop pause", 2), closed(3)),
      "stopped",
    ],
  ])("of a pause interrupts %s", (_what, from, before) => {
    expect(recordAfter(from, say("loop pause", 9))).toMatchObject({ status: "paused", before });
  });

  it.each<[string, Given, string]>([
    ["what was at work", atWork, "started"],
    ["what was stopped", atWork.after(say("loop stop", 1)), "stopped"],
    ["what nobody had started", armed, "idle"],
  ])("of a resume leads back to %s, and is a newer request", (_what, from, status) => {
    expect(recordAfter(from.after(say("loop pause", 2)), say("loop resume", 3))).toMatchObject({
      status,
      before: null,
      requestedBy: "alice",
      deliveryId: "d-3",
      since: { at: at(3), clock: "host" },
    });
  });

  it("of a reopening while it was paused: paused again, with what the pause had interrupted", () => {
    const back = atWork.after(say("loop pause", 1), closed(2)).when(reopened(3));
    expect([
      back.says,
      back.after.workItem?.control.status,
      back.after.workItem?.control.before,
    ]).toEqual(["reopened: reopened", "paused", "started"]);
    expect(recordAfter(atWork.after(closed(2)), reopened(3))).toMatchObject({
      status: "started",
      before: null,
    });
  });

  it("of a reopening of what a version that did not write it closed while it was paused: paused, and at work after a resume", () => {
    const back = given({ item: itemOf("closed", { control: { before: "paused" } }) }).after(
      reopened(3),
    );
    expect(back.state.item.workItem?.control).toMatchObject({
      status: "paused",
      before: "started",
    });
    expect(recordAfter(back, say("loop resume", 4))?.status).toBe("started");
  });

  it("of stopping what a stranger closed stops it, and does not close it", () => {
    expect(recordAfter(atWork.after(closed(1, mallory)), say("loop stop", 2, false))).toMatchObject(
      { status: "stopped", before: null },
    );
  });

  it("of stopping what is closed leaves it closed, and stopped once it is open again", () => {
    const stopped = atWork.after(closed(1)).when(say("loop stop", 2, false)).after;
    expect(stopped.workItem?.control).toMatchObject({ status: "closed", before: "stopped" });
    expect(given({ item: stopped }).when(reopened(3)).after.workItem?.control.status).toBe(
      "stopped",
    );
  });
});

describe("a deferred closing", () => {
  const deferred = (item: ItemState): unknown => item.workItem?.closeDeferred;
  const pending = atWork.after(closed(1, mallory));

  it.each<[string, InboundEvent, boolean]>([
    ["an authorized closing", closed(2), false],
    ["a cleanup", say("loop cleanup", 2), false],
    ["a reopening", reopened(2), false],
    ["another stranger's closing", closed(2, mallory), true],
  ])("after %s", (_what, event, still) => {
    expect(deferred(pending.state.item)).toBe(true);
    expect(deferred(pending.when(event).after)).toBe(still);
  });

  it("is none after a start, and after the reopening of what an authorized user closed", () => {
    expect(deferred(armed.when(say("loop start", 1)).after)).toBe(false);
    expect(deferred(atWork.after(closed(1)).when(reopened(2)).after)).toBe(false);
  });

  it("told twice leaves the very object", () => {
    expect(pending.when(closed(1, mallory)).after).toBe(pending.state.item);
  });
});

describe("what an end does to lanes and sessions", () => {
  const lanesOf = (item: ItemState): unknown =>
    item.lanes.map(({ endpoint, hold }) => [endpoint, hold?.reason ?? null, hold?.detail ?? null]);
  const two = given({
    item: itemOf("started", {
      sessions: [
        sessionOf(),
        sessionOf({ endpoint: formatRef(pullRef), status: "lost" }),
        sessionOf({ endpoint: formatRef({ ...pullRef, number: 13 }), status: "closed" }),
      ],
      lanes: [laneOf(issueRef)],
    }),
  });

  it("a stop ends every session that is not over, also one that is lost", () => {
    const { after } = two.when(say("loop stop", 1));
    expect(after.sessions.map(({ status }) => status)).toEqual(["closing", "closing", "closed"]);
    expect(lanesOf(after)).toEqual([
      ["host:octo/shop#7", "ending", "its session is ending"],
      ["host:octo/shop#12", "ending", "its session is ending"],
    ]);
  });

  it("a cleanup waits for the release", () => {
    expect(lanesOf(two.when(say("loop cleanup", 1)).after)).toEqual([
      ["host:octo/shop#7", "releasing", "its checkout is being released"],
      ["host:octo/shop#12", "releasing", "its checkout is being released"],
    ]);
  });

  it("a pause says who asked for it", () => {
    expect(lanesOf(two.when(say("loop pause", 1)).after)).toEqual([
      ["host:octo/shop#7", "paused", "paused by alice"],
    ]);
  });

  it("S07: a reopening of what was at work opens its lanes, and its sessions go on", () => {
    const { after } = two.after(closed(1)).when(reopened(2));
    expect(after.sessions.map(({ status }) => status)).toEqual(["active", "active", "closed"]);
    expect(lanesOf(after)).toEqual([
      ["host:octo/shop#7", null, null],
      ["host:octo/shop#12", null, null],
    ]);
  });

  it("S07: a reopening of what was paused while at work pauses its lanes again, also one that opened since", () => {
    const { after } = atWork.after(say("loop pause", 1), closed(2)).when(reopened(3));
    expect(after.sessions.map(({ status }) => status)).toEqual(["active"]);
    expect(lanesOf(after)).toEqual([["host:octo/shop#7", "paused", "paused by alice"]]);
  });

  it("a reopening of what was stopped calls off the release and not the end", () => {
    const { after } = atWork.after(say("loop stop", 1), closed(2)).when(reopened(3));
    expect([after.sessions.map(({ status }) => status), lanesOf(after)]).toEqual([
      ["closing"],
      [["host:octo/shop#7", "ending", "its session is ending"]],
    ]);
  });

  it("a reopening of what was stopped ends each session that was ending, and opens the lane of each that had ended", () => {
    const { after } = two
      .after(say("loop stop", 1), { kind: "session-closed", endpoint: pullRef }, closed(2))
      .when(reopened(3));
    expect(after.sessions.map(({ status }) => status)).toEqual(["closing", "closed", "closed"]);
    expect(lanesOf(after)).toEqual([
      ["host:octo/shop#7", "ending", "its session is ending"],
      ["host:octo/shop#12", null, null],
    ]);
  });

  it("a reopening calls off no end that was asked for while it was closed", () => {
    const released = atWork.after(
      closed(1),
      { kind: "session-closed", endpoint: issueRef },
      { kind: "released", workItem: issueRef, salvage: null, at: 1 },
    );
    const stopped = released.after(say("loop stop", 2, false)).when(reopened(3)).after;
    expect(lanesOf(stopped)).toEqual([["host:octo/shop#7", "ending", "its session is ending"]]);
  });

  it("S07: a reopening of what was at work lifts nothing that a lane waits for since", () => {
    const login = {
      kind: "lane-held",
      endpoint: issueRef,
      hold: { reason: "login", until: null, detail: "asked to log in" },
    } as const;
    const released = atWork.after(
      closed(1),
      { kind: "session-closed", endpoint: issueRef },
      { kind: "released", workItem: issueRef, salvage: null, at: 1 },
      login,
    );
    expect(lanesOf(released.when(reopened(2)).after)).toEqual([
      ["host:octo/shop#7", "login", "asked to log in"],
    ]);
  });

  it("S07: a reopening of what was at work lets every session that still lives go on, also one whose pull request closed after the issue", () => {
    const pullClosed = closedEvent({
      at: later(2),
      item: pullRequestOf({ updatedAt: later(2) }),
      deliveryId: "d-2",
    });
    const { after } = two.after(closed(1), pullClosed).when(reopened(3));
    expect(after.sessions.map(({ status }) => status)).toEqual(["active", "active", "closed"]);
    expect(lanesOf(after)).toEqual([
      ["host:octo/shop#7", null, null],
      ["host:octo/shop#12", null, null],
    ]);
  });

  it("a reopening of what was stopped and had ended opens the lane", () => {
    const ended = atWork
      .after(say("loop stop", 1), { kind: "session-closed", endpoint: issueRef }, closed(2))
      .when(reopened(3)).after;
    expect(lanesOf(ended)).toEqual([["host:octo/shop#7", null, null]]);
  });
});
