import { describe, expect, test } from "vitest";
import { quietUntil } from "../../src/own-writing/quiet-period.ts";
import { activityEvent, alice, commentEvent } from "../../src/testing/build-event.ts";

const bob = { login: "Bob", id: "2", bot: false };
const overheard = { receivedAt: 1_000, running: true, own: alice };
const policy = { authorizedUsers: new Set(["alice", "bob"]) };
const until = (
  by = alice,
  over: Partial<typeof overheard> = {},
  change: "created" | "edited" = "created",
): number | null =>
  quietUntil(commentEvent("hello", { by, change }), { ...overheard, ...over }, policy, 5);

describe("which comments wait while a turn runs", () => {
  test("those under the operator's login, until they have been here for the quiet time", () =>
    expect(until()).toBe(6_000));
  test("nobody else's, where the token's owner may steer", () => expect(until(bob)).toBeNull());
  test("those of everybody who may steer, where the token is a bot's or nobody's", () => {
    expect(until(bob, { own: { login: "robot", id: "9", bot: false } })).toBe(6_000);
    expect(
      quietUntil(commentEvent("hello", { by: bob }), { ...overheard, own: null }, policy, 5),
    ).toBe(6_000);
    expect(
      quietUntil(
        commentEvent("hello", { by: { login: "mallory", id: "6", bot: false } }),
        { ...overheard, own: null },
        policy,
        5,
      ),
    ).toBeNull();
  });
  test("none while nothing runs, no edit, and nothing but comments", () => {
    expect(until(alice, { running: false })).toBeNull();
    expect(until(alice, {}, "edited")).toBeNull();
    expect(quietUntil(activityEvent(), overheard, policy, 5)).toBeNull();
    expect(quietUntil({ ...commentEvent("hello"), actor: null }, overheard, policy, 5)).toBeNull();
  });
});
