import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ControlVerb, InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoonMs,
  issueOf,
} from "../../src/testing/build-event.ts";
import { itemOf, sessionOf } from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";
import type { ItemState } from "../../src/work-item/records.ts";

/**
 * One thing after another, each in a minute of its own and told so many minutes late; the command
 * line never is.
 */
type Act<What> = { readonly what: What; readonly late: number; readonly typed: boolean };
type Told<What> = { readonly what: What; readonly event: InboundEvent };

const actsOf = <What>(what: fc.Arbitrary<What>): fc.Arbitrary<readonly Act<What>[]> =>
  fc.array(fc.record({ what, late: fc.constantFrom(0, 0, 1, 3, 30), typed: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  });
const written = (minute: number): string => `2026-03-01T12:${String(minute).padStart(2, "0")}:00Z`;
const atWork = given({ item: itemOf("started", { sessions: [sessionOf()] }) });

function inArrival<What>(
  acts: readonly Act<What>[],
  eventOf: (what: What, minute: number, typed: boolean) => InboundEvent,
): readonly Told<What>[] {
  const told = acts.map(({ what, late, typed }, minute) => ({
    what,
    event: eventOf(what, minute, typed),
    arrives: minute + (typed ? 0 : late),
  }));
  return told.toSorted((one, other) => one.arrives - other.arrives);
}

function steering(verb: ControlVerb, minute: number, typed: boolean): InboundEvent {
  const login = verb.endsWith("collaborator") ? "dave" : null;
  if (typed)
    return controlEvent(
      { verb, login, instance: null },
      { receivedAt: hostNoonMs + minute * 60_000 },
    );
  return commentEvent(`loop ${verb}${login === null ? "" : ` @${login}`}`, {
    comment: { createdAt: written(minute) },
    item: issueOf({ updatedAt: written(minute) }),
  });
}

const after = (told: readonly Told<unknown>[]): ItemState =>
  atWork.after(...told.map(({ event }) => event)).state.item;

describe("what is told late, in whatever order", () => {
  it("R19: the last that was asked for was an end or a pause: nothing goes on", () => {
    let reordered = 0;
    fc.assert(
      fc.property(
        actsOf(fc.constantFrom<ControlVerb>("start", "resume", "pause", "stop", "cleanup")),
        fc.constantFrom<ControlVerb>("pause", "stop", "cleanup"),
        fc.boolean(),
        (acts, last, typed) => {
          const all = [...acts, { what: last, late: 0, typed }];
          const told = inArrival(all, steering);
          if (told.at(-1)?.what !== last) reordered += 1;
          expect(after(told).workItem?.control.status).not.toBe("started");
        },
      ),
      { numRuns: 3000 },
    );
    expect(reordered).toBeGreaterThan(300);
  });

  it("R19: a grant ended, by its revocation or by a closing, and was not given again: the login is not let in", () => {
    type What = "add" | "remove" | "close" | "reopen";
    let ended = 0;
    const eventOf = (what: What, minute: number, typed: boolean): InboundEvent => {
      const item = issueOf({ updatedAt: written(minute) });
      if (what === "close") return closedEvent({ item, at: written(minute) });
      if (what === "reopen")
        return activityEvent({ action: "reopened", item, at: written(minute) });
      return steering(`${what}-collaborator`, minute, typed);
    };
    fc.assert(
      fc.property(actsOf(fc.constantFrom<What>("add", "remove", "close", "reopen")), (acts) => {
        const newest = (...of: readonly What[]): number =>
          acts.findLastIndex(({ what }) => of.includes(what));
        if (newest("remove", "close") < newest("add")) return;
        const item = after(
          inArrival(
            acts.map((act) =>
              act.what === "close" || act.what === "reopen" ? { ...act, typed: false } : act,
            ),
            eventOf,
          ),
        );
        expect(item.collaborators).toEqual([]);
        if (newest("add") !== -1) ended += 1;
      }),
      { numRuns: 3000 },
    );
    expect(ended).toBeGreaterThan(300);
  });
});
