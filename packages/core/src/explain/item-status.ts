import type { ControlRecord, ItemState, WorkItem } from "../work-item/records.ts";
import { heldSentence } from "../decide/held-start.ts";
import { keywordText, type Words } from "../control/reason-sentences.ts";

/**
 * How a work item stands now, in words that need no glossary: what people asked for, whether
 * anything works on it, and what would change that. What its lanes wait for is said beside it.
 */
export function standingSentences(item: ItemState, words: Words): readonly string[] {
  const { workItem } = item;
  if (workItem === null)
    return item.sessions.length === 0 ? ["Nothing is known about it yet."] : [registered];
  const held = heldSentence(item, words);
  return [...(held === null ? [] : [held]), ...ofStatus(item, workItem, words)];
}

function ofStatus(item: ItemState, workItem: WorkItem, words: Words): readonly string[] {
  switch (workItem.control.status) {
    case "idle":
      return [idle(item, workItem, words)];
    case "started":
      return started(item, workItem, words);
    case "paused":
      return [paused(workItem, words)];
    case "stopped":
      return [
        `It was stopped${by(workItem.control)}: ${ending(item) ?? `nothing works on it${anew(workItem, words)}`}.`,
      ];
    case "closed":
      return [closed(item, workItem, words)];
  }
}

const registered =
  "Nobody started it, but a session was registered for it, which hears what people say.";

function idle(item: ItemState, { open, armed }: WorkItem, words: Words): string {
  if (item.sessions.some(({ status }) => status === "active")) return registered;
  if (!open) return "It is closed, and nobody had started it.";
  return armed
    ? `It carries the label ${label(words)} and nobody has started it: ${typed("start", words)} begins.`
    : `It does not carry the label ${label(words)}, so nothing works on it.`;
}

function started(
  item: ItemState,
  { control, open, armed, closeDeferred, graph }: WorkItem,
  words: Words,
): readonly string[] {
  const active = item.sessions.filter(({ status }) => status === "active").length;
  const lost = item.sessions.some(({ status }) => status === "lost");
  const session =
    active === 1
      ? "its session hears what people say"
      : active > 1
        ? `its ${active} sessions hear what people say`
        : lost
          ? "its session was lost, and the next message begins a new one"
          : "its session has not begun yet";
  const work = `It was started${by(control)}: ${session}.`;
  const at = graph === undefined ? [] : [`It is at the node ${graph.node} of its process graph.`];
  if (!open)
    return [
      work,
      ...at,
      closeDeferred
        ? "It was closed by somebody who may not end it, so the work goes on."
        : "The code host shows it closed, and nothing has ended the work.",
    ];
  return armed
    ? [work, ...at]
    : [work, ...at, `The label ${label(words)} is gone, which stops nothing.`];
}

function paused({ control, open }: WorkItem, words: Words): string {
  const resume = typed("resume", words);
  const until =
    control.before === "started"
      ? `what comes for it is kept in order and told after ${resume}`
      : `nobody had started it, and nobody can before ${resume}`;
  return `It was paused${by(control)}: ${until}${open ? "" : "; the code host shows it closed"}.`;
}

function closed(item: ItemState, { control, open }: WorkItem, words: Words): string {
  if (open)
    return `It was closed and is open again, but nobody who may steer reopened it: nothing works on it before ${typed("start", words)}.`;
  return `It was closed${by(control)}: ${ending(item) ?? "its work has ended and nothing works on it"}.`;
}

/** What of an end is still under way; null once it is over. */
function ending({ sessions, lanes }: ItemState): string | null {
  const releasing = lanes.some(({ hold }) => hold?.reason === "releasing");
  if (sessions.some(({ status }) => status === "closing"))
    return `its session is ending${releasing ? ", then its checkout goes" : ""}`;
  return releasing ? "its checkout is being released" : null;
}

/** What begins the work anew, as the second half of a sentence. */
function anew({ open, armed }: WorkItem, words: Words): string {
  if (!open) return ", and it is closed";
  return armed
    ? `; ${typed("start", words)} begins anew`
    : `; the label ${label(words)} and then ${typed("start", words)} begin anew`;
}

/** Who asked, and how where it was not on the thread. */
function by({ requestedBy, source }: ControlRecord): string {
  if (source === "cli") return " on the command line";
  if (source === "api") return " through the API";
  return requestedBy === null ? "" : ` by @${requestedBy}`;
}

function typed(verb: "start" | "resume", words: Words): string {
  return `\`${keywordText(verb, words)}\``;
}

function label(words: Words): string {
  return `\`${words.autoExecuteLabel}\``;
}
