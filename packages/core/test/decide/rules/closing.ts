import { activityEvent, carol, closedEvent, commentEvent, given, issueOf, issueRef, itemOf, laneOf, linkOf, mallory, pullRef, pullRequestOf, sessionOf, someBot, targetOf } from "../../../src/testing/index.ts";
import { formatRef } from "../../../src/work-item/ref.ts";
import { deferred, holds, type Rule, record, sessions, status } from "./rule.ts";

const collaborators = [{ login: "carol", id: null, grantedBy: "alice", at: 0 }];
const atWork = given({ item: itemOf("started", { sessions: [sessionOf()], collaborators, pullRequests: [linkOf()] }) });
const ownSession = itemOf("started", { sessions: [sessionOf(), sessionOf({ endpoint: formatRef(pullRef) })], lanes: [laneOf(issueRef), laneOf(pullRef)], pullRequests: [linkOf()] });
const onPull = targetOf({ provenance: "recorded-link" });
const endings = ["drop-turns #7", "end-session #7", "release #7"];
const merged = pullRequestOf({ merged: true, open: false });
const reopened = activityEvent({ action: "reopened", item: issueOf({ updatedAt: "2026-03-01T12:05:00Z" }) });

/** Closing and reopening (service.md 3.1, 5.6, 7; S07). */
export const closingRules: readonly Rule[] = [
  { name: "an authorized closing ends and releases everything", given: atWork, when: closedEvent(), says: "closed: closed-by-authorized", does: endings, leaves: [(after) => [status(after), sessions(after), holds(after), after.collaborators], ["closed", ["closing"], ["releasing"], []]] },
  { name: "it ends every endpoint", given: given({ item: ownSession }), when: closedEvent(), says: "closed: closed-by-authorized", does: ["drop-turns #7", "end-session #7", "drop-turns #12", "end-session #12", "release #7"] },
  { name: "a stopped item's checkout is released, too", given: given({ item: itemOf("stopped", { sessions: [sessionOf({ status: "closed" })], lanes: [] }) }), when: closedEvent(), says: "closed: closed-by-authorized", does: ["release #7"] },
  { name: "S07: a stranger's closing is deferred", given: atWork, when: closedEvent({ by: mallory }), says: "close-deferred: closed-by-unauthorized", leaves: [(after) => [status(after), deferred(after), after.workItem?.open], ["started", true, false]] },
  { name: "S07: a bot's closing is per list", given: atWork, when: closedEvent({ by: someBot }), says: "close-deferred: closed-by-unauthorized" },
  { name: "S07: a listed bot's closing", given: given({ item: itemOf("started", { sessions: [sessionOf()] }) }, { authorizedUsers: new Set(["helper[bot]"]) }), when: closedEvent({ by: someBot }), says: "closed: closed-by-authorized", does: endings },
  { name: "a closing whose actor nobody knows is deferred", given: atWork, when: closedEvent({ by: null, source: "poll" }), says: "close-deferred: closed-by-unauthorized" },
  { name: "P07: a collaborator's closing is deferred", given: atWork, when: closedEvent({ by: carol }), says: "close-deferred: closed-by-unauthorized" },
  { name: "cleanup is the remedy of a deferred closing", given: atWork.after(closedEvent({ by: mallory })), when: commentEvent("loop cleanup", { item: issueOf({ open: false }) }), says: "cleaned-up: cleanup-requested", does: ["react eyes", ...endings, "react hooray"], leaves: [deferred, false] },
  { name: "reopening ends a deferral", given: atWork.after(closedEvent({ by: mallory })), when: reopened, says: "delivered: activity-of-session", does: ["turn resume #7"], leaves: [deferred, false] },
  { name: "a closing of an unknown item", given: given(), when: closedEvent(), says: "ignored: close-without-session", leaves: [record, null] },
  { name: "a closing of an item that nobody started", given: given({ item: itemOf("idle") }), when: closedEvent(), says: "noted: close-without-session", leaves: [(after) => after.workItem?.open, false] },
  { name: "a second closing", given: given({ item: itemOf("closed") }), when: closedEvent({ by: mallory }), says: "noted: close-without-session" },

  { name: "S07: a merge ends only the pull request's own session", given: given({ item: ownSession, target: onPull }), when: closedEvent({ item: merged }), says: "closed: pull-request-closed", does: ["drop-turns #12", "end-session #12"], leaves: [(after) => [status(after), sessions(after), holds(after)], ["started", ["active", "closing"], [null, "ending"]]] },
  { name: "S07: whoever closed it", given: given({ item: ownSession, target: onPull }), when: closedEvent({ item: pullRequestOf(), by: mallory }), says: "closed: pull-request-closed", does: ["drop-turns #12", "end-session #12"] },
  { name: "a merge without a session of its own leaves the item at work and is told", given: given({ item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }), target: onPull }), when: closedEvent({ item: merged }), says: "delivered: activity-of-session", does: ["turn resume #7"], leaves: [(after) => [status(after), after.pullRequests[0]?.open], ["started", false]] },
  { name: "a stranger's merge is only remembered", given: given({ item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }), target: onPull }), when: closedEvent({ item: merged, by: mallory }), says: "noted: pull-request-closed", leaves: [(after) => after.pullRequests[0]?.open, false] },
  { name: "a merge for an unknown item", given: given({ target: onPull }), when: closedEvent({ item: merged }), says: "ignored: pull-request-closed" },
  { name: "a pull request that is its own work item closes like an issue", given: given({ item: itemOf("started", { workItem: { ref: formatRef(pullRef), type: "pull-request" }, sessions: [sessionOf({ endpoint: formatRef(pullRef) })], lanes: [laneOf(pullRef)] }), target: targetOf({ workItem: pullRef, endpoint: pullRef }) }), when: closedEvent({ item: merged }), says: "closed: closed-by-authorized", does: ["drop-turns #12", "end-session #12", "release #12"] },

  { name: "S07: reopening at once calls the release off", given: atWork.after(closedEvent()), when: reopened, says: "reopened: reopened", leaves: [(after) => [status(after), sessions(after), holds(after)], ["started", ["active"], [null]]] },
  { name: "S07: reopening what was stopped lets the session end and keeps the checkout", given: given({ item: itemOf("stopped", { sessions: [sessionOf({ status: "closing" })] }) }).after(closedEvent()), when: reopened, says: "reopened: reopened", leaves: [(after) => [status(after), sessions(after), holds(after)], ["stopped", ["closing"], ["ending"]]] },
  { name: "S07: a stranger's reopening calls nothing off", given: atWork.after(closedEvent()), when: { ...reopened, actor: mallory }, says: "noted: stranger-dropped", leaves: [(after) => [status(after), after.workItem?.open, holds(after)], ["closed", true, ["releasing"]]] },
  { name: "a start after a stranger's reopening waits for the release", given: atWork.after(closedEvent(), { ...reopened, actor: mallory }), when: commentEvent("loop start", { comment: { createdAt: "2026-03-01T12:06:00Z" }, item: reopened.item }), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"], leaves: [(after) => [status(after), holds(after)], ["started", ["releasing"]]] },
  { name: "reopening what was never started", given: given({ item: itemOf("closed", { control: { before: "idle" }, lanes: [] }) }), when: reopened, says: "reopened: reopened", leaves: [status, "idle"] },
];
