import { createMemoryStore } from "@loopwork/store/memory";
import type { Word } from "../people.ts";
import type { World } from "../world/world.ts";
import { judgeClosed } from "./closed.ts";
import { judgeDecisions } from "./decisions.ts";
import { judgeDeliveries } from "./deliveries.ts";
import { judgeLate } from "./late.ts";
import { judgePosts } from "./posts.ts";
import { judgeReplay } from "./replay.ts";
import { judgeRescue } from "./rescue.ts";
import { judgeRest } from "./rest.ts";
import { judgeWords } from "./words.ts";

/**
 * What a run did wrong: the invariant's name, a colon, and what it was. Nothing here asks the
 * service; it looks at what is left.
 */
export async function judge(
  world: World,
  words: readonly Word[],
  quiet: boolean,
): Promise<readonly string[]> {
  const seen = [...world.faults.map((fault) => `fault: ${fault}`), ...world.monitor.violations()];
  // A run that was seen to go wrong was ended there: what it left is half done and says nothing.
  if (seen.length > 0) return seen;
  const store = createMemoryStore({ instance: "default", now: world.wallClock }, world.data);
  return [
    ...(await judgeDeliveries(world, store)),
    ...(await judgeDecisions(world, store)),
    ...(await judgeReplay(world, store)),
    ...(await judgeWords(world, words, store)),
    ...judgePosts(world),
    ...judgeRest(world, quiet),
    ...judgeClosed(world),
    ...judgeLate(world),
    ...(quiet ? judgeRescue(world, words) : []),
  ];
}
