import { ciEvent } from "../../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  laneOf,
  linkOf,
  sessionOf,
  targetOf,
} from "../../../src/testing/build-state.ts";
import { given } from "../../../src/testing/given.ts";
import type { Rule } from "./rule.ts";

const sha = (letter: string): string => letter.repeat(40);
const target = targetOf({ provenance: "recorded-link" });
const atWork = given({
  item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }),
  target,
});
const red = (letter: string): ReturnType<typeof ciEvent> => ciEvent({ headSha: sha(letter) });
const green = (letter: string): ReturnType<typeof ciEvent> =>
  ciEvent({ headSha: sha(letter), conclusion: "success" });
const told = ["turn resume #7"];
const all = given(
  { item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }), target },
  { ciWakeOn: "all" },
);

/** CI wakes a session at work, a few times, and never arms or spawns. */
export const ciRules: readonly Rule[] = [
  {
    name: "the first failure of a check for a head",
    given: atWork,
    when: red("a"),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "an error of a commit status",
    given: atWork,
    when: ciEvent({ conclusion: "error" }),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "the same failure again",
    given: atWork.after(red("a")),
    when: red("a"),
    says: "noted: ci-no-change",
  },
  {
    name: "another check of the same head",
    given: atWork.after(red("a")),
    when: ciEvent({ name: "lint" }),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "a failure of the next head",
    given: atWork.after(red("a")),
    when: red("b"),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "the recovery to green",
    given: atWork.after(red("a")),
    when: green("b"),
    says: "delivered: ci-recovered",
    does: told,
  },
  {
    name: "green once more",
    given: atWork.after(red("a"), green("b")),
    when: green("c"),
    says: "noted: ci-no-change",
  },
  {
    name: "green without a failure before",
    given: atWork,
    when: green("a"),
    says: "noted: ci-no-change",
  },
  {
    name: "a cancelled run",
    given: atWork,
    when: ciEvent({ conclusion: "cancelled" }),
    says: "ignored: ci-no-change",
  },
  {
    name: "a third head wakes",
    given: atWork.after(red("a"), red("b")),
    when: red("c"),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "a fourth head gets one notice",
    given: atWork.after(red("a"), red("b"), red("c")),
    when: red("d"),
    says: "noted: ci-wakes-used-up",
    does: ["reply #12"],
  },
  {
    name: "a fifth head gets nothing",
    given: atWork.after(red("a"), red("b"), red("c"), red("d")),
    when: red("e"),
    says: "noted: ci-wakes-used-up",
  },
  {
    name: "recoveries in between do not refill the wakes",
    given: atWork.after(red("a"), green("b"), red("c"), green("d"), red("e"), green("f")),
    when: red("g"),
    says: "noted: ci-wakes-used-up",
    does: ["reply #12"],
  },
  {
    name: "the recovery of a failure that was not told is not told",
    given: atWork.after(red("a"), red("b"), red("c"), red("d")),
    when: green("e"),
    says: "noted: ci-no-change",
  },
  {
    name: "a commit status names no pull request; the recorded head does",
    given: atWork.after(red("a")),
    when: ciEvent({ pullRequests: [] }),
    says: "noted: ci-no-change",
  },
  {
    name: "a check that still runs",
    given: atWork,
    when: ciEvent({ phase: "running", conclusion: null }),
    says: "ignored: ci-not-finished",
  },
  {
    name: "wakeOn never",
    given: given(
      { item: itemOf("started", { sessions: [sessionOf()] }), target },
      { ciWakeOn: "never" },
    ),
    when: red("a"),
    says: "ignored: ci-never",
  },
  {
    name: "wakeOn all tells the result of a head, whatever it is",
    given: all,
    when: green("a"),
    says: "delivered: activity-of-session",
    does: told,
  },
  {
    name: "wakeOn all tells one result of a head, however often the check runs again",
    given: all.after(green("a")),
    when: green("a"),
    says: "noted: ci-no-change",
  },
  {
    name: "wakeOn all tells no repeated failure",
    given: all.after(red("a")),
    when: red("a"),
    says: "noted: ci-no-change",
  },
  {
    name: "wakeOn all tells a recovery once",
    given: all.after(red("a"), green("b")),
    when: green("b"),
    says: "noted: ci-no-change",
  },
  {
    name: "wakeOn all tells the recovery of a head's own failure",
    given: all.after(red("a")),
    when: green("a"),
    says: "delivered: ci-recovered",
    does: told,
  },
  {
    name: "wakeOn all stops after three green heads",
    given: all.after(green("a"), green("b"), green("c")),
    when: green("d"),
    says: "noted: ci-wakes-used-up",
    does: ["reply #12"],
  },
  {
    name: "wakeOn all gives one notice, whatever the results",
    given: all.after(green("a"), red("b"), green("c"), green("d"), red("e")),
    when: green("f"),
    says: "noted: ci-wakes-used-up",
  },
  {
    name: "wakeOn all stops after three failing heads as well",
    given: all.after(red("a"), red("b"), red("c")),
    when: red("d"),
    says: "noted: ci-wakes-used-up",
    does: ["reply #12"],
  },
  {
    name: "CI spawns nothing on an armed item",
    given: given({ item: itemOf("idle"), target }, { requireStartCommand: false }),
    when: red("a"),
    says: "ignored: not-running",
  },
  {
    name: "CI spawns nothing on a started item without a session",
    given: given({ item: itemOf("started"), target }),
    when: red("a"),
    says: "ignored: not-running",
  },
  {
    name: "CI waits on the lane of a paused item",
    given: given({
      item: itemOf("paused", {
        sessions: [sessionOf()],
        lanes: [laneOf(issueRef, { reason: "paused", until: null, detail: "" })],
      }),
      target,
    }),
    when: red("a"),
    says: "delivered: ci-first-failure",
    does: told,
  },
  {
    name: "another instance's check",
    given: given({
      item: itemOf("started", { sessions: [sessionOf()] }),
      target,
      ownedBy: "other",
    }),
    when: red("a"),
    says: "ignored: owned-elsewhere",
  },
];
