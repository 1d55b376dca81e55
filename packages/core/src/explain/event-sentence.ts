import type { Reason } from "../control/reason.ts";
import { reasons, sentenceOf, type Words } from "../control/reason-sentences.ts";
import { holdSentence } from "./waiting.ts";
import { type PlainText, plainLine } from "../message/plain.ts";
import type { EventKind, EventLine } from "../event-log/event-line.ts";

/**
 * A line of the event log in one plain sentence, on one line whatever its fields hold. Fields that
 * are missing are left out; times stand in the line itself.
 */
export function eventSentence(
  { kind, reason, fields }: Pick<EventLine, "kind" | "reason" | "fields">,
  words: Words,
): PlainText {
  return sentenceAbout({ kind, reason, fields }, words, () => true);
}

/**
 * The same without what anybody may have written, such as the detail of a failure: for readers who
 * might take it for an order.
 */
export function eventSummary(
  line: Pick<EventLine, "kind" | "reason" | "fields">,
  words: Words,
): PlainText {
  return sentenceAbout(line, words, (field) => own.has(field));
}

/**
 * Fields in which the service wrote words or numbers of its own, or names that a grammar bounds.
 */
const own: ReadonlySet<string> = new Set([
  ...[
    "turn",
    "mode",
    "harness",
    "effect",
    "usd",
    "minutes",
    "head",
    "changes",
    "files",
    "queued",
    "evicted",
    "expired",
    "damaged",
  ],
  ...["by", "login", "approved", "drained", "daemon", "what", "pullRequest", "repository"],
]);

function sentenceAbout(
  { kind, reason, fields }: Pick<EventLine, "kind" | "reason" | "fields">,
  words: Words,
  shows: (field: string) => boolean,
): PlainText {
  const told = (name: string): string => {
    const value = shows(name) ? fields[name] : null;
    return value === undefined || value === null ? "" : String(value);
  };
  if (kind === "delivery.decided") {
    const known: Reason | undefined = reasons.find((each) => each === reason);
    return plainLine(known === undefined ? "A delivery was decided." : sentenceOf(known, words));
  }
  return plainLine(texts[kind](told, reason));
}

type Told = (field: string) => string;

/** What left the index or the queue of learnings, where something did. */
function gone(told: Told): string {
  const some = [
    ["evicted", "moved to their topics"],
    ["expired", "candidates expired"],
    ["damaged", "files of candidates set aside"],
  ] as const;
  return some
    .flatMap(([field, what]) => (Number(told(field)) > 0 ? [`, ${what} ${told(field)}`] : []))
    .join("");
}

/** `: detail`, or nothing. */
function after(detail: string | null): string {
  return detail === null || detail === "" ? "" : `: ${detail}`;
}

/** ` word`, or nothing. */
function named(word: string): string {
  return word === "" ? "" : ` ${word}`;
}

function spent(told: Told): string {
  const [usd, minutes] = [Number(told("usd")), Number(told("minutes"))];
  const money = usd > 0 ? `, ${usd < 0.01 ? "less than $0.01" : `$${usd.toFixed(2)}`}` : "";
  return minutes > 0
    ? ` in ${minutes < 1 ? `${Math.max(1, Math.round(minutes * 60))} s` : `${Math.round(minutes)} min`}${money}`
    : money.replace(", ", " for ");
}

/** `@login`, or words for somebody whose login nobody told. */
function who(told: Told, nobody: string): string {
  return told("by") === "" ? nobody : `@${told("by")}`;
}

/** Code is written as people type it: in backquotes. */
function code(text: string): string {
  return text === "" ? "" : ` \`${text.replaceAll("`", "'")}\``;
}

const ends: Readonly<Record<string, string>> = {
  "end-session": "The end of its session",
  release: "The release of its checkout",
};

const texts: Readonly<
  Record<Exclude<EventKind, "delivery.decided">, (told: Told, reason: string | null) => string>
> = {
  "delivery.accepted": () => "A delivery was stored.",
  "delivery.duplicate": (_told, reason) =>
    reason === "replay"
      ? "A signed body came again under another id, and counts once."
      : "A delivery came again, and counts once.",
  "delivery.ignored": () => "A delivery was ignored at the door: its id is kept, its body is not.",
  "delivery.recovered": (_told, reason) =>
    `A delivery that nobody had taken was found in the host's list${reason === "asked-again" ? ", and the host was asked to send it again" : ""}.`,
  "delivery.lost": () => "A delivery is lost: the host has it no more, or does not send it again.",
  "turn.queued": (told) =>
    told("mode") === "spawn"
      ? "A turn was queued that begins a session."
      : "A turn was queued for its session.",
  "turn.started": (told, reason) =>
    `Turn${named(told("turn"))} went to its session${{ first: "", again: " once more, in the same words", continue: ", which was interrupted, to be gone on with" }[reason ?? ""] ?? ""}.`,
  "turn.done": (told) =>
    `Turn${named(told("turn"))} is done${spent(told)}: the harness itself said so.`,
  "turn.failed": (told, reason) => `Turn${named(told("turn"))} failed for good${after(reason)}.`,
  "turn.uncertain": (told, reason) =>
    `Nobody knows whether turn${named(told("turn"))} was carried out${after(reason)}.`,
  "turn.dropped": (told, reason) => `Turn${named(told("turn"))} was left${after(reason)}.`,
  "turn.retried": (told, reason) => `Turn${named(told("turn"))} goes again${after(reason)}.`,
  "turn.denied-tools": (told, reason) =>
    `The session was not allowed to use ${reason ?? "a tool"}${told("input") === "" ? "" : `:${code(told("input"))}`}.`,
  "lane.held": (told, reason) =>
    `What comes for it waits: ${holdSentence(reason) ?? reason ?? "it is held"}${told("detail") === "" ? "" : ` (${told("detail")})`}.`,
  "lane.opened": (_told, reason) =>
    `What waited goes on${reason === "harness-works" ? ": the harness works again" : ""}.`,
  "session.opened": (told) =>
    `A session${told("harness") === "" ? "" : ` with harness ${told("harness")}`} was opened.`,
  "session.registered": () => "A person bound a session of their own to it.",
  "session.asked": () => "Its agent asked something; the answer comes as its next turn.",
  "session.lost": (_told, reason) => `Its session was lost${after(reason)}.`,
  "session.closed": (_told, reason) =>
    `Its session was closed${reason === null || reason === "closed" ? "" : ` (${reason})`}.`,
  "effect.stuck": (told, reason) =>
    `${ends[reason ?? ""] ?? "An effect"} failed three times and is tried again${after(told("detail"))}.`,
  "effect.retried": (told) =>
    `Effect${named(told("effect"))} is tried at once, because a person said so.`,
  "effect.dropped": (told) =>
    `Effect${named(told("effect"))} was left undone, because a person said so.`,
  "checkout.prepared": (told) => `Its checkout stands at commit${code(told("head").slice(0, 10))}.`,
  "checkout.released": (told, reason) =>
    reason === "kept"
      ? "Its checkout was made too late and had to stay."
      : `Its checkout was removed${told("salvage") === "" ? "" : `; what was not pushed was saved in${code(told("salvage"))}`}.`,
  "checkout.hardened": (told) =>
    `Settings that could have run a program were taken out of a clone${after(told("removed"))}.`,
  "checkout.restored": () => "Its checkout was brought back with the work that had been saved.",
  "workspace.trusted": () => "The harness was told to trust its checkout.",
  "sandbox.off": (told) => `Its session runs without a sandbox${after(told("why"))}.`,
  "workspace.trust-failed": (told) =>
    `The harness could not be told to trust its checkout${after(told("why"))}.`,
  "pull-request.linked": (told) =>
    `A pull request was recorded${after(/^\d+$/.test(told("pullRequest")) ? `${told("repository")}#${told("pullRequest")}` : told("pullRequest"))}.`,
  "learnings.consolidated": (told) =>
    `What earlier sessions learned was brought up to date in the checkout${told("changes") === "" ? "" : `: changes ${told("changes")}, files ${told("files")}, candidates that wait ${told("waiting")}${gone(told)}`}.`,
  "graph.moved": (told) =>
    `The work is at the node${named(told("node"))} of its graph now${told("from") === "" ? "" : `, and was at ${told("from")} before`}.`,
  "graph.answered": (told) =>
    `${who(told, "Somebody")} ${told("approved") === "true" ? "approved" : "asked for changes at"} the node${named(told("node"))}.`,
  "graph.not-taken": (told) =>
    `What ${who(told, "somebody")} said at the node${named(told("node"))} was not taken${after(told("detail"))}.`,
  "graph.waived": (told, reason) =>
    `${who(told, "Somebody")} ${reason === "skipped" ? `left out the node${named(told("node"))}` : `took the node${named(told("node"))} as it is`}.`,
  "graph.judged": (told, reason) =>
    `The ${told("what") === "" ? "checks" : told("what")} of the node${named(told("node"))} ended: ${reason ?? "judged"}${after(told("detail"))}.`,
  "graph.waits": (told, reason) =>
    `${reason === "approval" ? "An authorized user is waited for" : "Its session was told often enough and left its work undone"} at the node${named(told("node"))}${after(told("detail"))}.`,
  "work-item.imported": (told) =>
    `Its record was brought here${told("from") === "" ? "" : ` from instance${named(told("from"))}`}, because a person said so.`,
  "work-item.adopted": (told) =>
    `This instance took it over from instance${named(told("from"))}, because a person said so.`,
  "instance.drained": (told) =>
    `Instance${named(told("name"))} ${told("drained") === "true" ? "takes nothing new from now on" : "may take new work items again"}, because a person said so.`,
  "actor.forgotten": (told) =>
    `${told("login") === "" ? "An account" : `The account of @${told("login")}`} was forgotten.`,
  "repository.renamed": (told) =>
    `A repository is called${named(told("name"))} now; its items stay what they are here.`,
  "repository.recreated": (told) =>
    `Another repository has the name${named(told("name"))} of one that is known: it gets none of its sessions.`,
  "host.posted": (_told, reason) =>
    reason === "agent-tool"
      ? "Its agent posted a comment with a tool of its own."
      : "A comment was posted on the thread.",
  "host.failed": (told, reason) =>
    `${reason === "adopted" ? "A post was given up" : "The code host refused a post"}${after(told("detail"))}.`,
  "host.silent": () =>
    "The code host leaves questions unanswered: events go by what they say themselves.",
  "host.answering": () => "The code host answers questions again.",
  "audit.failed": (told) =>
    `The host's list of deliveries cannot be compared with what came in${after(told("message"))}.`,
  "audit.recovered": () => "The host's list of deliveries can be compared again.",
  "poll.failed": (told) =>
    `${told("repository") === "" ? "A repository" : told("repository")} could not be polled${after(told("message"))}.`,
  "poll.recovered": (told) =>
    `${told("repository") === "" ? "A repository" : told("repository")} can be polled again.`,
  "canary.answered": () =>
    "A canary came through, and the parts that it would need for a turn were looked at.",
  "config.loaded": () => "A changed configuration is in force.",
  "config.rejected": () => "A changed configuration has errors; the one before stays in force.",
  "daemon.started": () => "A dispatcher began.",
  "daemon.stopped": (told) => `The daemon${named(told("daemon"))} ended.`,
  "daemon.warning": (told, reason) =>
    `Something went wrong${after(told("detail") === "" ? reason : told("detail"))}.`,
};
