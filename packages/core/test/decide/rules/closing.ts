import {
  activityEvent,
  carol,
  closedEvent,
  commentEvent,
  controlEvent,
  issueOf,
  mallory,
  pullRequestOf,
  someBot,
} from "../../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  laneOf,
  linkOf,
  pullRef,
  sessionOf,
  targetOf,
} from "../../../src/testing/build-state.ts";
import { given } from "../../../src/testing/given.ts";
import { formatRef } from "../../../src/ref/ref.ts";
import { deferred, holds, type Rule, record, sessions, status } from "./rule.ts";

const collaborators = [{ login: "carol", id: null, grantedBy: "alice", at: 0 }];
const atWork = given({
  item: itemOf("started", { sessions: [sessionOf()], collaborators, pullRequests: [linkOf()] }),
});
const ownSession = itemOf("started", {
  sessions: [sessionOf(), sessionOf({ endpoint: formatRef(pullRef) })],
  lanes: [laneOf(issueRef), laneOf(pullRef)],
  pullRequests: [linkOf()],
});
const onPull = targetOf({ provenance: "recorded-link" });
const endings = ["drop-turns #7", "end-session #7", "release #7"];
const released = { kind: "released", workItem: issueRef, salvage: null, at: 1 } as const;
const merged = pullRequestOf({ merged: true, open: false });
const reopened = activityEvent({
  action: "reopened",
  item: issueOf({ updatedAt: "2026-03-01T12:05:00Z" }),
});

const guests: NonNullable<Rule["leaves"]>[0] = (after) => [
  after.collaborators.map((each) => each.login),
  (after.workItem?.revoked ?? []).map((each) => each.login),
];

/** Closing and reopening. */
export const closingRules: readonly Rule[] = [
  {
    name: "an authorized closing ends and releases everything",
    given: atWork,
    when: closedEvent(),
    says: "closed: closed-by-authorized",
    does: endings,
    leaves: [
      (after) => [status(after), sessions(after), holds(after), after.collaborators],
      ["closed", ["closing"], ["releasing"], []],
    ],
  },
  {
    name: "it ends every endpoint",
    given: given({ item: ownSession }),
    when: closedEvent(),
    says: "closed: closed-by-authorized",
    does: ["drop-turns #7", "end-session #7", "drop-turns #12", "end-session #12", "release #7"],
  },
  {
    name: "a stopped item's checkout is released, too",
    given: given({
      item: itemOf("stopped", { sessions: [sessionOf({ status: "closed" })], lanes: [] }),
    }),
    when: closedEvent(),
    says: "closed: closed-by-authorized",
    does: ["release #7"],
  },
  {
    name: "S07: a stranger's closing is deferred",
    given: atWork,
    when: closedEvent({ by: mallory }),
    says: "close-deferred: closed-by-unauthorized",
    leaves: [
      (after) => [status(after), deferred(after), after.workItem?.open],
      ["started", true, false],
    ],
  },
  {
    name: "S07: a bot's closing is per list",
    given: atWork,
    when: closedEvent({ by: someBot }),
    says: "close-deferred: closed-by-unauthorized",
  },
  {
    name: "S07: a listed bot's closing",
    given: given(
      { item: itemOf("started", { sessions: [sessionOf()] }) },
      { authorizedUsers: new Set(["helper[bot]"]) },
    ),
    when: closedEvent({ by: someBot }),
    says: "closed: closed-by-authorized",
    does: endings,
  },
  {
    name: "a closing whose actor nobody knows is deferred",
    given: atWork,
    when: closedEvent({ by: null, source: "poll" }),
    says: "close-deferred: closed-by-unauthorized",
  },
  {
    name: "P07: a collaborator's closing is deferred",
    given: atWork,
    when: closedEvent({ by: carol }),
    says: "close-deferred: closed-by-unauthorized",
  },
  {
    name: "cleanup is the remedy of a deferred closing",
    given: atWork.after(closedEvent({ by: mallory })),
    when: commentEvent("loop cleanup", { item: issueOf({ open: false }) }),
    says: "cleaned-up: cleanup-requested",
    does: ["react eyes", ...endings, "react hooray"],
    leaves: [deferred, false],
  },
  {
    name: "cleanup of a deferred closing ends every grant, as the closing would have",
    given: given({ item: itemOf("started", { sessions: [sessionOf()], collaborators }) }).after(
      closedEvent({ by: mallory }),
    ),
    when: commentEvent("loop cleanup", { item: issueOf({ open: false }) }),
    says: "cleaned-up: cleanup-requested",
    does: ["react eyes", ...endings, "react hooray"],
    leaves: [guests, [[], [null]]],
  },
  {
    name: "cleanup on the command line of a deferred closing does, too",
    given: given({ item: itemOf("started", { sessions: [sessionOf()], collaborators }) }).after(
      closedEvent({ by: mallory }),
    ),
    when: controlEvent({ verb: "cleanup", login: null, instance: null }),
    says: "cleaned-up: cleanup-requested",
    does: [...endings, "reply #7"],
    leaves: [guests, [[], [null]]],
  },
  {
    name: "cleanup of an open item ends no grant: it may be started again",
    given: given({ item: itemOf("started", { sessions: [sessionOf()], collaborators }) }),
    when: commentEvent("loop cleanup"),
    says: "cleaned-up: cleanup-requested",
    does: ["react eyes", ...endings, "react hooray"],
    leaves: [guests, [["carol"], []]],
  },
  {
    name: "a deferred closing keeps nobody from pausing",
    given: atWork.after(closedEvent({ by: mallory })),
    when: commentEvent("loop pause", { item: issueOf({ open: false }) }),
    says: "paused: pause-requested",
    does: ["react eyes", "react hooray"],
    leaves: [
      (after) => [status(after), deferred(after), after.workItem?.open],
      ["paused", true, false],
    ],
  },
  {
    name: "R19: a pause from before a deferred closing that is told later",
    given: atWork.after(
      closedEvent({
        item: issueOf({ open: false, updatedAt: "2026-03-01T12:09:00Z" }),
        by: mallory,
      }),
    ),
    when: commentEvent("loop pause"),
    says: "paused: pause-requested",
    does: ["react eyes", "react hooray"],
    leaves: [holds, ["paused"]],
  },
  {
    name: "a stranger's closing ends every grant, although the work goes on",
    given: atWork,
    when: closedEvent({ by: mallory }),
    says: "close-deferred: closed-by-unauthorized",
    leaves: [guests, [[], [null]]],
  },
  {
    name: "a closing whose actor nobody knows does, too",
    given: atWork,
    when: closedEvent({ by: null, source: "poll" }),
    says: "close-deferred: closed-by-unauthorized",
    leaves: [guests, [[], [null]]],
  },
  {
    name: "a stranger's closing of what nobody started ends grants as well",
    given: given({ item: itemOf("idle", { collaborators }) }),
    when: closedEvent({ by: mallory }),
    says: "noted: close-without-session",
    leaves: [guests, [[], [null]]],
  },
  {
    name: "what a former collaborator says after a stranger's closing reaches no session",
    given: atWork.after(closedEvent({ by: mallory })),
    when: commentEvent("one more thing", { by: carol, item: issueOf({ open: false }) }),
    says: "ignored: stranger-dropped",
  },
  {
    name: "a collaborator's comment that shows the item closed before its closing is told reaches none either, and ends the grant",
    given: atWork,
    when: commentEvent("one more thing", {
      by: carol,
      item: issueOf({ open: false, updatedAt: "2026-03-01T12:01:00Z" }),
    }),
    says: "refused: item-closed",
    leaves: [guests, [[], [null]]],
  },
  {
    name: "an authorized person's comment that shows it closed is heard, and ends every grant",
    given: atWork,
    when: commentEvent("go on", {
      item: issueOf({ open: false, updatedAt: "2026-03-01T12:01:00Z" }),
    }),
    says: "delivered: input-of-authorized",
    does: ["turn resume #7"],
    leaves: [guests, [[], [null]]],
  },
  {
    name: "a reopening ends every grant of before it, whoever reopened the item and whether or not its closing was told",
    given: atWork,
    when: activityEvent({
      action: "reopened",
      by: mallory,
      item: issueOf({ updatedAt: "2026-03-01T12:05:00Z" }),
    }),
    says: "noted: stranger-dropped",
    leaves: [guests, [[], [null]]],
  },
  {
    name: "the closing of a linked pull request ends no grant of its issue",
    given: given({
      item: itemOf("started", { sessions: [sessionOf()], collaborators, pullRequests: [linkOf()] }),
      target: onPull,
    }),
    when: closedEvent({ item: pullRequestOf({ open: false }), by: mallory }),
    says: "noted: pull-request-closed",
    leaves: [guests, [["carol"], []]],
  },
  {
    name: "reopening ends a deferral",
    given: atWork.after(closedEvent({ by: mallory })),
    when: reopened,
    says: "delivered: activity-of-session",
    does: ["turn resume #7"],
    leaves: [deferred, false],
  },
  {
    name: "a closing of an unknown item",
    given: given(),
    when: closedEvent({ item: issueOf({ open: false, labels: [] }) }),
    says: "ignored: close-without-session",
    leaves: [record, null],
  },
  {
    name: "R19: a closing of an armed item that nobody has heard of is remembered",
    given: given(),
    when: closedEvent(),
    says: "noted: close-without-session",
    leaves: [(after) => [after.workItem?.open, after.sessions.length], [false, 0]],
  },
  {
    name: "R19: a start from the second of that closing opens nothing",
    given: given().after(closedEvent()),
    when: commentEvent("loop start"),
    says: "refused: item-closed",
    does: ["react confused", "reply #7"],
    leaves: [(after) => after.workItem?.open, false],
  },
  {
    name: "R19: a reopening in the second of the closing counts",
    given: atWork.after(closedEvent()),
    when: activityEvent({ action: "reopened" }),
    says: "reopened: reopened",
    leaves: [(after) => [status(after), after.workItem?.open], ["started", true]],
  },
  {
    name: "R19: a start from before that closing opens nothing",
    given: given().after(
      closedEvent({ item: issueOf({ open: false, updatedAt: "2026-03-01T12:05:00Z" }) }),
    ),
    when: commentEvent("loop start"),
    says: "refused: item-closed",
    does: ["react confused", "reply #7"],
  },
  {
    name: "a closing of an item that nobody started",
    given: given({ item: itemOf("idle") }),
    when: closedEvent(),
    says: "noted: close-without-session",
    leaves: [(after) => after.workItem?.open, false],
  },
  {
    name: "a closing of a known item that carries the label no more is remembered, too",
    given: given({ item: itemOf("idle") }),
    when: closedEvent({ item: issueOf({ labels: [] }) }),
    says: "noted: close-without-session",
    leaves: [(after) => after.workItem?.open, false],
  },
  {
    name: "a closing of an item that another instance owns",
    given: given({ item: itemOf("started", { sessions: [sessionOf()] }), ownedBy: "other" }),
    when: closedEvent(),
    says: "ignored: owned-elsewhere",
  },
  {
    name: "a second closing",
    given: given({ item: itemOf("closed") }),
    when: closedEvent({ by: mallory }),
    says: "noted: close-without-session",
  },

  {
    name: "S07: a merge ends only the pull request's own session",
    given: given({ item: ownSession, target: onPull }),
    when: closedEvent({ item: merged }),
    says: "closed: pull-request-closed",
    does: ["drop-turns #12", "end-session #12"],
    leaves: [
      (after) => [status(after), sessions(after), holds(after)],
      ["started", ["active", "closing"], [null, "ending"]],
    ],
  },
  {
    name: "S07: whoever closed it",
    given: given({ item: ownSession, target: onPull }),
    when: closedEvent({ item: pullRequestOf(), by: mallory }),
    says: "closed: pull-request-closed",
    does: ["drop-turns #12", "end-session #12"],
  },
  {
    name: "a merge without a session of its own leaves the item at work and is told",
    given: given({
      item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }),
      target: onPull,
    }),
    when: closedEvent({ item: merged }),
    says: "delivered: activity-of-session",
    does: ["turn resume #7"],
    leaves: [(after) => [status(after), after.pullRequests[0]?.open], ["started", false]],
  },
  {
    name: "a stranger's merge is only remembered",
    given: given({
      item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }),
      target: onPull,
    }),
    when: closedEvent({ item: merged, by: mallory }),
    says: "noted: pull-request-closed",
    leaves: [(after) => after.pullRequests[0]?.open, false],
  },
  {
    name: "a merge after its own session was closed is told to the item's",
    given: given({
      item: itemOf("started", {
        sessions: [sessionOf(), sessionOf({ endpoint: formatRef(pullRef), status: "closed" })],
        pullRequests: [linkOf()],
      }),
      target: onPull,
    }),
    when: closedEvent({ item: merged }),
    says: "delivered: activity-of-session",
    does: ["turn resume #7"],
  },
  {
    name: "a merge for an unknown item",
    given: given({ target: onPull }),
    when: closedEvent({ item: merged }),
    says: "ignored: pull-request-closed",
  },
  {
    name: "a pull request that is its own work item closes like an issue",
    given: given({
      item: itemOf("started", {
        workItem: { ref: formatRef(pullRef), type: "pull-request" },
        sessions: [sessionOf({ endpoint: formatRef(pullRef) })],
        lanes: [laneOf(pullRef)],
      }),
      target: targetOf({ workItem: pullRef, endpoint: pullRef }),
    }),
    when: closedEvent({ item: merged }),
    says: "closed: closed-by-authorized",
    does: ["drop-turns #12", "end-session #12", "release #12"],
  },

  {
    name: "S07: reopening at once calls the release off",
    given: atWork.after(closedEvent()),
    when: reopened,
    says: "reopened: reopened",
    leaves: [
      (after) => [status(after), sessions(after), holds(after)],
      ["started", ["active"], [null]],
    ],
  },
  {
    name: "S07: reopening what was stopped lets the session end and keeps the checkout",
    given: given({
      item: itemOf("stopped", { sessions: [sessionOf({ status: "closing" })] }),
    }).after(closedEvent()),
    when: reopened,
    says: "reopened: reopened",
    leaves: [
      (after) => [status(after), sessions(after), holds(after)],
      ["stopped", ["closing"], ["ending"]],
    ],
  },
  {
    name: "S07: a stranger's reopening calls nothing off",
    given: atWork.after(closedEvent()),
    when: { ...reopened, actor: mallory },
    says: "noted: stranger-dropped",
    leaves: [
      (after) => [status(after), after.workItem?.open, holds(after)],
      ["closed", true, ["releasing"]],
    ],
  },
  {
    name: "a start after a stranger's reopening waits for the release",
    given: atWork.after(closedEvent(), { ...reopened, actor: mallory }),
    when: commentEvent("loop start", {
      comment: { createdAt: "2026-03-01T12:06:00Z" },
      item: reopened.item,
    }),
    says: "started: start-requested",
    does: ["react eyes", "turn spawn #7", "react hooray"],
    leaves: [(after) => [status(after), holds(after)], ["started", ["releasing"]]],
  },
  {
    name: "reopening what was never started",
    given: given({ item: itemOf("closed", { control: { before: "idle" }, lanes: [] }) }),
    when: reopened,
    says: "reopened: reopened",
    leaves: [status, "idle"],
  },
  {
    name: "S07: what nobody started and somebody paused is that again when it is reopened",
    given: given({ item: itemOf("idle", { lanes: [laneOf(issueRef)] }) }).after(
      commentEvent("loop pause"),
      closedEvent(),
      released,
    ),
    when: reopened,
    says: "reopened: reopened",
    leaves: [
      (after) => [status(after), after.workItem?.control.before, holds(after)],
      ["paused", "idle", ["paused"]],
    ],
  },
  {
    name: "S07: a session that was ending before the pause goes on ending",
    given: atWork.after(commentEvent("loop stop"), commentEvent("loop pause"), closedEvent()),
    when: reopened,
    says: "reopened: reopened",
    leaves: [
      (after) => [status(after), sessions(after), holds(after)],
      ["paused", ["closing"], ["ending"]],
    ],
  },
  {
    name: "what was stopped while it was closed is stopped when it is open again",
    given: atWork.after(
      closedEvent(),
      commentEvent("loop stop", { item: issueOf({ open: false }) }),
    ),
    when: reopened,
    says: "reopened: reopened",
    leaves: [status, "stopped"],
  },
  {
    name: "a second pause after a stranger's reopening does not forget the stop before the first",
    given: atWork.after(
      commentEvent("loop stop"),
      commentEvent("loop pause"),
      closedEvent(),
      { ...reopened, actor: mallory },
      commentEvent("loop pause", { item: reopened.item }),
    ),
    when: commentEvent("loop resume", { item: reopened.item }),
    says: "resumed: resume-requested",
    does: ["react eyes", "react hooray"],
    leaves: [status, "stopped"],
  },
  {
    name: "nor does a stranger's reopening let anything start it by itself",
    given: given(
      { item: itemOf("closed", { control: { before: "stopped" }, workItem: { open: true } }) },
      { requireStartCommand: false },
    ),
    when: commentEvent("hello"),
    says: "ignored: not-running",
  },
  {
    name: "nor does it where the words are the first to show that it is open again",
    given: given(
      { item: itemOf("closed", { control: { before: "stopped" } }) },
      { requireStartCommand: false },
    ),
    when: commentEvent("hello", { item: reopened.item }),
    says: "ignored: not-running",
  },
  {
    name: "nor where it was paused before",
    given: given(
      { item: itemOf("closed", { control: { before: "paused" } }) },
      { requireStartCommand: false },
    ),
    when: commentEvent("hello", { item: reopened.item }),
    says: "refused: not-started",
  },
  {
    name: "the closing of what nobody started ends its grants",
    given: given({ item: itemOf("idle", { collaborators }) }),
    when: closedEvent(),
    says: "noted: close-without-session",
    leaves: [(after) => after.collaborators, []],
  },
  {
    name: "a reopening that concerns no session is remembered",
    given: given({ item: itemOf("stopped", { workItem: { open: false } }) }),
    when: reopened,
    says: "noted: not-running",
    leaves: [(after) => after.workItem?.open, true],
  },
  {
    name: "an edit of a closed item opens nothing",
    given: atWork.after(closedEvent(), released),
    when: activityEvent({
      action: "edited",
      item: issueOf({ open: false, updatedAt: "2026-03-01T12:05:00Z" }),
    }),
    says: "noted: item-closed",
    leaves: [(after) => [status(after), after.workItem?.open], ["closed", false]],
  },
  {
    name: "nor does the reopening of a pull request of it",
    given: given({ item: itemOf("closed", { pullRequests: [linkOf()] }), target: onPull }),
    when: activityEvent({ action: "reopened", item: pullRequestOf() }),
    says: "noted: item-closed",
    leaves: [(after) => [status(after), after.workItem?.open], ["closed", false]],
  },
];
