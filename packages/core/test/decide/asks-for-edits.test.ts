import { expect, test } from "vitest";
import { asksForEdits } from "../../src/decide/unauthorized-edits.ts";
import { commentEvent } from "../../src/testing/build-event.ts";
import { itemOf, policyOf, sessionOf } from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";

const atWork = given({ item: itemOf("started", { sessions: [sessionOf()] }) });
const idle = given({ item: itemOf("idle") });
const edited = { action: "edited", change: "edited" } as const;

test.each([
  ["a command in a new comment", commentEvent("loop start"), idle, true],
  ["words to a session at work", commentEvent("mind the tests"), atWork, true],
  [
    "words beside a keyword in an edit, which are told to a session at work",
    commentEvent("loop start and mind the tests", edited),
    atWork,
    true,
  ],
  [
    "a keyword in an edit where no session is at work",
    commentEvent("loop start", edited),
    idle,
    false,
  ],
])("the host is asked who edited %s, or not: %#", (_what, event, { state }, asks) => {
  expect(asksForEdits(event, state, policyOf())).toBe(asks);
});
