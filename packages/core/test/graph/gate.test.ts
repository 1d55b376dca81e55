import { describe, expect, test } from "vitest";
import { readAnswer, type Speaker } from "../../src/graph/gate.ts";
import { alice, commentEvent as said } from "../../src/testing/build-event.ts";

const policy = { authorizedUsers: new Set(["alice"]) };
const person: Speaker = { authority: "authorized", agentAtWork: null };

describe("an answer at a gate", () => {
  for (const body of [
    "approved",
    "Approved.",
    "LGTM!",
    "approve",
    "\n\n  approved\n\nand thank you",
    "  \n \napproved",
    "approved\r\nthanks",
  ]) {
    test(`is a first line that says nothing else: ${JSON.stringify(body)}`, () =>
      expect(readAnswer(said(body), person, policy)).toEqual({
        approved: true,
        by: "alice",
        mayBeAgents: false,
      }));
  }

  for (const body of [
    "not approved",
    "approved?",
    "approved, but change the title",
    "I think this can be approved",
    "> approved",
    "`approved`",
    "```\napproved\n```",
    "<!-- approved -->",
    "~~approved~~",
    "<del>approved</del>",
    "[//]: # (approved)",
    "On Monday Ada wrote:\n\napproved",
    "-- \napproved",
    "Once the tests pass:\napproved",
    `${"\n".repeat(4_000)}approved`,
    "",
  ]) {
    test(`is not one that says more, or quotes it: ${JSON.stringify(body)}`, () =>
      expect(readAnswer(said(body), person, policy)).toBeNull());
  }

  test("is a review by its state", () => {
    expect(
      readAnswer(
        said("", { surface: "review", comment: { reviewState: "approved" } }),
        person,
        policy,
      ),
    ).toEqual({ approved: true, by: "alice", mayBeAgents: false });
    expect(
      readAnswer(
        said("almost", { surface: "review", comment: { reviewState: "changes_requested" } }),
        person,
        policy,
      ),
    ).toEqual({ approved: false, by: "alice", mayBeAgents: false });
    expect(
      readAnswer(
        said("hm", { surface: "review", comment: { reviewState: "commented" } }),
        person,
        policy,
      ),
    ).toBeNull();
  });

  test("is never an edited or deleted comment, nor one on a line of a diff", () => {
    expect(readAnswer(said("approved", { change: "edited" }), person, policy)).toBeNull();
    expect(readAnswer(said("approved", { change: "deleted" }), person, policy)).toBeNull();
    expect(readAnswer(said("approved", { surface: "diff" }), person, policy)).toBeNull();
  });

  test("is an authorized user's: nobody else's moves anything", () => {
    for (const authority of ["collaborator", "stranger", "none"] as const)
      expect(readAnswer(said("approved"), { authority, agentAtWork: null }, policy)).toBeNull();
  });

  test("may be an agent's where one at work may have written it, or nobody looked", () => {
    const mayBeAgents = (agentAtWork: Speaker["agentAtWork"]): boolean | undefined =>
      readAnswer(said("approved"), { authority: "authorized", agentAtWork }, policy)?.mayBeAgents;
    expect([{ own: alice }, { own: null }, undefined, null].map(mayBeAgents)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
