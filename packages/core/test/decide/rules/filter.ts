import {
  ciEvent,
  commentEvent,
  controlEvent,
  labelEvent,
} from "../../../src/testing/build-event.ts";
import { itemOf, sessionOf } from "../../../src/testing/build-state.ts";
import { given } from "../../../src/testing/given.ts";
import { type Rule, record } from "./rule.ts";

const start = commentEvent("loop start");
const started = ["react eyes", "turn spawn #7", "react hooray"];
const renamed = commentEvent("loop start", {
  repository: {
    ...start.repository,
    owner: "Octo",
    name: "SHOP",
    calledNow: { owner: "Octo", name: "Store" },
  },
});
const working = { item: itemOf("started", { sessions: [sessionOf()] }) };

/** What never gets as far as a work item. */
export const filterRules: readonly Rule[] = [
  {
    name: "routing.enabled false: kept, ignored, nothing remembered",
    given: given({}, { enabled: false }),
    when: labelEvent(),
    says: "ignored: routing-disabled",
    leaves: [record, null],
  },
  {
    name: "routing.enabled false: control deliveries too",
    given: given({}, { enabled: false }),
    when: controlEvent({ verb: "stop", login: null, instance: null }),
    says: "ignored: routing-disabled",
  },
  {
    name: "an event that is not listed",
    given: given({}, { events: new Set(["issues"]) }),
    when: start,
    says: "ignored: event-not-listed",
  },
  {
    name: "control deliveries are no events of the list",
    given: given(working, { events: new Set() }),
    when: controlEvent({ verb: "pause", login: null, instance: null }),
    says: "paused: pause-requested",
    does: ["reply #7"],
  },
  {
    name: "a repository that is not listed",
    given: given({}, { repositories: new Set(["octo/other"]) }),
    when: start,
    says: "ignored: repository-not-listed",
  },
  {
    name: "repositories compare without case",
    given: given({ item: itemOf("idle") }, { repositories: new Set(["octo/shop"]) }),
    when: commentEvent("loop start", {
      repository: { ...start.repository, owner: "Octo", name: "SHOP" },
    }),
    says: "started: start-requested",
    does: started,
  },
  {
    name: "S04: a repository that is listed by the name that it has now",
    given: given({ item: itemOf("idle") }, { repositories: new Set(["octo/store"]) }),
    when: renamed,
    says: "started: start-requested",
    does: started,
  },
  {
    name: "S04: or by the one by which it is known here",
    given: given({ item: itemOf("idle") }, { repositories: new Set(["octo/shop"]) }),
    when: renamed,
    says: "started: start-requested",
    does: started,
  },
  {
    name: "S04: and by no other",
    given: given({ item: itemOf("idle") }, { repositories: new Set(["octo/other"]) }),
    when: renamed,
    says: "ignored: repository-not-listed",
  },
  {
    name: "R20: the same happening under another delivery id",
    given: given({ item: itemOf("stopped"), seenAs: "first" }),
    when: start,
    says: "ignored: seen-before",
  },
  {
    name: "P10: the service's own comment is gone before anything reads it",
    given: given({ ...working, own: "comment" }),
    when: commentEvent("loop cleanup"),
    says: "ignored: own-comment",
  },
  {
    name: "P10: so is help text with every keyword",
    given: given({ ...working, own: "comment" }),
    when: commentEvent("Type loop start or loop stop.\nloop cleanup"),
    says: "ignored: own-comment",
  },
  {
    name: "a comment that belongs nowhere",
    given: given({ target: null }),
    when: start,
    says: "ignored: no-work-item",
  },
  {
    name: "a label that belongs nowhere",
    given: given({ target: null }),
    when: labelEvent(),
    says: "ignored: no-work-item",
  },
  {
    name: "a control delivery that belongs nowhere",
    given: given({ target: null }),
    when: controlEvent({ verb: "stop", login: null, instance: null }),
    says: "ignored: no-work-item",
  },
  {
    name: "a check that belongs nowhere",
    given: given({ target: null }),
    when: ciEvent(),
    says: "ignored: ci-no-pull-request",
  },
];
