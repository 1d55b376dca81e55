import { escapeInline } from "../text/hidden-characters.ts";
import { editWords } from "../decide/held-start.ts";
import { keywordText, type Words } from "../control/reason-sentences.ts";
import type { PendingEffect } from "../turn/outbox-entry.ts";
import type { Hold, ItemState, Session } from "../work-item/records.ts";
import type { RefText } from "../ref/ref.ts";
import { isEndingEffect } from "../turn/ends.ts";
import { isOpen } from "../work-item/hold.ts";
import { type EndView, endView } from "./stuck-end.ts";
import type { InteractionMode } from "../turn/task.ts";
import type { Turn } from "../turn/turn.ts";

/**
 * Why something waits: a hold of its lane, a closing that nobody might do, a question of an agent,
 * a gate, or work left undone.
 */
export const waitingReasons = [
  "paused",
  "uncertain",
  "loop-breaker",
  "budget",
  "usage-limit",
  "backoff",
  "login",
  "billing",
  "not-installed",
  "session-busy",
  "attached",
  "failed",
  "workspace",
  "spawn-refused",
  "sandbox",
  "ending",
  "releasing",
  "close-deferred",
  "text-edited",
  "asked",
  "approval",
  "unfinished",
] as const;

/**
 * A lane that waits: why, in a word and in half a sentence, and what somebody can type; `type` is
 * null for what goes on by itself. `turn` is the one that somebody decides about, null where there
 * is none.
 */
export type Waiting = {
  readonly workItem: RefText;
  readonly lane: RefText;
  readonly reason: (typeof waitingReasons)[number];
  readonly words: string;
  readonly until: number | null;
  readonly detail: string;
  readonly turn: number | null;
  readonly type: string | null;
};

/** What a held lane waits for, as the second half of a sentence. */
const holdWords: Readonly<Record<Hold["reason"], string>> = {
  paused: "somebody paused it",
  uncertain: "nobody knows whether the last turn was carried out",
  "loop-breaker": "it had many turns in a row without a word from a person",
  budget: "its budget is used up",
  "usage-limit": "the harness's usage limit is reached",
  backoff: "the last try failed, and there will be another one",
  login: "the harness is not logged in",
  billing: "the harness's bill is open",
  "not-installed": "the harness is not there",
  "session-busy": "somebody else works in its session",
  attached: "somebody is attached to its session",
  failed: "its last turn failed for good",
  workspace: "its checkout could not be made ready",
  "spawn-refused": "no session may begin for it",
  sandbox: "its agent cannot run in a sandbox",
  ending: "its session is ending",
  releasing: "its checkout is being released",
};

/** The same for a reason that stands in a line of the event log; null where it is none of these. */
export function holdSentence(reason: string | null): string | null {
  return Object.entries(holdWords).find(([each]) => each === reason)?.[1] ?? null;
}

/**
 * What is on record: the items, their turns that have not ended well, and the effects that are
 * pending, oldest first.
 */
export type OnRecord = {
  readonly items: readonly ItemState[];
  readonly open: readonly Turn[];
  readonly pending: readonly PendingEffect[];
};

/**
 * Everything that waits in these items, what needs a person first. `now` is milliseconds since
 * 1970.
 */
export function waitingOf(
  { items, open, pending }: OnRecord,
  words: Pick<Words, "keywords">,
  mode: InteractionMode,
  now: number,
): readonly Waiting[] {
  const held = items.flatMap((item) =>
    item.lanes.flatMap(({ endpoint, hold }): readonly Waiting[] => {
      if (hold === null) return [];
      const isEnding = hold.reason === "ending" || hold.reason === "releasing";
      if (!isEnding && isOpen(hold, now)) return [];
      const end = isEnding ? endOf(item, pending, now) : null;
      const turn = turnOf(endpoint, open);
      const known = {
        workItem: item.workItem?.ref ?? endpoint,
        lane: endpoint,
        reason: hold.reason,
        until: hold.until,
        detail: hold.detail,
        turn: turn?.id ?? null,
      };
      return [
        {
          ...known,
          words: holdWords[hold.reason],
          type: remedyOf(hold, turn, toSay("resume", endpoint, words)),
          ...end,
        },
      ];
    }),
  );
  const deferred = items.flatMap(({ workItem }) =>
    workItem?.closeDeferred === true
      ? [
          {
            workItem: workItem.ref,
            lane: workItem.ref,
            reason: "close-deferred" as const,
            words: "it was closed, and nothing was released",
            until: null,
            detail: "closed by somebody who may not release it",
            turn: null,
            type: `${toSay("cleanup", workItem.ref, words)} to release it`,
          },
        ]
      : [],
  );
  const edited = items.flatMap(({ workItem }) =>
    workItem?.startHeld === undefined
      ? []
      : [
          {
            workItem: workItem.ref,
            lane: workItem.ref,
            reason: "text-edited" as const,
            words: "its text was edited after the start",
            until: null,
            detail: `${editWords(workItem.startHeld)} after the start, so nothing was started`,
            turn: null,
            type: `read it, then ${toSay("start", workItem.ref, words)}`,
          },
        ],
  );
  return [
    ...held,
    ...deferred,
    ...edited,
    ...items.flatMap(({ sessions }) => questionsOf(sessions, mode)),
    ...items.flatMap(nodeOf),
  ].toSorted((a, b) => Number(a.type === null) - Number(b.type === null));
}

/** The oldest end of the item: what comes later waits for it. */
function endOf(
  { workItem }: ItemState,
  pending: readonly PendingEffect[],
  now: number,
): EndView | null {
  const end = pending.find(
    (each) => each.workItem === workItem?.ref && isEndingEffect(each.effect),
  );
  return end === undefined ? null : endView(end, now);
}

/** Questions of agents that nobody has answered. */
function questionsOf(sessions: readonly Session[], mode: InteractionMode): readonly Waiting[] {
  return sessions.flatMap(({ endpoint, workItem, status, asked }) => {
    if (status !== "active" || asked === undefined || asked === null) return [];
    const answer = `\`loop sessions say ${endpoint} <answer>\``;
    return [
      {
        workItem,
        lane: endpoint,
        reason: "asked" as const,
        words: "its agent asked something",
        until: null,
        detail: escapeInline(asked.text, 300),
        turn: null,
        type: mode === "cli" ? answer : `answer on the thread of ${workItem}, or ${answer}`,
      },
    ];
  });
}

/**
 * A gate of the process graph, or a node that its session left unfinished; neither while nobody
 * works on the item.
 */
function nodeOf({ workItem }: ItemState): readonly Waiting[] {
  const waits = workItem?.graph?.waits ?? null;
  if (workItem === null || waits === null || workItem.control.status !== "started") return [];
  const { ref } = workItem;
  const known = {
    workItem: ref,
    lane: ref,
    reason: waits.for,
    until: null,
    detail: escapeInline(waits.detail, 500),
    turn: null,
  };
  if (waits.for === "approval")
    return [
      {
        ...known,
        words: `its node ${waits.node} waits for an approval`,
        type: "comment `approved` on it, or approve its pull request in a review; to have it changed, say what",
      },
    ];
  return [
    {
      ...known,
      words: `its session ended its turn while the node ${waits.node} was unfinished`,
      type: `say on its thread what to do; \`loop graph complete ${waits.node} --work-item ${ref}\` takes the node as it is`,
    },
  ];
}

/** The keyword as a comment; the command line where it is disabled. */
function toSay(
  verb: "resume" | "cleanup" | "start",
  ref: RefText,
  words: Pick<Words, "keywords">,
): string {
  return words.keywords[verb] === ""
    ? `\`${keywordText(verb, words)} --work-item ${ref}\``
    : `comment "${words.keywords[verb]}" on it`;
}

/** The turn that a lane with such a hold waits for. */
function turnOf(lane: RefText, open: readonly Turn[]): Turn | undefined {
  return open.findLast(
    (turn) => turn.lane === lane && (turn.state === "uncertain" || turn.state === "failed"),
  );
}

/** What to type for each reason; what passes by itself needs nothing. */
function remedyOf({ reason }: Hold, turn: Turn | undefined, comment: string): string | null {
  switch (reason) {
    case "uncertain":
      return turn === undefined
        ? "`loop turns list --state uncertain`"
        : `\`loop turns retry ${turn.id}\` goes on with it, \`loop turns drop ${turn.id}\` leaves it`;
    case "failed":
      return turn === undefined
        ? comment
        : `\`loop turns retry ${turn.id}\` tries again, or ${comment} to go on without it`;
    case "login":
      return `log in to the harness (\`loop doctor\` checks it), then ${comment}`;
    case "billing":
      return `settle the harness's bill, then ${comment}`;
    case "not-installed":
      return `install the harness or set its command (\`loop doctor\` checks it), then ${comment}`;
    case "workspace":
      return `see \`loop events --type lane.held\`, put it right, then ${comment}`;
    case "sandbox":
      return `run \`loop doctor\`, fix what it says about the sandbox, then ${comment}`;
    case "budget":
      return `${comment}: the same amount is granted again`;
    case "paused":
    case "loop-breaker":
    case "spawn-refused":
      return comment;
    case "attached":
    case "usage-limit":
    case "backoff":
    case "session-busy":
    case "ending":
    case "releasing":
      return null;
  }
}
