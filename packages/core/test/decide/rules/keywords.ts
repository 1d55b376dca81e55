import { commentEvent, controlEvent, given, hostNoonMs, issueOf, itemOf, laneOf, issueRef, pullRef, pullRequestOf, sessionOf, targetOf } from "../../../src/testing/index.ts";
import { holds, type Rule, record, sessions, status } from "./rule.ts";

const acknowledged = ["react eyes", "react hooray"];
const refusedAloud = ["react confused", "reply #7"];
const atWork = given({ item: itemOf("started", { sessions: [sessionOf()] }) });
const paused = given({ item: itemOf("paused", { sessions: [sessionOf()] }) });
const stopped = given({ item: itemOf("stopped", { sessions: [sessionOf({ status: "closed" })] }) });
const idle = given({ item: itemOf("idle") });
const closed = given({ item: itemOf("closed") });
const held = (reason: "budget" | "uncertain" | "releasing"): ReturnType<typeof given> => given({ item: itemOf("started", { sessions: [sessionOf()], lanes: [laneOf(issueRef, { reason, until: null, detail: "" })] }) });
const onClosedIssue = { item: issueOf({ open: false }) };
const control = (verb: "start" | "stop" | "pause" | "resume" | "cleanup"): ReturnType<typeof controlEvent> => controlEvent({ verb, login: null, instance: null });

/** Keywords, and the moves of the lifecycle that they ask for (service.md 3.1, 4.4, 6.2, 7; decisions.md 5). */
export const keywordRules: readonly Rule[] = [
  { name: "P02: two different keywords: nothing executed, nothing forwarded, nothing on the thread", given: atWork, when: commentEvent("loop stop\nloop start"), says: "refused: ambiguous-keywords" },
  { name: "P02: the same keyword twice is one", given: idle, when: commentEvent("loop start\n\nloop start"), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"] },
  { name: "P01: a quoted keyword is input, and its author is shown that it does nothing", given: atWork, when: commentEvent("> loop stop\n\nwhy that?"), says: "delivered: keyword-not-visible", does: ["turn resume #7", "react confused"] },
  { name: "P01: a keyword that is struck out is input", given: atWork, when: commentEvent("~~loop stop~~ keep going"), says: "delivered: keyword-not-visible", does: ["turn resume #7", "react confused"] },
  { name: "P01: a keyword in the mail below an answer is input", given: atWork, when: commentEvent("Go on.\r\n\r\n-----Original Message-----\r\nFrom: Ada\r\n\r\nloop stop"), says: "delivered: keyword-not-visible", does: ["turn resume #7", "react confused"] },
  { name: "P01: a comment that holds nothing but a hidden keyword tells the session nothing", given: atWork, when: commentEvent("<!-- loop stop -->"), says: "refused: keyword-not-visible", does: ["react confused"] },
  { name: "P01: a hidden keyword starts nothing", given: idle, when: commentEvent("Thanks for the report!\r\n\r\n[//]: # (loop start)"), says: "refused: keyword-not-visible", does: ["react confused"], leaves: [status, "idle"] },
  { name: "P01: a hidden keyword beside a visible one says nothing", given: atWork, when: commentEvent("loop pause\n\n> loop stop"), says: "paused: pause-requested", does: acknowledged },
  { name: "P01: a hidden keyword on an item without the label is nobody's business", given: given(), when: commentEvent("Type `loop start` some day.", { item: issueOf({ labels: [] }) }), says: "ignored: unlabelled" },
  { name: "P01: an edit that hides a keyword is an edit like any other", given: atWork, when: commentEvent("> loop stop\n\nwhy that?", { action: "edited", change: "edited" }), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "P03: a keyword with a foreign letter is input", given: atWork, when: commentEvent("lооp stop"), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "P05: two different addresses refuse the comment", given: atWork, when: commentEvent("loop stop instance:default instance:other"), says: "refused: ambiguous-addresses" },
  { name: "cleanup in the middle of a line is ambiguous", given: atWork, when: commentEvent("shall I loop cleanup now?"), says: "refused: ambiguous-keywords" },
  { name: "R20: a control comment older than 7 days is stale", given: given({ item: itemOf("idle"), now: hostNoonMs + 7 * 86_400_000 + 1 }), when: commentEvent("loop start"), says: "refused: control-too-old" },
  { name: "R20: one of exactly 7 days is not", given: given({ item: itemOf("idle"), now: hostNoonMs + 7 * 86_400_000 }), when: commentEvent("loop start"), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"] },
  { name: "R20: nor is one of which nobody tells when it was written", given: idle, when: commentEvent("loop start", { at: null, comment: { createdAt: null } }), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"] },

  { name: "what stands beside a resume is told after what waited", given: paused, when: commentEvent("loop resume\n\nThe hose is back."), says: "resumed: resume-requested", does: ["react eyes", "turn resume #7", "react hooray"], leaves: [holds, [null]] },
  { name: "what stands beside a pause is kept in order", given: atWork, when: commentEvent("loop pause and leave the hose"), says: "paused: pause-requested", does: ["react eyes", "turn resume #7", "react hooray"], leaves: [holds, ["paused"]] },
  { name: "what stands beside a pause of what nobody started is told to nobody", given: idle, when: commentEvent("loop pause and leave the hose"), says: "paused: pause-requested", does: acknowledged },
  { name: "what stands beside a grant is told", given: atWork, when: commentEvent("loop add-collaborator @dave\nHe knows the well."), says: "granted: collaborator-granted", does: ["react eyes", "turn resume #7", "react hooray"] },
  { name: "what stands beside a stop is told to nobody", given: atWork, when: commentEvent("loop stop, that will do"), says: "stopped: stop-requested", does: ["react eyes", "drop-turns #7", "end-session #7", "react hooray"] },
  { name: "an answer beside a resume answers the question of the session", given: given({ item: itemOf("paused", { sessions: [sessionOf({ asked: { text: "Which hose?", at: 0 } })] }) }), when: commentEvent("loop resume, the green one"), says: "resumed: resume-requested", does: ["react eyes", "turn resume #7", "react hooray"], leaves: [(after) => after.sessions[0]?.asked, null] },
  { name: "an address alone is nothing to tell", given: atWork, when: commentEvent("instance:default"), says: "ignored: nothing-to-tell" },
  { name: "start on an armed item spawns", given: idle, when: commentEvent("loop start"), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"], leaves: [status, "started"] },
  { name: "start reads the label from the payload", given: given(), when: commentEvent("loop start"), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"], leaves: [status, "started"] },
  { name: "start on an unarmed item leaves no request", given: given(), when: commentEvent("loop start", { item: issueOf({ labels: [] }) }), says: "refused: not-armed", does: refusedAloud, leaves: [record, null] },
  { name: "start where spawning is switched off", given: given({ item: itemOf("idle") }, { spawnOnUnmatched: "never" }), when: commentEvent("loop start"), says: "refused: spawning-disabled", does: refusedAloud },
  { name: "start on a started item", given: atWork, when: commentEvent("loop start"), says: "refused: already-started", does: refusedAloud },
  { name: "start on a paused item points to resume", given: paused, when: commentEvent("loop start"), says: "refused: paused-use-resume", does: refusedAloud, leaves: [status, "paused"] },
  { name: "start on a stopped item opens a new session", given: stopped, when: commentEvent("loop start"), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"], leaves: [status, "started"] },
  { name: "start on a closed item", given: closed, when: commentEvent("loop start", onClosedIssue), says: "refused: item-closed", does: refusedAloud },
  { name: "start on an item that the host shows as open again", given: closed, when: commentEvent("loop start", { item: issueOf({ updatedAt: "2026-03-01T12:05:00Z" }) }), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"] },
  { name: "start on a pull request that is linked to the issue spawns against the issue", given: given({ item: itemOf("idle"), target: targetOf({ provenance: "closing-reference" }) }), when: commentEvent("loop start", { item: pullRequestOf() }), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"] },
  { name: "a linked pull request's own label arms the issue", given: given({ target: targetOf({ provenance: "closing-reference" }) }), when: commentEvent("loop start", { item: pullRequestOf({ labels: ["loop: auto-execute"] }) }), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"] },
  { name: "a branch name alone does not spawn on an issue that was never seen", given: given({ target: targetOf({ provenance: "head-branch" }) }), when: commentEvent("loop start", { item: pullRequestOf({ labels: ["loop: auto-execute"] }) }), says: "refused: link-unconfirmed", does: ["react confused", "reply #12"] },
  { name: "a branch name and an issue that the host has", given: given({ target: targetOf({ provenance: "head-branch" }), branchConfirmed: true }), when: commentEvent("loop start", { item: pullRequestOf({ labels: ["loop: auto-execute"] }) }), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"] },
  { name: "S01: a pull request of which the host does not tell the issues is no work item of its own", given: given({ target: targetOf({ workItem: pullRef, endpoint: pullRef, provenance: "itself" }), unanswered: [{ question: "head", why: "not-asked" }] }), when: commentEvent("loop start", { item: pullRequestOf({ labels: ["loop: auto-execute"] }) }), says: "refused: link-unanswered", does: ["react confused", "reply #12"] },
  { name: "one of which the host says that it may not tell is", given: given({ target: targetOf({ workItem: pullRef, endpoint: pullRef, provenance: "itself" }), unanswered: [{ question: "closing-references", why: "LOOP_E_HOST_FORBIDDEN" }] }), when: commentEvent("loop start", { item: pullRequestOf({ labels: ["loop: auto-execute"] }) }), says: "started: start-requested", does: ["react eyes", "turn spawn #12", "react hooray"] },
  { name: "a branch name and an issue that is known", given: given({ item: itemOf("idle"), target: targetOf({ provenance: "head-branch" }) }), when: commentEvent("loop start", { item: pullRequestOf() }), says: "started: start-requested", does: ["react eyes", "turn spawn #7", "react hooray"] },
  { name: "a refusal on a pull request is said there", given: given({ target: targetOf({ provenance: "closing-reference" }) }), when: commentEvent("loop start", { item: pullRequestOf() }), says: "refused: not-armed", does: ["react confused", "reply #12"] },
  { name: "an unlinked labelled pull request is its own work item", given: given({ target: targetOf({ workItem: pullRef, endpoint: pullRef }) }), when: commentEvent("loop start", { item: pullRequestOf({ labels: ["loop: auto-execute"] }) }), says: "started: start-requested", does: ["react eyes", "turn spawn #12", "react hooray"] },

  { name: "pause holds every lane and ends nothing", given: given({ item: itemOf("started", { sessions: [sessionOf()], lanes: [laneOf(issueRef), laneOf(pullRef)] }) }), when: commentEvent("loop pause"), says: "paused: pause-requested", does: acknowledged, leaves: [holds, ["paused", "paused"]] },
  { name: "pause is on record before any start", given: idle, when: commentEvent("loop pause"), says: "paused: pause-requested", does: acknowledged, leaves: [status, "paused"] },
  { name: "pause on an unknown item is on record", given: given(), when: commentEvent("loop pause"), says: "paused: pause-requested", does: acknowledged, leaves: [status, "paused"] },
  { name: "pause twice is one", given: paused, when: commentEvent("loop pause"), says: "paused: pause-requested", does: acknowledged, leaves: [(after) => after.workItem?.control.before, "started"] },
  { name: "pause on a closed item", given: closed, when: commentEvent("loop pause", onClosedIssue), says: "refused: item-closed", does: refusedAloud },
  { name: "pause does not hide that a turn's end is unknown", given: held("uncertain"), when: commentEvent("loop pause"), says: "paused: pause-requested", does: acknowledged, leaves: [holds, ["uncertain"]] },

  { name: "resume opens the lanes", given: paused, when: commentEvent("loop resume"), says: "resumed: resume-requested", does: acknowledged, leaves: [holds, [null]] },
  { name: "resume of what was paused before any start starts nothing", given: idle.after(commentEvent("loop pause")), when: commentEvent("loop resume"), says: "resumed: resume-requested", does: acknowledged, leaves: [status, "idle"] },
  { name: "resume lifts any other hold", given: held("budget"), when: commentEvent("loop resume"), says: "resumed: resume-requested", does: acknowledged, leaves: [holds, [null]] },
  { name: "resume does not lift an uncertain one", given: held("uncertain"), when: commentEvent("loop resume"), says: "refused: lane-uncertain", does: refusedAloud, leaves: [holds, ["uncertain"]] },
  { name: "resume does not overtake a release", given: held("releasing"), when: commentEvent("loop resume"), says: "refused: not-paused", does: refusedAloud, leaves: [holds, ["releasing"]] },
  { name: "resume of a pause keeps an uncertain hold", given: given({ item: itemOf("paused", { lanes: [laneOf(issueRef, { reason: "uncertain", until: null, detail: "" }), laneOf(pullRef, { reason: "paused", until: null, detail: "" })] }) }), when: commentEvent("loop resume"), says: "resumed: resume-requested", does: acknowledged, leaves: [holds, ["uncertain", null]] },
  { name: "resume with nothing held", given: atWork, when: commentEvent("loop resume"), says: "refused: not-paused", does: refusedAloud },
  { name: "resume of a stopped item", given: stopped, when: commentEvent("loop resume"), says: "refused: not-running", does: refusedAloud },
  { name: "resume of an item that nobody started", given: idle, when: commentEvent("loop resume"), says: "refused: not-running", does: refusedAloud },

  { name: "stop ends turn and session, keeps the checkout, withdraws the start", given: atWork, when: commentEvent("loop stop"), says: "stopped: stop-requested", does: ["react eyes", "drop-turns #7", "end-session #7", "react hooray"], leaves: [(after) => [status(after), sessions(after), holds(after), after.workItem?.armed], ["stopped", ["closing"], ["ending"], true]] },
  { name: "stop ends every endpoint", given: given({ item: itemOf("started", { sessions: [sessionOf()], lanes: [laneOf(issueRef), laneOf(pullRef)] }) }), when: commentEvent("loop stop"), says: "stopped: stop-requested", does: ["react eyes", "drop-turns #7", "end-session #7", "drop-turns #12", "end-session #12", "react hooray"] },
  { name: "stop of a paused item", given: paused, when: commentEvent("loop stop"), says: "stopped: stop-requested", does: ["react eyes", "drop-turns #7", "end-session #7", "react hooray"], leaves: [status, "stopped"] },
  { name: "stop is on record before any start", given: idle, when: commentEvent("loop stop"), says: "stopped: stop-requested", does: acknowledged, leaves: [status, "stopped"] },
  { name: "cleanup releases everything", given: atWork, when: commentEvent("loop cleanup"), says: "cleaned-up: cleanup-requested", does: ["react eyes", "drop-turns #7", "end-session #7", "release #7", "react hooray"], leaves: [(after) => [status(after), sessions(after), holds(after)], ["stopped", ["closing"], ["releasing"]]] },
  { name: "cleanup of an unknown item still releases what lies around", given: given(), when: commentEvent("loop cleanup"), says: "cleaned-up: cleanup-requested", does: ["react eyes", "release #7", "react hooray"] },
  { name: "cleanup of a closed item", given: given({ item: itemOf("closed", { lanes: [] }) }), when: commentEvent("loop cleanup", onClosedIssue), says: "cleaned-up: cleanup-requested", does: ["react eyes", "release #7", "react hooray"], leaves: [status, "closed"] },

  { name: "on the command line the keyword is echoed and nothing reacted on", given: atWork, when: control("pause"), says: "paused: pause-requested", does: ["reply #7"], leaves: [status, "paused"] },
  { name: "on the command line a refusal is the answer, not a post", given: atWork, when: control("start"), says: "refused: already-started" },
  { name: "a start on the command line", given: idle, when: control("start"), says: "started: start-requested", does: ["turn spawn #7", "reply #7"] },
  { name: "a start on the command line of an item that was never seen labelled", given: given(), when: control("start"), says: "refused: not-armed" },
  { name: "say is input", given: atWork, when: controlEvent({ verb: "say", text: "use the new endpoint" }), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "say is never read for keywords", given: atWork, when: controlEvent({ verb: "say", text: "loop stop" }), says: "delivered: input-of-authorized", does: ["turn resume #7"] },
  { name: "say to an item that nobody started", given: idle, when: controlEvent({ verb: "say", text: "hello" }), says: "refused: not-started" },
  { name: "say to a stopped item", given: stopped, when: controlEvent({ verb: "say", text: "hello" }), says: "refused: not-running" },
];
