import { activityEvent, closedEvent, commentEvent, given, issueOf, issueRef, itemOf, labelEvent, laneOf, linkOf, pullRef, pullRequestOf, sessionOf, targetOf } from "../../../src/testing/index.ts";
import { formatRef } from "../../../src/work-item/ref.ts";
import { armed, holds, type Rule, sessions, status } from "./rule.ts";

const at = (minute: number): string => `2026-03-01T12:${String(minute).padStart(2, "0")}:00Z`;
const issueAt = (minute: number, over = {}): ReturnType<typeof issueOf> => issueOf({ updatedAt: at(minute), ...over });
const said = (text: string, minute: number, over = {}): ReturnType<typeof commentEvent> => commentEvent(text, { comment: { createdAt: at(minute) }, item: issueAt(minute, over) });
const idle = given({ item: itemOf("idle") });
const atWork = given({ item: itemOf("started", { sessions: [sessionOf()] }) });
const pullAt = (minute: number, over = {}): ReturnType<typeof pullRequestOf> => pullRequestOf({ updatedAt: at(minute), ...over });
const withPull = itemOf("started", { sessions: [sessionOf(), sessionOf({ endpoint: formatRef(pullRef) })], lanes: [laneOf(issueRef), laneOf(pullRef)], pullRequests: [linkOf()] });
const pullReopened = given({ item: withPull, target: targetOf({ provenance: "recorded-link" }) }).after(activityEvent({ action: "reopened", item: pullAt(9) }));
const opened = { kind: "session-opened", endpoint: issueRef, harness: "A", harnessSessionId: "s", workdir: "/w", runner: "headless", at: 1 } as const;

/** Deliveries out of order, and requests that follow at once (R19, R20, S05). */
export const orderRules: readonly Rule[] = [
  { name: "R19: opened after closed does not re-open", given: idle.after(closedEvent({ item: issueAt(9) })), when: activityEvent({ item: issueAt(1) }), says: "ignored: older-than-known", leaves: [(after) => after.workItem?.open, false] },
  { name: "R19: closed after a newer reopening does not close", given: atWork.after(said("still wanted", 9)), when: closedEvent({ item: issueAt(5) }), says: "ignored: older-than-known", leaves: [status, "started"] },
  { name: "R19: closed after a newer comment on the closed item closes", given: atWork.after(said("done", 9, { open: false })), when: closedEvent({ item: issueAt(5) }), says: "closed: closed-by-authorized", does: ["drop-turns #7", "end-session #7", "release #7"] },
  { name: "R19: a label that was removed since does not arm", given: idle.after(labelEvent({ change: "removed", item: issueAt(9, { labels: [] }) })), when: labelEvent({ item: issueAt(5) }), says: "ignored: older-than-known", leaves: [armed, false] },
  { name: "R19: a label that is still there", given: idle.after(labelEvent({ item: issueAt(9) })), when: labelEvent({ item: issueAt(5) }), says: "noted: armed", leaves: [armed, true] },
  { name: "R19: a start from before the closing does not open a closed item", given: given({ item: itemOf("closed", { workItem: { hostUpdatedAt: at(9) }, control: { source: "cli" } }) }), when: said("loop start", 1), says: "refused: item-closed", does: ["react confused", "reply #7"] },
  { name: "R19: a start written before the stop that was taken", given: idle.after(said("loop start", 1), opened, said("loop stop", 9)), when: said("loop start", 5), says: "refused: older-than-known", leaves: [status, "stopped"] },
  { name: "R19: a resume written before a stop, after an older pause that came late", given: atWork.after(said("loop stop", 9), said("loop pause", 3)), when: said("loop resume", 5), says: "refused: older-than-known", leaves: [status, "paused"] },
  { name: "R19: a resume written before the pause that was taken", given: atWork.after(said("loop pause", 9)), when: said("loop resume", 5), says: "refused: older-than-known", leaves: [holds, ["paused"]] },
  { name: "R19: a stop is carried out however old it is", given: idle.after(said("loop start", 9), opened), when: said("loop stop", 5), says: "stopped: stop-requested", does: ["react eyes", "drop-turns #7", "end-session #7", "react hooray"] },
  { name: "R19: the local clock of a command line never overtakes a comment", given: given({ item: itemOf("stopped", { control: { source: "cli", at: Number.MAX_SAFE_INTEGER } }) }), when: said("loop start", 5), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"] },
  { name: "R19: a pull request's closing from before its reopening ends no session", given: pullReopened, when: closedEvent({ item: pullAt(5, { open: false }) }), says: "ignored: older-than-known", leaves: [(after) => [sessions(after), after.pullRequests[0]?.open], [["active", "active"], true]] },
  { name: "R19: its closing after that does", given: pullReopened, when: closedEvent({ item: pullAt(10, { open: false }) }), says: "closed: pull-request-closed", does: ["drop-turns #12", "end-session #12"] },
  { name: "R19: an older picture of a pull request is not put in the place of a newer", given: pullReopened, when: activityEvent({ action: "synchronize", item: pullAt(5, { open: false }) }), says: "delivered: activity-of-session", does: ["turn resume #7"], leaves: [(after) => after.pullRequests[0]?.open, true] },
  { name: "R19: a comment is input however late it comes", given: atWork.after(said("second", 9)), when: said("first", 5), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "S05: start and stop within one second: the last by order", given: idle.after(said("loop start", 5)), when: said("loop stop", 5), says: "stopped: stop-requested", does: ["react eyes", "drop-turns #7", "end-session #7", "react hooray"], leaves: [(after) => [status(after), holds(after)], ["stopped", ["ending"]]] },
  { name: "S05: stop while the spawn is in flight", given: idle.after(said("loop start", 5), said("loop stop", 5), opened, { kind: "session-closed", endpoint: issueRef }), when: said("hello", 6), says: "ignored: not-running", leaves: [(after) => [sessions(after), holds(after)], [["closed"], [null]]] },
  { name: "S05: stop and start: the new spawn waits until the old session ended", given: atWork.after(said("loop stop", 5)), when: said("loop start", 5), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"], leaves: [(after) => [status(after), holds(after)], ["started", ["ending"]]] },
  { name: "S05: pause during a turn, then input, then resume", given: atWork.after(said("loop pause", 5), said("more", 6)), when: said("loop resume", 7), says: "resumed: resume-requested", does: ["react eyes", "react hooray"], leaves: [holds, [null]] },
];
