import { activityEvent, alice, closedEvent, commentEvent, controlEvent, given, issueOf, issueRef, itemOf, labelEvent, laneOf, linkOf, mallory, pullRef, pullRequestOf, sessionOf, someBot, targetOf } from "../../../src/testing/index.ts";
import { formatRef } from "../../../src/work-item/ref.ts";
import { armed, holds, type Rule, record, status } from "./rule.ts";

const unlabelled = issueOf({ labels: [] });
const itself = { requireStartCommand: false };
const atWork = given({ item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }) });
const linked = targetOf({ provenance: "recorded-link" });
const onPull = given({ item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }), target: linked });
const pushed = pullRequestOf({ branches: { head: "issue-7", headSha: "b".repeat(40), headRepository: "octo/shop", base: "main", sameRepository: true } });

/** Arming, starting by activity, and what becomes input of a session (service.md 3.1, 3.3, 7). */
export const inputRules: readonly Rule[] = [
  { name: "a request about the graph of an item at work is noted; what follows from it is the graph's", given: atWork, when: controlEvent({ verb: "graph", step: "advance", node: null }), says: "noted: graph-requested", leaves: [status, "started"] },
  { name: "one about an item that is not at work", given: given({ item: itemOf("stopped") }), when: controlEvent({ verb: "graph", step: "skip", node: "design" }), says: "refused: not-running" },
  { name: "what is said on the command line of nothing that can be worked on", given: given({ target: null }), when: controlEvent({ verb: "say", text: "hello" }), says: "ignored: no-work-item" },
  { name: "an unlabelled new issue is received and ignored", given: given(), when: activityEvent({ item: unlabelled }), says: "ignored: unlabelled", leaves: [record, null] },
  { name: "a comment on an unlabelled issue", given: given(), when: commentEvent("hello", { item: unlabelled }), says: "ignored: unlabelled" },
  { name: "a new issue with the label is armed", given: given(), when: activityEvent(), says: "noted: armed", leaves: [armed, true] },
  { name: "so is a stranger's, which starts nothing", given: given({}, itself), when: activityEvent({ by: mallory }), says: "noted: armed", leaves: [(after) => [armed(after), status(after)], [true, "idle"]] },
  { name: "the label arms", given: given(), when: labelEvent(), says: "noted: armed", leaves: [armed, true] },
  { name: "the label arms in any case", given: given(), when: labelEvent({ label: "Loop: Auto-Execute" }), says: "noted: armed", leaves: [armed, true] },
  { name: "arming twice is once", given: given({ item: itemOf("idle") }), when: labelEvent(), says: "noted: armed", leaves: [armed, true] },
  { name: "a removed label disarms", given: given({ item: itemOf("idle") }), when: labelEvent({ change: "removed" }), says: "noted: disarmed", leaves: [armed, false] },
  { name: "a removed label leaves a session at work", given: atWork, when: labelEvent({ change: "removed" }), says: "noted: disarmed", leaves: [status, "started"] },
  { name: "another label on an unknown item", given: given(), when: labelEvent({ label: "bug" }), says: "ignored: nothing-to-tell", leaves: [record, null] },
  { name: "another label on a known item", given: given({ item: itemOf("idle") }), when: labelEvent({ label: "bug", item: issueOf({ labels: ["bug", "loop: auto-execute"] }) }), says: "noted: nothing-to-tell", leaves: [(after) => after.workItem?.labels, ["bug", "loop: auto-execute"]] },
  { name: "armed and not started: refused", given: given({ item: itemOf("idle") }), when: commentEvent("any news?"), says: "refused: not-started" },
  { name: "the same by activity", given: given({ item: itemOf("idle") }), when: activityEvent({ action: "edited" }), says: "refused: not-started" },
  { name: "a stopped item hears nothing", given: given({ item: itemOf("stopped") }), when: commentEvent("any news?"), says: "ignored: not-running" },
  { name: "a closed item hears nothing", given: given({ item: itemOf("closed") }), when: commentEvent("thanks", { item: issueOf({ open: false }) }), says: "ignored: item-closed" },

  { name: "no start command required: an authorized person's label starts", given: given({}, itself), when: labelEvent(), says: "started: start-by-activity", does: ["turn spawn #7"], leaves: [status, "started"] },
  { name: "no start command required: an authorized person's new issue starts", given: given({}, itself), when: activityEvent(), says: "started: start-by-activity", does: ["turn spawn #7"] },
  { name: "no start command required: an authorized person's comment starts", given: given({}, itself), when: commentEvent("go on"), says: "started: start-by-activity", does: ["turn spawn #7"] },
  { name: "no start command required: a stopped item still needs one", given: given({ item: itemOf("stopped") }, itself), when: labelEvent(), says: "noted: armed", leaves: [status, "stopped"] },
  { name: "no start command required: a paused item waits", given: given({ item: itemOf("paused", { control: { before: "idle" } }) }, itself), when: commentEvent("go on"), says: "refused: not-started" },
  { name: "no start command required: so does one that was stopped before it was paused", given: given({ item: itemOf("paused", { control: { before: "stopped" } }) }, itself), when: commentEvent("go on"), says: "refused: not-started" },
  { name: "no start command required: spawning switched off", given: given({}, { ...itself, spawnOnUnmatched: "never" }), when: activityEvent(), says: "refused: spawning-disabled" },
  { name: "no start command required: a label of the service's own login, which may not steer, arms and starts nothing", given: given({}, itself), when: labelEvent({ by: someBot }), says: "noted: armed" },
  { name: "no start command required: the session's own label starts nothing", given: given({ own: "activity" }, itself), when: labelEvent(), says: "noted: armed" },
  { name: "no start command required: a label on a linked pull request starts the issue", given: given({ target: linked }, itself), when: labelEvent({ item: pullRequestOf({ labels: ["loop: auto-execute"] }) }), says: "started: start-by-activity", does: ["turn spawn #7"] },
  { name: "no start command required: a branch name alone does not spawn on an issue that was never seen", given: given({ target: targetOf({ provenance: "head-branch" }) }, itself), when: commentEvent("go on", { item: pullRequestOf({ labels: ["loop: auto-execute"] }) }), says: "refused: link-unconfirmed" },
  { name: "a label on a linked pull request arms nothing by itself", given: given({ target: linked }), when: labelEvent({ item: pullRequestOf({ labels: ["loop: auto-execute"] }) }), says: "ignored: nothing-to-tell", leaves: [record, null] },

  { name: "a comment is input of the session", given: atWork, when: commentEvent("and the header"), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "a comment on the linked pull request is, too", given: onPull, when: commentEvent("and the header", { item: pullRequestOf() }), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "an approval without a word is", given: onPull, when: commentEvent("", { surface: "review", event: "pull_request_review", action: "submitted", item: pullRequestOf(), comment: { reviewState: "approved" } }), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "an empty review that only frames comments is not", given: onPull, when: commentEvent("", { surface: "review", event: "pull_request_review", action: "submitted", item: pullRequestOf(), comment: { reviewState: "commented" } }), says: "ignored: nothing-to-tell" },
  { name: "nor is one of blanks alone", given: onPull, when: commentEvent(" \n", { surface: "review", event: "pull_request_review", action: "submitted", item: pullRequestOf(), comment: { reviewState: "commented" } }), says: "ignored: nothing-to-tell" },
  { name: "a session before its first turn", given: given({ item: itemOf("started", { sessions: [sessionOf({ begun: false })] }) }), when: commentEvent("and the header"), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "started and no session yet", given: given({ item: itemOf("started") }), when: commentEvent("and the header"), says: "delivered: input-of-authorized", does: ["turn spawn #7"] },
  { name: "a lost session goes on in a new conversation, seeded from what came of the old one", given: given({ item: itemOf("started", { sessions: [sessionOf({ status: "lost" })] }) }), when: commentEvent("and the header"), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "a session that was registered by hand hears without a start", given: given({ item: itemOf("idle", { sessions: [sessionOf()] }) }), when: commentEvent("and the header"), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "a pull request with a session of its own", given: given({ item: itemOf("started", { sessions: [sessionOf(), sessionOf({ endpoint: formatRef(pullRef) })] }), target: targetOf({ endpoint: pullRef, provenance: "recorded-link" }) }), when: commentEvent("look", { item: pullRequestOf() }), says: "delivered: input-of-authorized", does: ["turn resume #12"] },
  { name: "a paused item takes input in order onto its held lane", given: given({ item: itemOf("paused", { sessions: [sessionOf()] }) }), when: commentEvent("and the header"), says: "delivered: input-of-authorized", does: ["turn resume #7"], leaves: [holds, ["paused"]] },
  { name: "a lane that is new while paused waits like the others", given: given({ item: itemOf("paused", { sessions: [sessionOf({ endpoint: formatRef(pullRef) })], lanes: [laneOf(issueRef, { reason: "paused", until: null, detail: "" })] }), target: targetOf({ endpoint: pullRef, provenance: "recorded-link" }) }), when: commentEvent("look", { item: pullRequestOf() }), says: "delivered: input-of-authorized", does: ["turn resume #12"], leaves: [holds, ["paused", "paused"]] },
  { name: "a closing that was deferred does not keep input away", given: given({ item: itemOf("started", { sessions: [sessionOf()], workItem: { open: false, closeDeferred: true } }) }), when: commentEvent("go on", { item: issueOf({ open: false }) }), says: "delivered: input-of-authorized", does: ["turn resume #7"] },

  { name: "an authorized person's push to the linked pull request", given: onPull, when: activityEvent({ action: "synchronize", item: pushed }), says: "delivered: activity-of-session", does: ["turn resume #7"], leaves: [(after) => after.pullRequests[0]?.headSha, "b".repeat(40)] },
  { name: "the session's own push is remembered and not told", given: given({ item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }), target: linked, own: "activity" }), when: activityEvent({ action: "synchronize", item: pushed }), says: "noted: own-activity", leaves: [(after) => after.pullRequests[0]?.headSha, "b".repeat(40)] },
  { name: "routing.ownActivity wake tells it", given: given({ item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }), target: linked, own: "activity" }, { ownActivity: "wake" }), when: activityEvent({ action: "synchronize", item: pushed }), says: "delivered: activity-of-session", does: ["turn resume #7"] },
  { name: "a merge of the session's own work by its operator is told, as is its own closing under the operator's login", given: given({ item: itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] }), target: linked, own: "activity" }), when: closedEvent({ item: pullRequestOf({ merged: true }) }), says: "delivered: activity-of-session", does: ["turn resume #7"] },
  { name: "S03: a stranger's push to a linked pull request only moves its head", given: onPull, when: activityEvent({ action: "synchronize", item: pushed, by: mallory }), says: "noted: stranger-dropped", leaves: [(after) => after.pullRequests[0]?.headSha, "b".repeat(40)] },
  { name: "S03: a stranger's pull request that claims to close the issue starts nothing", given: given({ target: targetOf({ provenance: "closing-keyword" }) }, itself), when: activityEvent({ item: pullRequestOf({ author: mallory, labels: [] }), by: mallory }), says: "ignored: stranger-dropped", leaves: [record, null] },
  { name: "S03: nor is it recorded as a pull request of the item", given: given({ item: itemOf("started", { sessions: [sessionOf()] }), target: targetOf({ provenance: "closing-keyword" }) }), when: commentEvent("what of this one?", { item: pullRequestOf({ author: mallory }) }), says: "delivered: input-of-authorized", does: ["turn resume #7"], leaves: [(after) => after.pullRequests, []] },
  { name: "its own opening, which comes late, tells a session at work nothing: the start showed it", given: atWork, when: activityEvent({ action: "opened" }), says: "noted: nothing-to-tell" },
  { name: "nor one that is paused", given: given({ item: itemOf("paused", { sessions: [sessionOf()] }) }), when: activityEvent({ action: "opened" }), says: "noted: nothing-to-tell" },
  { name: "the opening of a pull request of the item is told", given: onPull, when: activityEvent({ action: "opened", item: pushed }), says: "delivered: activity-of-session", does: ["turn resume #7"] },
  { name: "a pin concerns no session", given: atWork, when: activityEvent({ action: "pinned" }), says: "noted: nothing-to-tell" },
  { name: "an authorized person's activity under a collaborator's grant stays that person's", given: atWork, when: activityEvent({ action: "edited", by: alice }), says: "delivered: activity-of-session", does: ["turn resume #7"] },
];
