import { type DecisionRow, formatRef, type Store, type Turn } from "@loopwork/core/ports";
import type { Message } from "../harness/transcripts.ts";
import type { Word } from "../people.ts";
import type { World } from "../world/world.ts";

/**
 * What people said reaches a conversation once, in order, if the decision says so, and no
 * conversation hears anybody else.
 */
export async function judgeWords(
  world: World,
  words: readonly Word[],
  store: Store,
): Promise<readonly string[]> {
  const messages = world.transcripts.all();
  const violations: string[] = [];
  const due: Due[] = [];
  for (const word of words) {
    const row = await rowOf(word, world, store);
    const lane = row === null ? null : laneOf(row);
    const heard = messages.filter(({ text }) => text.includes(word.token));
    if (lane === null && heard.length > 0)
      violations.push(
        `heard-undecided: ${word.token} of ${word.by} was said and nothing was decided to say it`,
      );
    if (word.by === "eve" && heard.length > 0) violations.push(`stranger-heard: ${word.token}`);
    if (row === null || lane === null) continue;
    const turn =
      [...world.data.turns.values()].find(
        (each) =>
          each.lane === lane &&
          each.inputs.some(({ deliveryId }) => deliveryId === row.delivery.id),
      ) ?? null;
    due.push({ word, lane, row, turn, heard });
  }
  // A text that an edit made stands in the comment's creation too, where that was read late: two
  // happenings, each told once.
  const repeated = due.filter(
    ({ word, heard }) =>
      heard.filter(({ continues }) => !continues).length > happenings(word, world),
  );
  const lost = due.filter(isLost(world));
  return [
    ...violations,
    ...repeated.map(
      ({ word, heard }) => `word-repeated: ${word.token} stands in ${heard.length} messages`,
    ),
    ...lost.map(
      ({ word, turn }) => `word-lost: ${word.token}, its turn is ${turn?.state ?? "not there"}`,
    ),
    ...judgeOrder(due),
    ...judgeOwn(messages),
  ];
}

type Due = {
  readonly word: Word;
  readonly lane: string;
  readonly row: DecisionRow;
  readonly turn: Turn | null;
  readonly heard: readonly Message[];
};

/**
 * The decision that stands for a word: the first one that has it said, of a webhook or of a poll
 * that came before it.
 */
async function rowOf(word: Word, world: World, store: Store): Promise<DecisionRow | null> {
  for (const { id } of world.data.deliveries) {
    const row = await store.log.decision(id);
    if (
      row?.event?.kind === "comment" &&
      row.event.comment.body.includes(word.token) &&
      laneOf(row) !== null
    )
      return row;
  }
  return store.log.decision(word.delivery);
}

function happenings({ token }: Word, { data }: World): number {
  const rows = [...(data.instances.get("default")?.decisions.values() ?? [])];
  return new Set(
    rows.flatMap((row) =>
      row.event?.kind === "comment" &&
      row.event.comment.body.includes(token) &&
      laneOf(row) !== null
        ? [row.event.key]
        : [],
    ),
  ).size;
}

function laneOf({ decision }: DecisionRow): string | null {
  const turn = decision.effects.find((effect) => effect.kind === "turn");
  return turn?.kind === "turn" ? formatRef(turn.endpoint) : null;
}

/**
 * A word is lost unless a turn with it came to its end, an end of the session took it, or its turn
 * failed before people's eyes or waits for them.
 */
const isLost =
  (world: World) =>
  ({ heard, turn, row, lane }: Due): boolean => {
    if (heard.some(({ ends }) => ends > 0)) return false;
    if (turn === null) return true;
    if (turn.state === "done") return !wasForgotten(world, lane);
    if (turn.state === "dropped") return !wasEnded(world, row);
    if (turn.state === "failed") return turn.attempts === 0;
    return turn.state !== "ready"; // What is ready at the end is judged as waiting.
  };

/**
 * The conversation's file was removed by a fault of the run: what it had heard cannot be seen any
 * more.
 */
function wasForgotten({ transcripts }: World, lane: string): boolean {
  return transcripts.forgotten().has(lane);
}

/** Somebody ended the session after the word had come. */
function wasEnded({ data }: World, { workItem, delivery }: DecisionRow): boolean {
  const decisions = [...(data.instances.get("default")?.decisions.values() ?? [])];
  return decisions.some(
    (each) =>
      each.workItem === workItem &&
      each.delivery.seq > delivery.seq &&
      ["stopped", "cleaned-up", "closed"].includes(each.decision.verdict.kind),
  );
}

/** In one lane, words are first said in the order in which their deliveries were stored. */
function judgeOrder(due: readonly Due[]): readonly string[] {
  const violations: string[] = [];
  for (const lane of new Set(due.map((each) => each.lane))) {
    const said = due
      .filter((each) => each.lane === lane && each.heard.length > 0)
      .toSorted((one, other) => one.row.delivery.seq - other.row.delivery.seq);
    for (const [n, each] of said.entries()) {
      const before = said[n - 1];
      if (before !== undefined && placeOf(each) < placeOf(before))
        violations.push(`out-of-order: ${each.word.token} was said before ${before.word.token}`);
    }
  }
  return violations;
}

/** Time of the message, then the place in it. */
function placeOf({ heard, word }: Due): number {
  const first = heard[0];
  return first === undefined ? 0 : first.at * 1_000_000 + first.text.indexOf(word.token);
}

/** What an agent posted through us never comes back to an agent. */
function judgeOwn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ text, lane }) =>
    /own-\d+-end/.test(text) ? [`own-echo: ${lane} heard what was posted for it`] : [],
  );
}
