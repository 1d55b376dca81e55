import { type Account, sameAccount } from "../accounts/account.ts";
import type { Turn, TurnInput } from "../turn/turn.ts";
import { authorityAmong, type Authors } from "../turn/authored-text.ts";
import type { GraphSignal } from "../work-item/graph-record.ts";
import type { CiEvent, Item } from "../event/event.ts";
import { isFailure } from "../decide/ci-attempt.ts";
import { type Candidate, type SeverityReason, soundRef, whyUnfit } from "./candidate.ts";
import { truncate, firstOf, fitted, type LeftOut, oneFitLine, slugOf } from "./fitted.ts";
import { rulesIn } from "./rules-in.ts";
import { shortHash } from "./short-hash.ts";
import { type Category, longestLearning } from "./vocabulary.ts";

/** What the service saw of a turn that has ended, by itself. */
export type SeenTurn = {
  readonly turn: Pick<Turn, "id" | "createdAt" | "workItem" | "inputs">;
  /** Why it was stopped, where that is something that a session can mind. */
  readonly stopped: "timeout" | "output-limit" | null;
  /** What our gate found missing when the session wanted to end, a sentence each. */
  readonly missing: readonly string[];
  /** What hooks and critics of the graph came to after it. */
  readonly signals: readonly GraphSignal[];
  /** Commits on which a check went green that was red before. */
  readonly recovered: ReadonlySet<string>;
  /**
   * Commits of pull requests from the repository's own branches, as they are on record: no fork
   * chose the names of checks there.
   */
  readonly ownCommits: ReadonlySet<string>;
  /** Nobody's words reached the conversation but those of people who may steer. */
  readonly untouched: boolean;
  readonly harness: string;
  readonly instance: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/**
 * Occurrences that nobody has to note: red and green checks, rejections and corrections by people
 * who may steer, what our gates, hooks and critics kept from going on, and turns that had to be
 * stopped. Words are taken over of authorized people alone; everything else is said in words of
 * ours. The same turn always gives the same candidates, with the same ids.
 */
export function capture(seen: SeenTurn): readonly Candidate[] {
  return draftsOf(seen).flatMap((draft) =>
    "left" in draft || whyUnfit(draft.text) !== null ? [] : [candidateFrom(draft, seen)],
  );
}

/**
 * What of a turn could have been an occurrence and is none, each with the reason, so that nothing
 * goes without a word.
 */
export function leftOut(seen: SeenTurn): readonly LeftOut[] {
  return draftsOf(seen).flatMap((draft) => {
    const left = "left" in draft ? draft.left : whyUnfit(draft.text);
    return left === null ? [] : [{ text: draft.text, left }];
  });
}

function draftsOf(seen: SeenTurn): readonly (Draft | LeftOut)[] {
  return [
    ...seen.turn.inputs.flatMap((input) => ofInput(input, seen)),
    ...ofStop(seen),
    ...ofGate(seen),
    ...seen.signals.flatMap((signal) => ofSignal(signal, seen)),
  ];
}

type Draft = {
  readonly text: string;
  readonly kind: Candidate["signal"]["kind"];
  readonly by: Candidate["signal"]["by"];
  readonly category: Category;
  readonly severityReason?: SeverityReason | null;
  readonly ref?: string | null;
  readonly evidence?: string;
  /** Where several turns make one mistake; else the turn is the run. */
  readonly run?: string;
};

function candidateFrom(
  { text, kind, by, category, severityReason = null, ref, evidence = "", run }: Draft,
  { turn, harness, instance, at: now }: SeenTurn,
): Candidate {
  const id = `${String(turn.createdAt).padStart(15, "0")}-turn-${turn.id}-${shortHash(`${kind} ${run ?? ""} ${text}`)}`;
  return {
    id,
    text,
    category,
    signal: { kind, by, ref: soundRef(ref ?? "") ?? "" },
    severity: severityReason === null ? "medium" : "high",
    severityReason,
    workItem: turn.workItem,
    run: run ?? `turn-${turn.id}`,
    harness,
    instance,
    at: now,
    evidence,
  };
}

function ofInput({ event, authority }: TurnInput, seen: SeenTurn): readonly (Draft | LeftOut)[] {
  if (event.kind === "ci") return ofCheck(event, seen);
  if (authority !== "authorized") return [];
  if (event.kind === "comment" && event.change === "created") {
    const rejects = event.comment.reviewState === "changes_requested";
    return ofWords(
      event.comment.body,
      rejects ? "review-reject" : "user-feedback",
      event.comment.url,
      rejects,
    );
  }
  return event.kind === "control" && event.request.verb === "say"
    ? ofWords(event.request.text, "user-feedback", null, false)
    : [];
}

function ofWords(
  words: string,
  kind: "review-reject" | "user-feedback",
  ref: string | null,
  atLeastOne: boolean,
): readonly (Draft | LeftOut)[] {
  return rulesIn(words, atLeastOne).map((rule) =>
    typeof rule === "string"
      ? {
          text: rule,
          kind,
          by: "authorized",
          category: "general",
          severityReason: insisted(rule),
          ref,
        }
      : rule,
  );
}

/** Somebody who may steer says that it is always, or never, to be so: once is enough. */
function insisted(text: string): SeverityReason | null {
  const first = text.slice(0, text.indexOf(" ")).toLowerCase();
  return first === "always" ? "user-said-always" : first === "never" ? "user-said-never" : null;
}

/**
 * A check that went red, or green again. Red and green are one occurrence, and so are several red
 * commits of one work item: it is one mistake. A commit of a fork counts for nothing: whoever wrote
 * it also wrote the names of its checks. A check of our own branch names its pull request; a commit
 * status names none, and its commit has to be on record.
 */
function ofCheck(
  event: CiEvent,
  { recovered, ownCommits }: SeenTurn,
): readonly (Draft | LeftOut)[] {
  const { name, headSha, pullRequests, url, conclusion } = event.check;
  const mended = conclusion === "success" && recovered.has(headSha);
  const slug = slugOf(name, 60);
  if ((pullRequests.length === 0 && !ownCommits.has(headSha)) || !(isFailure(event) || mended))
    return [];
  if (slug === "")
    return [
      { text: name, left: "the name of this check has no letter and no digit to call it by" },
    ];
  const text = `Before you push, run what the check ci:${slug} runs; it failed on work that was pushed`;
  return [
    {
      text,
      kind: mended ? "pass-after-fail" : "ci-fail",
      by: "check",
      category: "ci",
      ref: url,
      evidence: `${name}: ${conclusion ?? ""} at ${headSha}`,
      run: `check-${slug}`,
    },
  ];
}

function ofStop({ stopped }: SeenTurn): readonly Draft[] {
  const by = { kind: "run-fail", by: "check", category: "process" } as const;
  if (stopped === "timeout")
    return [
      {
        ...by,
        text: "Work in steps that end well before the turn's time limit; a turn here was stopped for running too long",
      },
    ];
  return stopped === "output-limit"
    ? [
        {
          ...by,
          text: "Send long output of commands into a file; a turn here was stopped for printing too much",
        },
      ]
    : [];
}

function ofGate({ missing, untouched }: SeenTurn): readonly (Draft | LeftOut)[] {
  return firstOf(
    [...new Set(ownLacks(missing, untouched))].map((lack): Draft => ({
      text: `${notSo}${fitted(lack, longestLearning - notSo.length, "lack")}`,
      kind: "gate-block",
      by: "gate",
      category: "process",
    })),
    (draft) => draft.text.slice(notSo.length),
  );
}

/**
 * Lacks in the gate's own words. What a hook printed stands from its sentence on, and hooks are
 * learned from by their command (`ofHook`); a finding is in a critic's words, which count where
 * nobody spoke who may not steer (`ofSignal`). Sentences come apart at `; `.
 */
function ownLacks(missing: readonly string[], untouched: boolean): readonly string[] {
  if (!untouched && missing.some((lack) => lack.includes(", found by "))) return [];
  const hook = missing.findIndex((lack) => lack.startsWith(hookSays));
  return hook < 0 ? missing : missing.slice(0, hook);
}

const hookSays = "the check `";
const notSo = "Before you end a turn see that this is not so: ";

/**
 * Hooks are named by the operator's command. Critics give their reason in words, which count where
 * nobody spoke who may not steer.
 */
function ofSignal(signal: GraphSignal, seen: SeenTurn): readonly (Draft | LeftOut)[] {
  if (signal.kind === "hooks") return signal.failed.flatMap((sentence) => ofHook(sentence, signal));
  if (
    signal.kind !== "critics" ||
    signal.outcome === "passed" ||
    signal.outcome === "failed" ||
    !seen.untouched
  )
    return [];
  const blocking = signal.findings.filter(({ severity }) => severity !== "minor");
  return firstOf(
    blocking.map(({ title, file, critics }): Draft => ({
      text: fitted(title, longestLearning, "finding"),
      kind: "review-reject",
      by: "gate",
      category: "general",
      ref: file,
      evidence: `found by ${critics.join(", ")} at ${signal.node}`,
      run: `critics-${signal.node}`,
    })),
    ({ text }) => text,
  );
}

/**
 * A hook is named by the operator's command, which is cut where it is long; what the command
 * printed stands behind it and is nothing to learn.
 */
function ofHook(
  sentence: string,
  { node, failed }: Extract<GraphSignal, { readonly kind: "hooks" }>,
): readonly (Draft | LeftOut)[] {
  const after = "` failed: ";
  const end = sentence.indexOf(after);
  if (!sentence.startsWith(hookSays) || end === -1)
    return [{ text: sentence, left: "it does not name its command" }];
  const command = sentence.slice(hookSays.length, end);
  const slug = slugOf(command, longestSlug);
  if (slug === "")
    return [
      { text: command, left: "the name of this check has no letter and no digit to call it by" },
    ];
  return [
    {
      text: `Run ${truncate(oneFitLine(command), longestCommand)} before you end a turn; the service's hook:${slug} failed`,
      kind: "test-fail",
      by: "check",
      category: "testing",
      evidence: failed.join("; ").slice(0, 500),
      run: `hook-${node}`,
    },
  ];
}

/** As much of a command, and of what it is called by, as has room beside the words around them. */
const [longestCommand, longestSlug] = [56, 48];

/**
 * Whether nobody's words reached the turn but those of people who may steer: no collaborator's, and
 * the item is one of theirs. Another item that was talked about, such as a linked pull request, is
 * a text and a change that the session works on, so it is of somebody who may steer, or the
 * service's own. What holds for every turn of a conversation holds for that. Only then may a single
 * occurrence be enough, and only then do words count that somebody else could have put there. `own`
 * is the account of the service's token, null where nobody knows it.
 */
export function isUntouched({
  turn,
  authors,
  own,
}: {
  readonly turn: Pick<Turn, "workItem" | "inputs">;
  readonly authors: Authors;
  readonly own: Account | null;
}): boolean {
  return turn.inputs.every(({ event, authority }) => {
    // Whoever owns a fork names its checks, and the names stand in the prompt; a status does not
    // say whose its commit is.
    if (event.kind === "ci") return event.check.pullRequests.length > 0;
    const item = event.kind === "control" ? event.shown : event.item;
    if (authority !== "authorized" || item === undefined) return authority === "authorized";
    const { author } = item;
    const isOwn = turn.workItem.endsWith(`#${item.number}`);
    if (!isEditedByAuthorized(item, authors)) return false;
    return (
      author !== null &&
      (authorityAmong(author, authors) === "authorized" ||
        (!isOwn && own !== null && sameAccount(author, own)))
    );
  });
}

/**
 * What a turn tells of an item's text says who else wrote in it; what it doesn't tell is no words
 * of anybody.
 */
function isEditedByAuthorized({ title, body, editors = [] }: Item, authors: Authors): boolean {
  if (title === "" && body === "") return true;
  if (editors === "unknown") return false;
  return editors.every(({ by }) => by !== null && authorityAmong(by, authors) === "authorized");
}
