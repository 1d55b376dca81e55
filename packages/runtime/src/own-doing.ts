import {
  asksForOwn,
  type InboundEvent,
  ownActivity,
  type OwnBy,
  type OwnEvidence,
  ownOfNobody,
  type Policy,
  quietUntil,
  type State,
  type Target,
  type UnansweredQuestion,
} from "@loopwork/core";
import { type Account, formatRef, type ItemState, sameAccount } from "@loopwork/core/ports";
import type { AskingParts } from "./resolution-answers.ts";
import { ourComment } from "./own-comment.ts";
import type { RuntimeParts } from "./parts.ts";

/**
 * Whether the event is the service's or the session's own doing, and by what evidence: of an
 * activity, null where nobody looked for any; of a comment.
 */
export type OwnDoing = {
  readonly own: State["own"];
  readonly evidence: OwnEvidence | null;
  readonly ownBy: OwnBy | null;
};

/** Finds that out. A fact only: what follows from it is decided in core. */
export async function ownDoing(
  event: InboundEvent,
  target: Target | null,
  policy: Policy,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<OwnDoing> {
  if (event.kind === "comment") {
    const ownBy = await ourComment(event, policy, {
      ...parts,
      ownAccount: () => ownAccount(parts, unanswered),
    });
    return { own: ownBy === null ? "no" : "comment", evidence: null, ownBy };
  }
  if (target === null || !asksForOwn(event, policy)) return nobodyAsked;
  const evidence = await evidenceOf(
    event,
    await parts.store.items.load(formatRef(target.workItem)),
    parts,
    unanswered,
  );
  return { own: ownActivity(evidence, event, policy), evidence, ownBy: null };
}

const nobodyAsked: OwnDoing = { own: "no", evidence: null, ownBy: null };

/** What speaks for an event being the doing of one of the item's sessions. */
async function evidenceOf(
  event: InboundEvent,
  item: ItemState,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<OwnEvidence> {
  const sessions = item.sessions.filter(
    ({ status, workdir }) => status !== "closed" && workdir !== null,
  );
  if (sessions.length === 0) return ownOfNobody;
  if (
    event.kind === "activity" &&
    (await standsInCheckout(
      event,
      sessions.map(({ workdir }) => workdir ?? ""),
      parts,
    ))
  )
    return { inCheckout: true, byOwnLogin: false };
  const own = await ownAccount(parts, unanswered);
  return {
    inCheckout: false,
    byOwnLogin: own !== null && event.actor !== null && sameAccount(own, event.actor),
  };
}

/** Only events that a head causes: an edit of the title says nothing about who pushed. */
async function standsInCheckout(
  event: Extract<InboundEvent, { kind: "activity" }>,
  workdirs: readonly string[],
  parts: RuntimeParts,
): Promise<boolean> {
  const sha = event.item.branches?.headSha;
  if (sha === undefined || (event.action !== "opened" && event.action !== "synchronize"))
    return false;
  const heads = await Promise.all(
    workdirs.map((workdir) => parts.workspace.headOf(workdir).catch(() => null)),
  );
  return heads.includes(sha);
}

/**
 * Until when the delivery waits, as a running agent, of whichever item, may have posted it and not
 * said so yet; null when it need not wait.
 */
export async function quietFor(
  event: InboundEvent,
  target: Target | null,
  receivedAt: number,
  policy: Policy,
  parts: AskingParts,
): Promise<number | null> {
  const { quietSeconds } = parts.settings().dispatch.coalesce;
  const age = parts.clock.now() - receivedAt;
  // One that lies in the future came before the clock was set back; it waits for nothing.
  if (event.kind !== "comment" || target === null || age < 0 || age >= quietSeconds * 1000)
    return null;
  const running = (await parts.store.lanes.turns({ states: ["injecting"], limit: 1 })).length > 0;
  return running
    ? quietUntil(
        event,
        { receivedAt, running, own: await ownAccount(parts, []) },
        policy,
        quietSeconds,
      )
    : null;
}

/** Account of the token; null where the host does not tell. */
export function ownAccount(
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<Account | null> {
  return parts.questions.ownAccount(() => parts.host.ownAccount(), unanswered);
}
