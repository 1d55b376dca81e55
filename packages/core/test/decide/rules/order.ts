import {
  activityEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoonMs,
  issueOf,
  labelEvent,
  pullRequestOf,
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
import { armed, holds, type Rule, sessions, status } from "./rule.ts";

const at = (minute: number): string => `2026-03-01T12:${String(minute).padStart(2, "0")}:00Z`;
const issueAt = (minute: number, over = {}): ReturnType<typeof issueOf> =>
  issueOf({ updatedAt: at(minute), ...over });
const said = (text: string, minute: number, over = {}): ReturnType<typeof commentEvent> =>
  commentEvent(text, { comment: { createdAt: at(minute) }, item: issueAt(minute, over) });
const typed = (
  verb: "start" | "stop" | "pause" | "resume" | "cleanup",
  minute: number,
  over: { readonly millis?: number; readonly source?: "cli" | "api" } = {},
): ReturnType<typeof controlEvent> =>
  controlEvent(
    { verb, login: null, instance: null },
    { receivedAt: hostNoonMs + minute * 60_000 + (over.millis ?? 0), source: over.source ?? "cli" },
  );
const saidNo = ["react confused", "reply #7"];
const idle = given({ item: itemOf("idle") });
const atWork = given({ item: itemOf("started", { sessions: [sessionOf()] }) });
const pullAt = (minute: number, over = {}): ReturnType<typeof pullRequestOf> =>
  pullRequestOf({ updatedAt: at(minute), ...over });
const withPull = itemOf("started", {
  sessions: [sessionOf(), sessionOf({ endpoint: formatRef(pullRef) })],
  lanes: [laneOf(issueRef), laneOf(pullRef)],
  pullRequests: [linkOf()],
});
const pullReopened = given({
  item: withPull,
  target: targetOf({ provenance: "recorded-link" }),
}).after(activityEvent({ action: "reopened", item: pullAt(9) }));
const opened = {
  kind: "session-opened",
  endpoint: issueRef,
  harness: "A",
  harnessSessionId: "s",
  workdir: "/w",
  runner: "headless",
  at: 1,
} as const;

/** Deliveries out of order, and requests that follow at once. */
export const orderRules: readonly Rule[] = [
  {
    name: "R19: opened after closed does not re-open",
    given: idle.after(closedEvent({ item: issueAt(9) })),
    when: activityEvent({ item: issueAt(1) }),
    says: "ignored: older-than-known",
    leaves: [(after) => after.workItem?.open, false],
  },
  {
    name: "R19: a reopening told after the closing that followed it in the same second, where that found it closed already, opens nothing",
    given: atWork.after(closedEvent({ item: issueAt(5) }), closedEvent({ item: issueAt(9) })),
    when: activityEvent({ action: "reopened", item: issueAt(9) }),
    says: "ignored: older-than-known",
    leaves: [(after) => [status(after), after.workItem?.open], ["closed", false]],
  },
  {
    name: "R19: a reopening in the second of the only closing counts",
    given: atWork.after(closedEvent({ item: issueAt(5) })),
    when: activityEvent({ action: "reopened", item: issueAt(5) }),
    says: "reopened: reopened",
    leaves: [status, "started"],
  },
  {
    name: "R19: also where something else was told since that showed it closed",
    given: atWork.after(
      closedEvent({ item: issueAt(5) }),
      activityEvent({ action: "pinned", item: issueAt(9, { open: false }) }),
    ),
    when: activityEvent({ action: "reopened", item: issueAt(9) }),
    says: "reopened: reopened",
    leaves: [status, "started"],
  },
  {
    name: "R19: what else is told of the second of a second closing does not hide what that found",
    given: atWork.after(
      closedEvent({ item: issueAt(5) }),
      closedEvent({ item: issueAt(9) }),
      activityEvent({ action: "pinned", item: issueAt(9, { open: false }) }),
    ),
    when: activityEvent({ action: "reopened", item: issueAt(9) }),
    says: "ignored: older-than-known",
    leaves: [status, "closed"],
  },
  {
    name: "R19: one of the next second does",
    given: atWork.after(closedEvent({ item: issueAt(5) }), closedEvent({ item: issueAt(9) })),
    when: activityEvent({ action: "reopened", item: issueAt(10) }),
    says: "reopened: reopened",
    leaves: [status, "started"],
  },
  {
    name: "R19: one told after a closing that found it open counts, also within one second",
    given: atWork.after(
      closedEvent({ item: issueAt(5) }),
      closedEvent({ item: issueAt(9) }),
      activityEvent({ action: "reopened", item: issueAt(10) }),
      closedEvent({ item: issueAt(10) }),
    ),
    when: activityEvent({ action: "reopened", item: issueAt(10) }),
    says: "reopened: reopened",
    leaves: [status, "started"],
  },
  {
    name: "R19: a comment that showed it closed in the second of its closing is no closing before it",
    given: atWork.after(said("done", 5, { open: false }), closedEvent({ item: issueAt(5) })),
    when: activityEvent({ action: "reopened", item: issueAt(5) }),
    says: "reopened: reopened",
    leaves: [status, "started"],
  },
  {
    name: "R19: a comment since, in that second, does not hide what the closing found",
    given: atWork.after(
      closedEvent({ item: issueAt(5) }),
      closedEvent({ item: issueAt(9) }),
      said("done", 9, { open: false }),
    ),
    when: activityEvent({ action: "reopened", item: issueAt(9) }),
    says: "ignored: older-than-known",
    leaves: [status, "closed"],
  },
  {
    name: "R19: closed after a newer reopening does not close",
    given: atWork.after(said("still wanted", 9)),
    when: closedEvent({ item: issueAt(5) }),
    says: "noted: closing-overtaken",
    leaves: [status, "started"],
  },
  {
    name: "R19: closed after a newer comment on the closed item closes",
    given: atWork.after(said("done", 9, { open: false })),
    when: closedEvent({ item: issueAt(5) }),
    says: "closed: closed-by-authorized",
    does: ["drop-turns #7", "end-session #7", "release #7"],
  },
  {
    name: "R19: a label that was removed since does not arm",
    given: idle.after(labelEvent({ change: "removed", item: issueAt(9, { labels: [] }) })),
    when: labelEvent({ item: issueAt(5) }),
    says: "ignored: older-than-known",
    leaves: [armed, false],
  },
  {
    name: "R19: nor where nothing was on record when it was removed",
    given: given().after(labelEvent({ change: "removed", item: issueAt(9, { labels: [] }) })),
    when: labelEvent({ item: issueAt(5) }),
    says: "ignored: older-than-known",
    leaves: [armed, false],
  },
  {
    name: "R19: a label that is still there",
    given: idle.after(labelEvent({ item: issueAt(9) })),
    when: labelEvent({ item: issueAt(5) }),
    says: "noted: armed",
    leaves: [armed, true],
  },
  {
    name: "R19: a start from before the closing does not open a closed item",
    given: given({
      item: itemOf("closed", { workItem: { hostUpdatedAt: at(9) }, control: { source: "cli" } }),
    }),
    when: said("loop start", 1),
    says: "refused: item-closed",
    does: ["react confused", "reply #7"],
  },
  {
    name: "R19: a start written before the stop that was taken",
    given: idle.after(said("loop start", 1), opened, said("loop stop", 9)),
    when: said("loop start", 5),
    says: "refused: older-than-known",
    leaves: [status, "stopped"],
  },
  {
    name: "a start on a diff counts from when its draft review was submitted, not from when that was begun",
    given: atWork.after(said("loop stop", 5)),
    when: commentEvent("loop start", {
      surface: "diff",
      event: "pull_request_review_comment",
      item: pullAt(9),
      at: "2026-03-01T12:09:00Z",
      comment: { createdAt: "2026-03-01T12:01:00Z" },
    }),
    says: "started: start-requested",
    does: ["react eyes", "turn spawn #7", "react hooray"],
    leaves: [status, "started"],
  },
  {
    name: "R19: a resume written before a stop, after an older pause that came late",
    given: atWork.after(said("loop stop", 9), said("loop pause", 3)),
    when: said("loop resume", 5),
    says: "refused: older-than-known",
    leaves: [status, "paused"],
  },
  {
    name: "R19: a resume written before the pause that was taken",
    given: atWork.after(said("loop pause", 9)),
    when: said("loop resume", 5),
    says: "refused: older-than-known",
    leaves: [holds, ["paused"]],
  },
  {
    name: "R19: a stop is carried out however old it is",
    given: idle.after(said("loop start", 9), opened),
    when: said("loop stop", 5),
    says: "stopped: stop-requested",
    does: ["react eyes", "drop-turns #7", "end-session #7", "react hooray"],
  },
  {
    name: "R19: a start written before a stop of the command line",
    given: atWork.after(typed("stop", 9)),
    when: said("loop start", 5),
    says: "refused: older-than-command-line",
    does: saidNo,
    leaves: [status, "stopped"],
  },
  {
    name: "R19: one written before a stop through the API",
    given: atWork.after(typed("stop", 9, { source: "api" })),
    when: said("loop start", 5),
    says: "refused: older-than-command-line",
    does: saidNo,
    leaves: [status, "stopped"],
  },
  {
    name: "R19: one written before a cleanup of the command line",
    given: atWork.after(typed("cleanup", 9)),
    when: said("loop start", 5),
    says: "refused: older-than-command-line",
    does: saidNo,
    leaves: [status, "stopped"],
  },
  {
    name: "R19: a resume written before a pause of the command line",
    given: atWork.after(typed("pause", 9)),
    when: said("loop resume", 5),
    says: "refused: older-than-command-line",
    does: saidNo,
    leaves: [holds, ["paused"]],
  },
  {
    name: "R19: a start written after a stop of the command line",
    given: atWork.after(typed("stop", 5)),
    when: said("loop start", 9),
    says: "started: start-requested",
    does: ["react eyes", "turn spawn #7", "react hooray"],
  },
  {
    name: "R19: in the second of that stop the order of arrival counts, the host having no finer time",
    given: atWork.after(typed("stop", 5, { millis: 999 })),
    when: said("loop start", 5),
    says: "started: start-requested",
    does: ["react eyes", "turn spawn #7", "react hooray"],
  },
  {
    name: "R19: a request counts from when it was made, not from when it was decided",
    given: given({ ...atWork.state, now: hostNoonMs + 60 * 60_000 }).after(typed("stop", 5)),
    when: said("loop start", 9),
    says: "started: start-requested",
    does: ["react eyes", "turn spawn #7", "react hooray"],
  },
  {
    name: "R19: a stop in a comment is still the measure after one of the command line",
    given: atWork.after(said("loop stop", 9), typed("stop", 3)),
    when: said("loop start", 5),
    says: "refused: older-than-known",
    leaves: [status, "stopped"],
  },
  {
    name: "R19: a stop of the command line is still the measure after an older one in a comment",
    given: atWork.after(typed("stop", 9), said("loop stop", 3)),
    when: said("loop start", 5),
    says: "refused: older-than-command-line",
    does: saidNo,
    leaves: [status, "stopped"],
  },
  {
    name: "R19: and after a closing and a reopening from before it",
    given: atWork.after(
      typed("stop", 9),
      closedEvent({ item: issueAt(2), at: at(2) }),
      activityEvent({ action: "reopened", item: issueAt(3), at: at(3) }),
    ),
    when: said("loop start", 5),
    says: "refused: older-than-command-line",
    does: saidNo,
    leaves: [status, "stopped"],
  },
  {
    name: "R19: a start of the command line counts whatever the clocks say",
    given: atWork.after(said("loop stop", 9), typed("stop", 9)),
    when: typed("start", 5),
    says: "started: start-requested",
    does: ["turn spawn #7", "reply #7"],
  },
  {
    name: "R19: a stop or pause in a comment is carried out however much older than a start of the command line",
    given: idle.after(typed("start", 9), opened),
    when: said("loop pause", 5),
    says: "paused: pause-requested",
    does: ["react eyes", "react hooray"],
    leaves: [holds, ["paused"]],
  },
  {
    name: "R19: a start of the command line is no measure, so that a clock ahead of the host's holds nobody's resume off",
    given: idle.after(typed("start", 50), opened, said("loop pause", 5)),
    when: said("loop resume", 6),
    says: "resumed: resume-requested",
    does: ["react eyes", "react hooray"],
    leaves: [holds, [null]],
  },
  {
    name: "R19: a record of before these measures: the time of its request counts",
    given: given({
      item: itemOf("stopped", { control: { source: "cli", at: hostNoonMs + 9 * 60_000 } }),
    }),
    when: said("loop start", 5),
    says: "refused: older-than-command-line",
    does: saidNo,
    leaves: [status, "stopped"],
  },
  {
    name: "R19: a pull request's closing from before its reopening ends no session",
    given: pullReopened,
    when: closedEvent({ item: pullAt(5, { open: false }) }),
    says: "ignored: older-than-known",
    leaves: [
      (after) => [sessions(after), after.pullRequests[0]?.open],
      [["active", "active"], true],
    ],
  },
  {
    name: "R19: its closing after that does",
    given: pullReopened,
    when: closedEvent({ item: pullAt(10, { open: false }) }),
    says: "closed: pull-request-closed",
    does: ["drop-turns #12", "end-session #12"],
  },
  {
    name: "R19: what is newer of another pull request says nothing about it",
    given: given({
      item: {
        ...withPull,
        pullRequests: [
          linkOf({ pullRequest: formatRef({ ...pullRef, number: 13 }), updatedAt: at(9) }),
          linkOf(),
        ],
      },
      target: targetOf({ provenance: "recorded-link" }),
    }),
    when: closedEvent({ item: pullAt(5, { open: false }) }),
    says: "closed: pull-request-closed",
    does: ["drop-turns #12", "end-session #12"],
  },
  {
    name: "R19: its closing from before a comment that shows it closed does, too",
    given: given({
      item: { ...withPull, pullRequests: [linkOf({ open: false, updatedAt: at(9) })] },
      target: targetOf({ provenance: "recorded-link" }),
    }),
    when: closedEvent({ item: pullAt(5, { open: false }) }),
    says: "closed: pull-request-closed",
    does: ["drop-turns #12", "end-session #12"],
  },
  {
    name: "R19: an older picture of a pull request is not put in the place of a newer",
    given: pullReopened,
    when: activityEvent({ action: "synchronize", item: pullAt(5, { open: false }) }),
    says: "delivered: activity-of-session",
    does: ["turn resume #7"],
    leaves: [(after) => after.pullRequests[0]?.open, true],
  },
  {
    name: "R19: a comment is input however late it comes",
    given: atWork.after(said("second", 9)),
    when: said("first", 5),
    says: "delivered: input-of-authorized",
    does: ["turn resume #7"],
  },
  {
    name: "S05: start and stop within one second: the last by order",
    given: idle.after(said("loop start", 5)),
    when: said("loop stop", 5),
    says: "stopped: stop-requested",
    does: ["react eyes", "drop-turns #7", "end-session #7", "react hooray"],
    leaves: [(after) => [status(after), holds(after)], ["stopped", ["ending"]]],
  },
  {
    name: "S05: stop while the spawn is in flight",
    given: idle.after(said("loop start", 5), said("loop stop", 5), opened, {
      kind: "session-closed",
      endpoint: issueRef,
    }),
    when: said("hello", 6),
    says: "ignored: not-running",
    leaves: [(after) => [sessions(after), holds(after)], [["closed"], [null]]],
  },
  {
    name: "S05: stop and start: the new spawn waits until the old session ended",
    given: atWork.after(said("loop stop", 5)),
    when: said("loop start", 5),
    says: "started: start-requested",
    does: ["react eyes", "turn spawn #7", "react hooray"],
    leaves: [(after) => [status(after), holds(after)], ["started", ["ending"]]],
  },
  {
    name: "S05: pause during a turn, then input, then resume",
    given: atWork.after(said("loop pause", 5), said("more", 6)),
    when: said("loop resume", 7),
    says: "resumed: resume-requested",
    does: ["react eyes", "react hooray"],
    leaves: [holds, [null]],
  },
];
