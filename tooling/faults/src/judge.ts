import type { Prompt } from "./transcripts.ts";

/** What an independent look at the transcripts found; it knows nothing of the store. */
export type Judgement = {
  readonly turnsExpected: number;
  readonly delivered: number;
  readonly lost: number;
  readonly doubled: number;
  readonly overlapping: number;
  readonly outOfOrder: number;
  readonly violations: readonly string[];
};

/**
 * Each acknowledged word must stand in exactly one message that was worked on to its end. A message
 * that tells the session that it was interrupted repeats words on purpose; no other may.
 */
export function judge(
  expected: ReadonlyMap<number, readonly string[]>,
  prompts: readonly Prompt[],
): Judgement {
  const tokens = [...expected.values()].flat();
  const violations: string[] = [];
  const places = new Map(tokens.map((token) => [token, placesOf(token, prompts)]));
  const lost = tokens.filter(
    (token) => !(places.get(token) ?? []).some(({ prompt }) => prompt.ends > 0),
  );
  const repeated = tokens.filter(
    (token) =>
      (places.get(token) ?? [])
        .filter(({ prompt }) => !prompt.continues)
        .reduce((sum, { times }) => sum + times, 0) > 1,
  );
  const twice = prompts.filter(({ records, ends }) => records > 1 || ends > 1);
  const overlapping = prompts.filter(({ overlaps }) => overlaps);
  const disorder = [...expected].flatMap(([lane, laneTokens]) =>
    outOfOrder(lane, laneTokens, prompts),
  );
  violations.push(...lost.map((token) => `lost: ${token} was acknowledged and never worked on`));
  violations.push(...repeated.map((token) => `repeated: ${token} was said more than once`));
  violations.push(
    ...twice.map(
      ({ receipt, records, ends }) =>
        `doubled: receipt ${receipt} has ${records} records and ${ends} ends`,
    ),
  );
  violations.push(
    ...overlapping.map(
      ({ receipt }) =>
        `two at once: receipt ${receipt} was still worked on when the next message of its conversation was`,
    ),
  );
  violations.push(...disorder);
  return {
    turnsExpected: tokens.length,
    delivered: tokens.length - lost.length,
    lost: lost.length,
    doubled: twice.length + repeated.length,
    overlapping: overlapping.length,
    outOfOrder: disorder.length,
    violations,
  };
}

function placesOf(
  token: string,
  prompts: readonly Prompt[],
): readonly { readonly prompt: Prompt; readonly times: number }[] {
  return prompts
    .filter(({ text }) => text.includes(token))
    .map((prompt) => ({ prompt, times: prompt.text.split(token).length - 1 }));
}

/** Words of one lane must first be said in the order in which they were acknowledged. */
function outOfOrder(
  lane: number,
  tokens: readonly string[],
  prompts: readonly Prompt[],
): readonly string[] {
  const first = tokens
    .map((token) => prompts.findIndex((prompt) => prompt.text.includes(token)))
    .filter((at) => at >= 0);
  return first.flatMap((at, i) =>
    i > 0 && at < (first[i - 1] ?? 0)
      ? [`out of order: word ${i + 1} of lane ${lane} was said before the one before it`]
      : [],
  );
}
