import { type InboundEvent, pullRequestOf } from "@loopwork/core";
import {
  formatRef,
  type ItemState,
  type Message,
  parseRef,
  type Ref,
  sameRef,
  say,
  type TakenLane,
} from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";

/**
 * A pull request, and whether its head lives in another repository; null where nothing at hand
 * shows that.
 */
type Shown = { readonly ref: Ref; readonly fork: boolean | null };

/**
 * A sentence for the session about each pull request of a turn that comes from a fork. What no
 * event shows, the host is asked.
 */
export async function forkNotes(
  { turn, item }: TakenLane,
  parts: Pick<RuntimeParts, "host">,
): Promise<readonly Message[]> {
  const lane = parseRef(turn.lane);
  const own: readonly Shown[] =
    lane !== null && (turn.lane !== turn.workItem || item.workItem?.type === "pull-request")
      ? [{ ref: lane, fork: null }]
      : [];
  const forks = new Map<string, Shown>();
  for (const shown of [...own, ...turn.inputs.flatMap(({ event }) => shownIn(event, item, lane))]) {
    const text = formatRef(shown.ref);
    forks.set(text, { ...shown, fork: shown.fork ?? forks.get(text)?.fork ?? null });
  }
  const notes = await Promise.all([...forks.values()].map((shown) => noteOf(shown, parts)));
  return notes.filter((note) => note !== null);
}

/** The pull request that an event is about. */
function shownIn(event: InboundEvent, item: ItemState, lane: Ref | null): readonly Shown[] {
  if (event.kind === "ci") return lane === null ? [] : checked(event, item, lane);
  const about = event.kind === "control" ? event.shown : event.item;
  if (about?.type !== "pull-request") return [];
  const { host, owner, name } = event.repository;
  return [
    {
      ref: { host, owner, repo: name, number: about.number },
      fork: about.branches === null ? null : !about.branches.sameRepository,
    },
  ];
}

/** A check on a commit of which no pull request is known is placed at the lane itself. */
function checked(
  event: Extract<InboundEvent, { readonly kind: "ci" }>,
  item: ItemState,
  lane: Ref,
): readonly Shown[] {
  const ref = pullRequestOf(
    event,
    { item },
    { workItem: lane, endpoint: lane, provenance: "itself" },
  );
  return sameRef(ref, lane) && event.check.pullRequests.length === 0
    ? []
    : [{ ref, fork: event.check.pullRequestFork ?? null }];
}

async function noteOf(
  { ref, fork }: Shown,
  { host }: Pick<RuntimeParts, "host">,
): Promise<Message | null> {
  const told =
    fork ??
    (await host.pullRequest(ref).then(
      (found) => (found === null ? null : !found.sameRepository),
      () => null,
    ));
  if (told === false) return null;
  return told === true
    ? say`pull request #${ref.number} comes from a fork: its code is not of this repository.`
    : say`the code host did not say whether pull request #${ref.number} comes from a fork.`;
}
