import { describe, expect, it } from "vitest";
import { measureAfter, overtakenBy, saidAt, timeOf } from "../../src/decide/overtaken.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  commentEvent,
  controlEvent,
  hostNoonMs,
} from "../../src/testing/build-event.ts";
import { itemOf } from "../../src/testing/build-state.ts";
import {
  emptyItemState,
  idleControl,
  type ClockTime,
  type ControlRecord,
} from "../../src/work-item/records.ts";

const host = (at: number): ClockTime => ({ at, clock: "host" });
const machine = (at: number): ClockTime => ({ at, clock: "machine" });
const diff = (createdAt: string | null, at: string | null): ReturnType<typeof commentEvent> =>
  commentEvent("x", { surface: "diff", at, comment: { createdAt } });

/** Whole seconds, as the host's are, so that within one second the order of arrival counts. */
describe("when something was asked for", () => {
  it.each<[string, InboundEvent, ClockTime]>([
    [
      "a comment, by its own time",
      commentEvent("x", { at: "2026-03-01T13:00:00Z" }),
      host(hostNoonMs),
    ],
    [
      "a comment without one, by the event's",
      commentEvent("x", { at: "2026-03-01T12:00:01Z", comment: { createdAt: null } }),
      host(hostNoonMs + 1000),
    ],
    [
      "a comment on a diff, by when it could be read",
      diff("2026-03-01T11:00:00Z", "2026-03-01T12:00:00Z"),
      host(hostNoonMs),
    ],
    [
      "a comment on a diff of no known event time, by its own",
      diff("2026-03-01T12:00:00Z", null),
      host(hostNoonMs),
    ],
    ["an activity, by the event's", activityEvent(), host(hostNoonMs)],
    [
      "what the host does not tell, by this machine's, cut to seconds",
      activityEvent({ at: null }),
      machine(5000),
    ],
    [
      "a control delivery, by its receipt",
      controlEvent(
        { verb: "stop", login: null, instance: null },
        { receivedAt: hostNoonMs + 1999 },
      ),
      machine(hostNoonMs + 1000),
    ],
  ])("%s", (_what, event, time) => {
    expect(timeOf(event, 5999)).toEqual(time);
  });

  it("a comment of the conversation could be read when it was created", () => {
    expect(saidAt(commentEvent("x", { at: "2026-03-01T13:00:00Z" }))).toBe("2026-03-01T12:00:00Z");
  });
});

describe("the newer request that a comment would undo (R19)", () => {
  const since = (control: Partial<ControlRecord>): ReturnType<typeof itemOf> =>
    itemOf("started", { control });
  const written = "2026-03-01T12:00:00Z";
  const after = hostNoonMs + 1000;
  const revoked = itemOf("started", { workItem: { revoked: [{ login: "dave", ...host(after) }] } });

  it.each<[string, Parameters<typeof overtakenBy>[0], Parameters<typeof overtakenBy>[1], unknown]>([
    [
      "a start before it",
      { verb: "start", login: null, at: written },
      since({ since: host(after) }),
      host(after),
    ],
    [
      "a resume before it",
      { verb: "resume", login: null, at: written },
      since({ since: machine(after) }),
      machine(after),
    ],
    [
      "a start of the same second",
      { verb: "start", login: null, at: written },
      since({ since: host(hostNoonMs) }),
      null,
    ],
    [
      "a pause, which nothing overtakes",
      { verb: "pause", login: null, at: written },
      since({ since: host(after) }),
      null,
    ],
    [
      "a stop, which nothing overtakes",
      { verb: "stop", login: "dave", at: written },
      revoked,
      null,
    ],
    [
      "a start of which nobody can tell when",
      { verb: "start", login: null, at: null },
      since({ since: host(after) }),
      null,
    ],
    [
      "a start on an item of which nothing is known",
      { verb: "start", login: null, at: written },
      emptyItemState,
      null,
    ],
    [
      "a start where nobody has asked for anything",
      { verb: "start", login: null, at: written },
      since({ since: null, at: after }),
      null,
    ],
    [
      "a start, by a record of an earlier version: a comment",
      { verb: "start", login: null, at: written },
      since({ at: after, source: "comment" }),
      host(after),
    ],
    [
      "a start, by a record of an earlier version: an activity",
      { verb: "start", login: null, at: written },
      since({ at: after, source: "activity" }),
      host(after),
    ],
    [
      "a start, by a record of an earlier version: the command line",
      { verb: "start", login: null, at: written },
      since({ at: after, source: "cli" }),
      machine(after),
    ],
    [
      "a start, by a record of an earlier version: the API",
      { verb: "start", login: null, at: written },
      since({ at: after, source: "api" }),
      machine(after),
    ],
    [
      "a start, by a record of an earlier version without a time",
      { verb: "start", login: null, at: written },
      since({ at: null }),
      null,
    ],
    [
      "a grant before its revocation",
      { verb: "add-collaborator", login: "Dave", at: written },
      revoked,
      { login: "dave", ...host(after) },
    ],
    [
      "a grant of another login",
      { verb: "add-collaborator", login: "erin", at: written },
      revoked,
      null,
    ],
    ["a grant of nobody", { verb: "add-collaborator", login: null, at: written }, revoked, null],
    [
      "a revocation, which nothing overtakes",
      { verb: "remove-collaborator", login: "dave", at: written },
      revoked,
      null,
    ],
    [
      "a grant, which only a revocation overtakes",
      { verb: "add-collaborator", login: "dave", at: written },
      since({ since: host(after) }),
      null,
    ],
  ])("%s", (_what, request, item, newer) => {
    expect(overtakenBy(request, item)).toEqual(newer);
  });
});

describe("from when on a start counts", () => {
  const known: ControlRecord = { ...idleControl, since: host(5000) };

  it.each<[string, ControlRecord, ClockTime, boolean, ClockTime | null]>([
    ["the first request", idleControl, host(1000), true, host(1000)],
    ["a newer one", known, host(6000), true, host(6000)],
    ["one of the same second", known, machine(5000), false, machine(5000)],
    ["an older one", known, host(4000), false, host(5000)],
    [
      "what begins by the command line, whose clock may be ahead",
      known,
      machine(9000),
      true,
      host(5000),
    ],
    [
      "the first request, where it begins by the command line",
      idleControl,
      machine(9000),
      true,
      null,
    ],
    ["what ends by the command line", known, machine(9000), false, machine(9000)],
  ])("%s", (_what, before, taken, begins, measure) => {
    expect(measureAfter(before, taken, begins)).toEqual(measure);
  });
});
