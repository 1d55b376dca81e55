import type { ControlVerb } from "../normalise/event.ts";
import type { Policy } from "./policy.ts";
import type { Reason } from "./reason.ts";

/** What the sentences name beside the reason: keywords and label as configured. */
export type Words = Pick<Policy, "keywords" | "autoExecuteLabel">;

/** The words of a configuration that changes none. */
export const defaultWords: Words = {
  autoExecuteLabel: "loop: auto-execute",
  keywords: {
    start: "loop start",
    stop: "loop stop",
    pause: "loop pause",
    resume: "loop resume",
    cleanup: "loop cleanup",
    "add-collaborator": "loop add-collaborator",
    "remove-collaborator": "loop remove-collaborator",
  },
};

/** One sentence for a reason. */
export function sentenceOf(reason: Reason, words: Words): string {
  return fill(texts[reason][0], words);
}

/** What to do next, in one or two sentences; null where nothing is to be done. */
export function remedyOf(reason: Reason, words: Words): string | null {
  const remedy = texts[reason][1];
  return remedy === null ? null : fill(remedy, words);
}

/**
 * Keyword of a verb as people must type it. Where it is disabled only the command line steers, so
 * its words stand there.
 */
export function keywordText(verb: ControlVerb, { keywords }: Pick<Policy, "keywords">): string {
  if (keywords[verb] !== "") return keywords[verb];
  return verb === "add-collaborator" || verb === "remove-collaborator"
    ? `loop ${verb}`
    : `loop sessions ${verb}`;
}

/** Puts keywords and label where the text names them; what is put in is not read again. */
function fill(text: string, words: Words): string {
  return text.replace(/\{([a-z-]{1,20})\}/g, (whole, name: string) => {
    if (name === "label") return `\`${words.autoExecuteLabel}\``;
    return isVerb(name) ? `\`${keywordText(name, words)}\`` : whole;
  });
}

function isVerb(name: string): name is ControlVerb {
  return (
    name === "start" ||
    name === "stop" ||
    name === "pause" ||
    name === "resume" ||
    name === "cleanup" ||
    name === "add-collaborator" ||
    name === "remove-collaborator"
  );
}

/**
 * Per reason: the sentence, and the remedy or null. Posted on threads and read at night, so both
 * stay short.
 */
const texts: Readonly<Record<Reason, readonly [sentence: string, remedy: string | null]>> = {
  "payload-rejected": [
    "The payload does not fit its event name, so it is kept and never routed.",
    "If the host really sent it, report it with the delivery id.",
  ],
  "body-forgotten": [
    "Its body was dropped, as old ones are (`retention.bodiesDays`), before this instance came to read it.",
    "If it still matters, say it again on the issue or pull request.",
  ],
  "event-not-listed": [
    "This event is not among `webhooks.hostWebhook.events`.",
    "Add it to the list if it is wanted; later deliveries will be looked at.",
  ],
  "routing-disabled": [
    "Routing is switched off (`routing.enabled` is false), so deliveries are kept and nothing follows from them.",
    "Set `routing.enabled: true` and repeat the request.",
  ],
  "repository-not-listed": [
    "The repository is not among `routing.repositories`.",
    "Add it to `routing.repositories` and repeat the request.",
  ],
  "seen-before": [
    "The same thing came under another delivery id before and was decided then.",
    null,
  ],
  "own-comment": [
    "The service or its agent wrote this comment itself, so nobody reads it.",
    "If a person wrote it, say it again once the turn is over, or steer with `loop sessions stop` and its like.",
  ],
  "own-activity": [
    "The session did this itself, so it is not told about it.",
    "Set `routing.ownActivity: wake` if it should be.",
  ],
  "no-work-item": [
    "It belongs to no issue or pull request that could be worked on.",
    "Say it on the issue or pull request that is meant.",
  ],
  canary: [
    "The command `loop canary` sent this to see whether a delivery gets through; it belongs to no work item and no session hears of it.",
    null,
  ],
  "stranger-dropped": [
    "Whoever did this is neither an authorized user nor a collaborator, so it was dropped unread.",
    "An authorized user can repeat it, or grant input with {add-collaborator} and the login.",
  ],
  "actor-not-authorized": [
    "A collaborator's comments are input, but nothing else that a collaborator does is.",
    "An authorized user can do the same.",
  ],
  "actor-not-author": [
    "The sender is not the author of the comment, so it was dropped unread.",
    "Write a comment of your own.",
  ],
  "actor-id-mismatch": [
    "The login belongs to another account than before, so this is somebody else; ignored unread.",
    "If it is the same person, type `loop actors forget` with the login, grant a collaborator anew, and repeat the request.",
  ],
  "bot-not-listed": [
    "A bot counts only when `routing.authorizedUsers` lists it as `name[bot]`.",
    "List the bot as `name[bot]` if it may steer.",
  ],
  "collaborator-may-not-spawn": [
    "The session was ended, and a collaborator may not open another.",
    "An authorized user can say something or type {start}: either opens it anew.",
  ],
  "collaborator-may-not-steer": [
    "A collaborator may speak to the session and not steer it.",
    "An authorized user can type the keyword.",
  ],
  "ambiguous-keywords": [
    "The comment carries two different keywords, or {cleanup} in the middle of a line, so nothing is done and nothing is forwarded.",
    "Write one keyword in a new comment; {cleanup} must begin a line.",
  ],
  "ambiguous-addresses": [
    "The comment addresses two different instances, so nothing is done and nothing is forwarded.",
    "Write one `instance:<name>` in a new comment.",
  ],
  "addressed-elsewhere": [
    "It is addressed to another instance and is that one's business alone.",
    "Write it in a new comment without that address if this instance was meant.",
  ],
  "keyword-not-visible": [
    "A keyword in this comment is quoted, struck out, code, hidden on the page, or mixed with characters that don't show or no-break spaces, so it was not carried out; anything else in the comment is ordinary input.",
    "Write the keyword as plain text in a new comment.",
  ],
  "keyword-not-in-created": [
    "An edited comment never carries a keyword out.",
    "Write the keyword in a new comment.",
  ],
  "control-too-old": [
    "The request is older than 7 days and counts as stale.",
    "Ask again in a new comment.",
  ],
  "login-off-grammar": [
    "A grant names exactly one login of a person; teams, bots and anything else are refused.",
    "Type {add-collaborator} or {remove-collaborator} followed by one `@login`.",
  ],
  "login-needs-no-grant": ["This login is an authorized user and needs no grant.", null],
  "grant-during-turn": [
    "A turn, of this item or another, ran when this was written, or has run since, and its agent's tools may comment under this login, so nobody can tell whether a person granted it.",
    "Type `loop add-collaborator` with the login on the command line, or the comment again once no turn runs.",
  ],
  "scope-addressed": [
    "This instance takes a new work item only by a start that names it.",
    "Type {start} with `instance:<name>` of this instance.",
  ],
  "scope-locked": [
    "This instance takes no new work items (`instance.scope.mode` is `locked`).",
    "List the item in `instance.scope.workItems`, or start it on another instance.",
  ],
  "instance-drained": [
    "This instance was told to take no new work items (`loop instances drain`).",
    "Start it on another instance, or let this one take new ones again with `loop instances drain --undo`.",
  ],
  "owned-elsewhere": [
    "Another instance works on this item.",
    "Say it in a new comment with `instance:<name>` of that instance.",
  ],
  unlabelled: [
    "The item does not carry the label {label}, so it is none of the service's business.",
    "Put the label {label} on the item, then type {start}.",
  ],
  "not-armed": [
    "The item does not carry the label {label}, so it was not started, and labelling it now starts nothing by itself.",
    "Put the label {label} on the item, then type {start} again.",
  ],
  "link-unconfirmed": [
    "Only the name of a branch says which issue this belongs to, and the code host did not confirm it, so nothing is spawned on it.",
    "Type {start} on the issue itself, or name the issue in the pull request (`Closes #…`).",
  ],
  "link-unanswered": [
    "The code host did not say where this pull request comes from, or which issue it belongs to, so nothing is spawned on it and no session hears of it.",
    "Say it again when the code host answers, or on the issue itself.",
  ],
  "foreign-pull-request": [
    "This pull request comes from a fork and its author has no authority here, so the issue that it names does not count: what is said here reaches no session, and keywords apply to this pull request alone.",
    "Say it on the issue, or record the pull request with `loop sessions link-pr`.",
  ],
  "not-started": [
    "Nobody has started this item, so what is said on it reaches no session, also not later.",
    "Type {start}, then say it again.",
  ],
  "spawning-disabled": [
    "No session may be spawned here (`routing.spawnOnUnmatched` is `never`).",
    "Set `routing.spawnOnUnmatched: labeled`, then type {start} again.",
  ],
  "text-edited": [
    "The text was edited after it was asked for, by somebody without authority here, so nothing was done.",
    "Read the text as it is now, then type the request again.",
  ],
  "already-started": [
    "The item is started already.",
    "Say in a comment what is to be done, or type {stop} first to begin anew.",
  ],
  "paused-use-resume": [
    "The item is paused, and a start would lose what waits.",
    "Type {resume} to go on.",
  ],
  "not-paused": [
    "The item is started and nothing on it is held, so there is nothing to resume.",
    "Say in a comment what is to be done.",
  ],
  "not-running": ["The item is not started, so nothing runs here.", "Type {start} to begin."],
  "lane-uncertain": [
    "It is not known whether the last turn was carried out, and resuming could do it twice.",
    "Look at it with `loop turns list`, then decide with `loop turns retry` or `loop turns drop`.",
  ],
  "item-closed": ["The item is closed.", "Reopen it, then type {start}."],
  "older-than-known": [
    "It is older than what is already known of the item, so it changes nothing.",
    "If it is still wanted, ask again in a new comment.",
  ],
  "older-than-command-line": [
    "The request was written before a newer one of the command line or the API, so it changes nothing.",
    "If it is still wanted, ask again in a new comment; if that is refused, too, this machine's clock is ahead of the code host's, and the command line counts all the same.",
  ],
  armed: ["The item carries the label {label} now and may be started.", "Type {start} to begin."],
  disarmed: [
    "The label {label} is gone; a session that is at work goes on.",
    "Type {stop} to end a session that is at work.",
  ],
  "start-requested": ["A start was asked for, so a session is spawned.", null],
  "start-by-activity": [
    "The item is labelled and no start command is required (`routing.control.requireStartCommand` is false), so a session is spawned.",
    null,
  ],
  "pause-requested": [
    "A pause was asked for: the running turn ends by itself, and what arrives waits in order.",
    "Type {resume} to go on.",
  ],
  "resume-requested": ["A resume was asked for, so what waited goes on in order.", null],
  "stop-requested": [
    "A stop was asked for: turn and session end, the checkout stays, what waited is dropped.",
    "Type {start} to begin anew.",
  ],
  "cleanup-requested": [
    "A cleanup was asked for: sessions end and the checkout goes; unsaved work in it is salvaged first.",
    "Bring back what was unsaved with `loop sessions undo-cleanup`, within `routing.workspace.salvageDays` days.",
  ],
  "closed-by-authorized": [
    "The item was closed, so its sessions end after at most ten minutes and its checkout goes.",
    null,
  ],
  "closed-by-unauthorized": [
    "The item was closed by somebody without authority here, so nothing is released; only grants end.",
    "Type {cleanup} at the beginning of a line to release it.",
  ],
  "closing-overtaken": [
    "The item was open again before this closing was told, so it ends nothing but the grants of before it.",
    "Close the item again, or type {stop}, if its session is to end.",
  ],
  "pull-request-closed": [
    "The pull request was closed or merged; only a session of its own ends with it.",
    null,
  ],
  "close-without-session": ["The item was closed, and nothing was at work on it.", null],
  reopened: ["The item is open again.", "Type {start} if it does not go on by itself."],
  "collaborator-granted": [
    "The login may speak to the session of this item until the item closes.",
    "Type {remove-collaborator} with the login to take that back.",
  ],
  "collaborator-revoked": ["The login may no longer speak to the session of this item.", null],
  "not-a-collaborator": [
    "The login is no collaborator of this item, so there is nothing to revoke; a grant of before this that is told late will not count.",
    null,
  ],
  "revocation-unanswered": [
    "Nothing was revoked: no grant is under this login, and the code host did not say whose login it is, so the account may still be heard by a grant under another one.",
    "Type {remove-collaborator} again once the code host answers, or with the login that the grant is under (`loop sessions show`).",
  ],
  "revoked-in-part": [
    "The grant under this login is gone, but the code host did not say whose login it is, so the account may still be heard by a grant under another one.",
    "Type {remove-collaborator} again once the code host answers, or with the login that the other grant is under (`loop sessions show`).",
  ],
  "still-authorized": [
    "No grant of this login is left, but it is on the allow-list, so it is heard all the same.",
    "Take it off `routing.authorizedUsers` if it is to be heard no longer.",
  ],
  "input-of-authorized": ["An authorized user said something to the session.", null],
  "input-of-collaborator": ["A collaborator said something to the session.", null],
  "activity-of-session": ["Something happened that the session should know.", null],
  "nothing-to-tell": ["Nothing in it concerns a session.", null],
  "graph-requested": [
    "Somebody asked where the work stands in the process graph, or had a node taken as it is or left out.",
    null,
  ],
  "no-graph": [
    "No process graph is configured, so that there is nothing to move.",
    "Name the folder of the artifacts in `routing.graph.specDir`.",
  ],
  "graph-broken": [
    "The process graph cannot be used, so that nothing moves in it.",
    "Look at `loop graph show`, which lists what is wrong, and mend that.",
  ],
  "no-such-node": [
    "The process graph of this item has no node of that name.",
    "Look at `loop graph show`, and name one of its nodes.",
  ],
  "node-not-optional": [
    "The node is not optional, so it cannot be left out.",
    "Take it as it is with `loop graph complete`, or write `optional: true` in its definition.",
  ],
  "ci-first-failure": [
    "A check failed for the first time on this commit, so the session is told.",
    null,
  ],
  "ci-recovered": ["A check that had failed is green again, so the session is told.", null],
  "ci-not-finished": ["The check has not finished.", null],
  "ci-no-change": ["The check's result is no news for this commit.", null],
  "ci-older-result": [
    "A newer result of this check on this commit is known, so this one changes nothing.",
    null,
  ],
  "ci-older-commit": [
    "The commit is no longer the head of its pull request, so the check's result on it changes nothing.",
    null,
  ],
  "ci-suite-of-runs": [
    "A suite only sums up its check runs, each of which is told by itself.",
    null,
  ],
  "ci-never": [
    "CI wakes nobody here (`routing.ci.wakeOn` is `never`).",
    "Set `routing.ci.wakeOn: changes` if it should.",
  ],
  "ci-wakes-used-up": [
    "The check has woken the session for three commits and wakes it no more.",
    "Say in a comment what is to be done.",
  ],
  "ci-no-pull-request": [
    "The commit belongs to no pull request that is known here.",
    "Record the pull request with `loop sessions link-pr`.",
  ],
};

/** Every reason there is, for documentation and for tests that no reason is without a rule. */
export const reasons: readonly Reason[] = Object.keys(texts).filter(
  (name): name is Reason => name in texts,
);
