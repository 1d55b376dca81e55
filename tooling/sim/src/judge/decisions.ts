import type { DecisionRow, Store } from "@loopwork/core/ports";
import type { World } from "../world/world.ts";

/**
 * Rules that any decision about a comment keeps, said once more in few words and without the
 * service's own code.
 */
export async function judgeDecisions({ data }: World, store: Store): Promise<readonly string[]> {
  const violations: string[] = [];
  const first = new Map<string, string>();
  for (const { id } of data.deliveries) {
    const row = await store.log.decision(id);
    if (row?.event?.kind !== "comment") continue;
    const wrong = faultOf(row, row.event, first);
    if (wrong !== null)
      violations.push(
        `wrongly-decided: ${wrong}: ${id} ${JSON.stringify(row.event.comment.body.slice(0, 60))} of ${row.event.actor?.login ?? "nobody"} is ${row.decision.verdict.kind} (${row.decision.reason})`,
      );
    if (row.decision.reason !== "seen-before") first.set(keyOf(row, row.event), id);
  }
  return violations;
}

type CommentEvent = Extract<NonNullable<DecisionRow["event"]>, { readonly kind: "comment" }>;

/** The key under which it was kept: two edits of one second have the same of their own. */
const keyOf = ({ state }: DecisionRow, event: CommentEvent): string => state?.key ?? event.key;

function faultOf(
  row: DecisionRow,
  event: CommentEvent,
  first: ReadonlyMap<string, string>,
): string | null {
  const { decision, state } = row;
  const { comment, change, actor } = event;
  const key = keyOf(row, event);
  const { verdict, reason, effects } = decision;
  const control = state?.item.workItem?.control;
  const login = actor?.login ?? "";
  const keywords = keywordsIn(comment.body);
  const steers = keywords.length > 0;
  if (reason === "seen-before")
    return first.has(key) && effects.length === 0 ? null : "called seen before, and nothing was";
  if (first.has(key) && effects.length > 0) return "acts on what was acted on before";
  if (comment.body.includes("<!-- loop:"))
    return effects.length === 0 ? null : "acts on our own comment";
  if (new Set(keywords).size > 1 && effects.length > 0) return "acts on two keywords";
  if (steers && verdict.kind === "delivered" && change === "created")
    return "hands a keyword to the session";
  if (steers && login !== "ada" && effects.length > 0) return "lets somebody steer who may not";
  if (steers && change !== "created" && effects.some(actsOnKeyword))
    return "acts on a keyword that was edited in";
  if (
    login === "bob" &&
    verdict.kind === "delivered" &&
    state?.item.collaborators.some((each) => each.login === "bob") !== true
  )
    return "hears somebody who was granted nothing";
  if (
    !steers &&
    login === "ada" &&
    change === "created" &&
    control?.status === "started" &&
    verdict.kind !== "delivered"
  )
    return "passes over a word for a started item";
  if (verdict.kind === "started" && !effects.some(({ kind }) => kind === "turn"))
    return "starts without a turn";
  return null;
}

function keywordsIn(text: string): readonly (string | undefined)[] {
  return [
    ...text.matchAll(
      /\bloop (start|stop|pause|resume|cleanup|add-collaborator|remove-collaborator)\b/g,
    ),
  ].map(([, word]) => word);
}

/** Words beside an edited keyword may be told without it, and their author shown that it did nothing. */
function actsOnKeyword(effect: DecisionRow["decision"]["effects"][number]): boolean {
  if (effect.kind === "react") return effect.reaction !== "confused";
  if (effect.kind !== "turn" || effect.event.kind !== "comment") return true;
  return keywordsIn(effect.event.comment.body).length > 0;
}
