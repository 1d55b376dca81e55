import { expect, test } from "vitest";
import { candidateOf, type Said, type SaidIn } from "../../src/learnings.ts";

const said: Said = { text: "Start the database first", signal: "user-feedback", category: "testing", severity: "medium", severityReason: "", ref: "" };
const where: SaidIn = { id: "1", workItem: "host:acme/shop#1", run: "turn-1", harness: "A", instance: "default", at: 1, heard: ["authorized"] };

test("a person who may steer vouches for a review and a correction", () => {
  expect(candidateOf(said, where)).toMatchObject({ signal: { kind: "user-feedback", by: "authorized" } });
});

test.each([[["stranger"]], [["collaborator"]], [["none"]], [[]]] as const)("with %j alone in the turn there was neither", (heard) => {
  expect(candidateOf(said, { ...where, heard })).toContain("nobody who may steer");
  expect(candidateOf({ ...said, signal: "review-reject" }, { ...where, heard })).toContain("nobody who may steer");
  expect(candidateOf({ ...said, signal: "test-fail", severity: "high", severityReason: "user-said-always" }, { ...where, heard })).toContain("nobody who may steer");
});

test("our own checks and gates vouch for themselves", () => {
  expect(candidateOf({ ...said, signal: "ci-fail" }, { ...where, heard: ["none"] })).toMatchObject({ signal: { by: "check" } });
  expect(candidateOf({ ...said, signal: "gate-block" }, { ...where, heard: [] })).toMatchObject({ signal: { by: "gate" } });
});
