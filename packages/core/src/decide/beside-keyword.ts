import type { InboundEvent } from "../event/event.ts";
import type { Effect } from "./effect.ts";
import { forwarded } from "./forwarded.ts";
import type { Policy } from "../config/policy.ts";
import { isRunning } from "./lifecycle-facts.ts";
import type { State } from "./state.ts";
import type { Target } from "../linking/target.ts";
import { turnFor } from "./deliver-input.ts";

/**
 * What was said beside a keyword that leaves the work going, or waiting, is told like any other
 * comment: after what waited where it resumes, and kept in order where it pauses. What stands
 * beside one that ends the work is told to nobody.
 */
export function tellBeside(
  event: InboundEvent,
  state: State,
  policy: Policy,
  { endpoint }: Target,
): readonly Effect[] {
  const words = isRunning(state) ? forwarded(event, policy) : null;
  if (words === null || words.kind !== "comment" || words.comment.body === "") return [];
  return [turnFor(words, endpoint, state.item, "authorized", policy)];
}
