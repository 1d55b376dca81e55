import type { ControlVerb } from "../event/event.ts";
import type { Policy } from "../config/policy.ts";
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
    "The payload doesn't match its event name. It was stored, not routed.",
    "If the code host really sent it, report the bug with the delivery id.",
  ],
  "body-forgotten": [
    "The body was deleted after `retention.bodiesDays` days, before this instance read it.",
    "If it still matters, write it again on the issue or pull request.",
  ],
  "event-not-listed": [
    "This event isn't in `webhooks.hostWebhook.events`.",
    "Add it to the list to receive it from now on.",
  ],
  "routing-disabled": [
    "Routing is disabled (`routing.enabled` is false). The delivery was stored, not routed.",
    "Set `routing.enabled: true` and repeat the request.",
  ],
  "repository-not-listed": [
    "The repository isn't in `routing.repositories`.",
    "Add it to `routing.repositories` and repeat the request.",
  ],
  "seen-before": ["Duplicate of an earlier delivery, already handled.", null],
  "own-comment": [
    "This comment is by loop itself or by its agent.",
    "If a person wrote it, write it again after the turn, or use `loop sessions stop` and the like.",
  ],
  "own-activity": [
    "The session did this itself.",
    "Set `routing.ownActivity: wake` to deliver it.",
  ],
  "no-work-item": [
    "It doesn't belong to an issue or pull request.",
    "Write it on the issue or pull request you mean.",
  ],
  canary: [
    "Test delivery by `loop canary`. It belongs to no work item and reaches no session.",
    null,
  ],
  "stranger-dropped": [
    "The author is neither on the allow-list nor a collaborator, so it wasn't read.",
    "An authorized user can repeat it, or allow the author with {add-collaborator} and the login.",
  ],
  "actor-not-authorized": [
    "Collaborators can comment, nothing else.",
    "An authorized user can do the same.",
  ],
  "actor-not-author": [
    "The sender isn't the author of the comment, so it wasn't read.",
    "Write a comment of your own.",
  ],
  "actor-id-mismatch": [
    "This login now belongs to a different account, so it wasn't read.",
    "If it's the same person, run `loop actors forget` with the login, add them as a collaborator again if they were one, and repeat the request.",
  ],
  "bot-not-listed": [
    "Bots count only if `routing.authorizedUsers` lists them as `name[bot]`.",
    "Add `name[bot]` to the allow-list if it may give commands.",
  ],
  "collaborator-may-not-spawn": [
    "The session has ended, and a collaborator can't open another.",
    "An authorized user can comment or type {start} to open one.",
  ],
  "collaborator-may-not-steer": [
    "Collaborators can comment but not give commands.",
    "An authorized user can type the command.",
  ],
  "ambiguous-keywords": [
    "The comment contains two different commands, or {cleanup} inside a line. Nothing was done or delivered.",
    "Write one command in a new comment. {cleanup} must start a line.",
  ],
  "ambiguous-addresses": [
    "The comment names two different instances. Nothing was done or delivered.",
    "Write one `instance:<name>` in a new comment.",
  ],
  "addressed-elsewhere": [
    "The comment is addressed to another instance.",
    "Leave the address out in a new comment if you meant this instance.",
  ],
  "keyword-not-visible": [
    "The comment contains a command that is quoted, struck out, in code, hidden on the page, or written with invisible characters or no-break spaces. The command was ignored; the rest of the comment counts.",
    "Write the command as plain text in a new comment.",
  ],
  "keyword-not-in-created": [
    "Commands in edited comments are ignored. The rest of the comment counts where a session is at work.",
    "Write the command in a new comment.",
  ],
  "control-too-old": [
    "The command is older than 7 days and has expired.",
    "Write it in a new comment.",
  ],
  "login-off-grammar": [
    "Expected exactly one login of a person. Teams, bots and anything else are refused.",
    "Type {add-collaborator} or {remove-collaborator} followed by one `@login`.",
  ],
  "login-needs-no-grant": ["This login is already on the allow-list.", null],
  "grant-during-turn": [
    "A turn was running when this was written or has run since, and its agent can comment under this login. Nobody can tell whether a person wrote it.",
    "Run `loop add-collaborator` with the login on the command line, or comment again while no turn is running.",
  ],
  "scope-addressed": [
    "This instance takes new work items only if the command names it.",
    "Type {start} with `instance:<name>` of this instance.",
  ],
  "scope-locked": [
    "This instance takes no new work items (`instance.scope.mode` is `locked`).",
    "Add the item to `instance.scope.workItems`, or start it on another instance.",
  ],
  "instance-drained": [
    "This instance is draining and takes no new work items.",
    "Start it on another instance, or run `loop instances drain --undo` here.",
  ],
  "owned-elsewhere": [
    "Another instance works on this item.",
    "Write it in a new comment with `instance:<name>` of that instance.",
  ],
  unlabelled: [
    "The item doesn't have the label {label}.",
    "Add the label {label}, then type {start}.",
  ],
  "not-armed": [
    "The item doesn't have the label {label}. Adding it later doesn't start the item.",
    "Add the label {label}, then type {start} again.",
  ],
  "link-unconfirmed": [
    "Only the branch name points to an issue, and the code host didn't confirm it. No session was opened.",
    "Type {start} on the issue itself, or name the issue in the pull request (`Closes #…`).",
  ],
  "link-unanswered": [
    "The code host didn't say which repository this pull request comes from or which issue it belongs to. Nothing was started or delivered.",
    "Write it again once the code host responds, or on the issue itself.",
  ],
  "foreign-pull-request": [
    "This pull request comes from a fork, and its author has no access here, so the issue it names doesn't count. Comments on it reach no session, and commands apply to this pull request only.",
    "Write it on the issue, or link the pull request with `loop sessions link-pr`.",
  ],
  "not-started": [
    "The item isn't started. Comments on it aren't delivered, not even later.",
    "Type {start}, then write it again.",
  ],
  "spawning-disabled": [
    "Opening sessions is disabled (`routing.spawnOnUnmatched` is `never`).",
    "Set `routing.spawnOnUnmatched: labeled`, then type {start} again.",
  ],
  "text-edited": [
    "Someone without access here edited the text after the command. Nothing was done.",
    "Read the text as it is now, then repeat the command.",
  ],
  "already-started": [
    "The item is already started.",
    "Comment to add instructions, or type {stop} first to start over.",
  ],
  "paused-use-resume": [
    "The item is paused. Starting it again would drop queued messages.",
    "Type {resume} to continue.",
  ],
  "not-paused": [
    "Nothing to resume: the item is started and nothing on it is on hold.",
    "Comment to add instructions.",
  ],
  "not-running": ["The item isn't started.", "Type {start} to start it."],
  "lane-uncertain": [
    "The last turn may or may not have run. Resuming could run it twice.",
    "Check it with `loop turns list`, then use `loop turns retry` or `loop turns drop`.",
  ],
  "item-closed": ["The item is closed.", "Reopen it, then type {start}."],
  "older-than-known": [
    "A newer state of the item is already known. This changes nothing.",
    "If you still want it, write it in a new comment.",
  ],
  "older-than-command-line": [
    "A newer command from the command line or the API overrides this one.",
    "If you still want it, write it in a new comment. If that is refused as well, this machine's clock is ahead of the code host's; use the command line.",
  ],
  armed: ["The item has the label {label} and can be started.", "Type {start} to start it."],
  disarmed: [
    "The label {label} was removed. A running session continues.",
    "Type {stop} to end it.",
  ],
  "start-requested": ["A start was requested; a session opens.", null],
  "start-by-activity": [
    "The item is labelled and no start command is required (`routing.control.requireStartCommand` is false); a session opens.",
    null,
  ],
  "pause-requested": [
    "The running turn finishes; new messages are queued.",
    "Type {resume} to continue.",
  ],
  "resume-requested": ["Queued messages are delivered in order.", null],
  "stop-requested": [
    "The turn and the session end, queued messages are dropped, and the checkout stays.",
    "Type {start} to start over.",
  ],
  "cleanup-requested": [
    "Sessions end and the checkout is removed; unsaved work is salvaged first.",
    "Restore it with `loop sessions undo-cleanup` within `routing.workspace.salvageDays` days.",
  ],
  "closed-by-authorized": [
    "The item was closed. Its sessions end within ten minutes, and its checkout is removed.",
    null,
  ],
  "closed-by-unauthorized": [
    "The item was closed by someone without access here. Collaborators lose access; nothing else is released.",
    "Type {cleanup} at the start of a line to release it.",
  ],
  "closing-overtaken": [
    "The item was reopened before this close arrived. Only earlier collaborators lose access.",
    "Close the item again or type {stop} to end its session.",
  ],
  "pull-request-closed": [
    "The pull request was closed or merged. Only a session of its own ends.",
    null,
  ],
  "close-without-session": ["The item was closed. No session was open.", null],
  reopened: ["The item was reopened.", "Type {start} if it doesn't continue by itself."],
  "collaborator-granted": [
    "The login can comment to this item's session until the item closes.",
    "Type {remove-collaborator} with the login to revoke access.",
  ],
  "collaborator-revoked": ["The login can no longer comment to this item's session.", null],
  "not-a-collaborator": [
    "Nothing to revoke: the login isn't a collaborator on this item. An earlier grant that arrives late won't count.",
    null,
  ],
  "revocation-unanswered": [
    "Nothing was revoked. No collaborator has this login, and the code host didn't say which account it belongs to, so the account may still have access under another login.",
    "Type {remove-collaborator} again once the code host responds, or with the login shown by `loop sessions show`.",
  ],
  "revoked-in-part": [
    "Access under this login was revoked, but the code host didn't say which account it belongs to, so the account may still have access under another login.",
    "Type {remove-collaborator} again once the code host responds, or with the other login shown by `loop sessions show`.",
  ],
  "still-authorized": [
    "The login is no longer a collaborator, but it's on the allow-list and keeps access.",
    "Remove it from `routing.authorizedUsers` to end that.",
  ],
  "input-of-authorized": ["An authorized user commented.", null],
  "input-of-collaborator": ["A collaborator commented.", null],
  "activity-of-session": ["The work item changed.", null],
  "nothing-to-tell": ["Nothing in it concerns a session.", null],
  "graph-requested": [
    "The state of the process graph was requested, or a node completed or skipped.",
    null,
  ],
  "no-graph": [
    "No process graph is configured.",
    "Set `routing.graph.specDir` to the folder of the artifacts.",
  ],
  "graph-broken": [
    "The process graph is invalid.",
    "Run `loop graph show`, which lists the problems, and fix them.",
  ],
  "no-such-node": [
    "The process graph of this item has no node with that name.",
    "Run `loop graph show` and use one of its nodes.",
  ],
  "node-not-optional": [
    "The node isn't optional and can't be skipped.",
    "Complete it with `loop graph complete`, or set `optional: true` in its definition.",
  ],
  "ci-first-failure": ["A check failed for the first time on this commit.", null],
  "ci-recovered": ["A check that had failed passes again.", null],
  "ci-not-finished": ["The check hasn't finished.", null],
  "ci-no-change": ["The check's result on this commit didn't change.", null],
  "ci-older-result": ["A newer result of this check on this commit is already known.", null],
  "ci-older-commit": ["The commit is no longer the head of its pull request.", null],
  "ci-suite-of-runs": ["A suite only sums up its check runs, which are handled one by one.", null],
  "ci-never": [
    "CI results aren't delivered (`routing.ci.wakeOn` is `never`).",
    "Set `routing.ci.wakeOn: changes` to deliver them.",
  ],
  "ci-wakes-used-up": [
    "The check has woken the session for three commits, which is the limit.",
    "Comment to add instructions.",
  ],
  "ci-no-pull-request": [
    "The commit doesn't belong to a known pull request.",
    "Link the pull request with `loop sessions link-pr`.",
  ],
};

/** Every reason there is, for documentation and for tests that no reason is without a rule. */
export const reasons: readonly Reason[] = Object.keys(texts).filter(
  (name): name is Reason => name in texts,
);
