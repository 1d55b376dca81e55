import {
  asksForEdits,
  canaryEvent,
  canaryPurpose,
  closedMeanwhile,
  granteeOf,
  type InboundEvent,
  isGrantOf,
  keyOfCreation,
  type LookedUp,
  type LookupQuestions,
  type NamedAccount,
  namedByLogin,
  type Normalised,
  parseCanary,
  type Policy,
  questionsOf,
  resolve,
  settle,
  settleCanary,
  settleRejected,
  type State,
  type Target,
  type TextEdits,
  turnedAway,
  type UnansweredQuestion,
  understand,
  wantsConfirming,
} from "@loopwork/core";
import {
  type Decided,
  emptyItemState,
  formatRef,
  isLogin,
  type ItemState,
  LoopError,
  type RefText,
  type StoredDelivery,
} from "@loopwork/core/ports";
import { agentAtWork } from "./agent-at-work.ts";
import { type AskingParts, askingParts, familiarityOf, readAnswers } from "./resolution-answers.ts";
import { closingsOf } from "./unrecorded-closings.ts";
import { carryOf } from "./graph/carry.ts";
import { ownDoing, quietFor } from "./own-doing.ts";
import type { RuntimeParts } from "./parts.ts";
import { pinnedOf } from "./pinned-account.ts";
import { seenBefore } from "./seen-before.ts";
import { isForGood, passOver, setAside } from "./set-aside.ts";

export type Ingest = {
  /**
   * Decides what is stored and undecided, in order; resolves to how many deliveries were decided.
   */
  drain(): Promise<number>;
  /**
   * When something that waits can be decided, milliseconds since 1970; null when nothing waits for
   * time.
   */
  wakesAt(): number | null;
};

const atOnce = 200;

/** Reads every fact of a delivery, makes one pure call, applies its result in one transaction. */
export function createIngest(
  given: RuntimeParts,
  onCanary: (delivery: StoredDelivery) => void = () => {},
): Ingest {
  const parts = askingParts(given);
  let failing = { seq: 0, times: 0 };
  let quiet: Quiet = new Map();
  let drained = false;

  /**
   * A delivery on which our own code fails is set aside loudly, so that it never blocks the ones
   * behind it.
   */
  async function decideOrSetAside(
    delivery: StoredDelivery,
    left: readonly number[],
  ): Promise<boolean> {
    try {
      return (
        (await decideCanary(delivery, parts, onCanary)) ||
        (await decideDelivery(delivery, { quiet, drained, left }, parts))
      );
    } catch (error) {
      failing = { seq: delivery.seq, times: failing.seq === delivery.seq ? failing.times + 1 : 1 };
      if (!isForGood(error, failing.times)) throw error;
      await setAside(delivery, error, parts);
      return true;
    }
  }

  return {
    async drain() {
      const undecided = await parts.store.log.undecided(atOnce);
      quiet = new Map();
      drained = undecided.length > 0 && (await parts.store.instances.isDrained());
      const left: number[] = [];
      for (const delivery of undecided)
        if (!(await decideOrSetAside(delivery, left))) left.push(delivery.seq);
      return undecided.length - left.length;
    },
    wakesAt: () => (quiet.size === 0 ? null : Math.min(...quiet.values())),
  };
}

/**
 * Work items of which something waits, until when: what came after it waits behind it, other items
 * go on.
 */
type Quiet = Map<RefText, number>;

/**
 * What was found as the deliveries were read. `left`: the numbers of those before this one that
 * wait.
 */
type Batch = { readonly quiet: Quiet; readonly drained: boolean; readonly left: readonly number[] };

/**
 * Resolves to false when the delivery waits: a running agent may have posted it, and has not said
 * so yet. One behind another that an adoption gave back meanwhile is left as it is, and read again
 * after that one.
 */
async function decideDelivery(
  delivery: StoredDelivery,
  { quiet, drained, left }: Batch,
  parts: AskingParts,
): Promise<boolean> {
  const { policy } = parts.settings();
  const bytes = await parts.store.log.body(delivery.seq);
  if (bytes === null) return passOver(delivery, parts).then(() => true);
  const text = decodeText(bytes);
  const understood =
    text === null
      ? ({ ok: false, why: "not-json" } as const)
      : await understandNamed(delivery, text, policy, parts);
  if (!understood.ok) {
    await parts.store.log.decide(delivery.seq, null, () =>
      settleRejected(delivery, understood.why, policy, parts.clock.now()),
    );
    return true;
  }
  const facts: Facts = {
    ...(await readFacts(understood.event, policy, parts)),
    ...(drained ? { drained } : {}),
  };
  if (await waits(delivery, understood.event, facts, quiet, policy, parts)) return false;
  try {
    await apply(delivery, left, understood.event, facts, policy, parts);
  } catch (error) {
    if (!isSeenBefore(error)) throw error;
    // Another delivery of the same happening was decided between our reading and our writing: it is
    // a fact now.
    await apply(
      delivery,
      left,
      understood.event,
      { ...facts, ...(await seenBefore(understood.event, parts.store.log)) },
      policy,
      parts,
    );
  }
  return true;
}

async function waits(
  { receivedAt }: StoredDelivery,
  event: InboundEvent,
  { target, own, seenAs }: Facts,
  quiet: Quiet,
  policy: Policy,
  parts: AskingParts,
): Promise<boolean> {
  if (target === null) return false;
  const ref = formatRef(target.workItem);
  if (quiet.has(ref)) return true;
  const until =
    own !== "no" || seenAs !== null
      ? null
      : await quietFor(event, target, receivedAt, policy, parts);
  if (until !== null) quiet.set(ref, until);
  return until !== null;
}

/**
 * One of our own that only looks whether deliveries get through; false for all others, forged ones
 * included. What it looks at is looked at later.
 */
async function decideCanary(
  delivery: StoredDelivery,
  parts: AskingParts,
  onCanary: (delivery: StoredDelivery) => void,
): Promise<boolean> {
  if (delivery.event !== canaryEvent) return false;
  const bytes = await parts.store.log.body(delivery.seq);
  const canary = parseCanary(delivery, (bytes === null ? null : decodeText(bytes)) ?? "");
  if (
    canary === null ||
    !parts.marks.isOurs(canary.signed) ||
    !canary.signed.includes(parts.marks.marker(canaryPurpose))
  )
    return false;
  const decided = await parts.store.log.decide(delivery.seq, null, () =>
    settleCanary(delivery, parts.settings().policy, parts.clock.now()),
  );
  if (decided !== null) onCanary(delivery);
  return true;
}

/** Read anew where the event shows that a repository has another name than we thought. */
async function understandNamed(
  delivery: StoredDelivery,
  text: string,
  policy: Policy,
  parts: RuntimeParts,
): Promise<Normalised> {
  const understood = understand(delivery, text, policy, parts.names.knownAs());
  if (!understood.ok || !(await parts.names.see(understood.event, parts))) return understood;
  return understand(delivery, text, policy, parts.names.knownAs());
}

/**
 * All that deciding needs beside the work item's state, which is read inside of the transaction.
 */
type Facts = Omit<State, "item" | "now">;

async function readFacts(event: InboundEvent, policy: Policy, parts: AskingParts): Promise<Facts> {
  const nothing: Facts = {
    target: null,
    own: "no",
    pinnedActorId: null,
    seenAs: null,
    ownedBy: null,
  };
  if (turnedAway(event, policy) !== null) return nothing;
  const seen = await seenBefore(event, parts.store.log);
  const familiarity = await familiarityOf(event, parts.store.items);
  const questions = questionsOf(event, policy, familiarity);
  const unanswered: UnansweredQuestion[] = [];
  const pinned = await pinnedActor(event, parts.store.items);
  const looked = await readAnswers(
    event,
    questions,
    policy,
    pinned.pinnedAs ?? [],
    parts,
    unanswered,
  );
  const target = resolve(event, looked.answers, policy, questions);
  const confirmed = await confirmBranch(event, target, policy, parts, unanswered);
  const { own, evidence, ownBy } = await ownDoing(event, target, policy, parts, unanswered);
  const atWork = await agentAtWork(event, target, policy, parts, unanswered);
  const grantee = await granteeOfEvent(event, target, policy, parts, unanswered);
  // Nothing follows from our own comments, nor from what was decided before.
  const isNews = own !== "comment" && seen.seenAs === null;
  const edits = isNews
    ? await editsOf(event, { target, ...pinned }, policy, parts, unanswered)
    : null;
  const creationSeen =
    event.kind === "comment" && event.change === "edited"
      ? { creationSeen: (await parts.store.log.seenAs(keyOfCreation(event))) !== null }
      : {};
  const found: LookedUp = {
    ...looked,
    ...(familiarity === "new" ? { repository: familiarity } : {}),
    confirmed,
    own: evidence,
  };
  return {
    target,
    own,
    ...(ownBy === null ? {} : { ownBy }),
    ...(atWork === undefined ? {} : { agentAtWork: atWork }),
    ...pinned,
    ...grantee,
    ...seen,
    ...creationSeen,
    ...(edits === null ? {} : { edits }),
    ownedBy: null,
    ...(needsNothing(questions) && evidence === null ? {} : { found }),
    ...(confirmed === true ? { branchConfirmed: true } : {}),
    ...(unanswered.length === 0 ? {} : { unanswered }),
  };
}

/** What is pinned of the actor, as decisions keep it. */
async function pinnedActor(
  { kind, actor }: InboundEvent,
  items: RuntimeParts["store"]["items"],
): Promise<Pick<State, "pinnedActorId" | "pinnedAs">> {
  if (actor === null || kind === "control") return { pinnedActorId: null };
  const { id, as } = await pinnedOf(actor, items);
  return { pinnedActorId: id, ...(as.length === 0 ? {} : { pinnedAs: as }) };
}

/**
 * Whom a grant or its revocation names, so that nobody inherits a grant with a login, or keeps one.
 */
async function granteeOfEvent(
  event: InboundEvent,
  target: Target | null,
  policy: Policy,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<Pick<State, "granteeId" | "revokee">> {
  const grantee = target === null ? null : granteeOf(event, policy);
  if (target === null || grantee === null || !isLogin(grantee.login)) return {};
  const { verb, login } = grantee;
  const ask = () => parts.host.account(login);
  const id = (await parts.questions.ask("account", ask, unanswered))?.id ?? null;
  if (verb === "add-collaborator") return { granteeId: id };
  const revokee = await revokeeOf(login, id, formatRef(target.workItem), parts.store.items);
  return { granteeId: id, ...(revokee === null ? {} : { revokee }) };
}

/** What is on record about whoever has the login, or had it here: ids, and their other names. */
async function revokeeOf(
  login: string,
  id: string | null,
  workItem: RefText,
  items: RuntimeParts["store"]["items"],
): Promise<NamedAccount | null> {
  const { collaborators } = await items.load(workItem);
  const pinned = await items.pinnedActor(login);
  const granted = collaborators.filter((each) => isGrantOf(each, login, namedByLogin));
  const pins = pinned === null ? [] : [pinned];
  const ids = [...new Set([...pins, ...granted.flatMap((each) => each.id ?? [])])];
  const asked = [...new Set([...(id === null ? [] : [id]), ...ids])];
  const names = (await Promise.all(asked.map((each) => items.pinnedTo(each)))).flat();
  return ids.length + names.length === 0 ? null : { ids, names: [...new Set(names)] };
}

/**
 * Asks the host who edited the item's text, and the comment, where an agent may be told either
 * (ADR 0015); null where it does not matter.
 */
async function editsOf(
  event: InboundEvent,
  known: Pick<State, "target" | "pinnedActorId" | "pinnedAs">,
  policy: Policy,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<TextEdits | null> {
  const shown =
    event.kind === "control" ? event.shown : event.kind === "ci" ? undefined : event.item;
  if (known.target === null || shown === undefined) return null;
  const item = await parts.store.items.load(formatRef(known.target.workItem));
  if (!asksForEdits(event, { ...known, item }, policy)) return null;
  const { host, owner, name: repo } = event.repository;
  const ref = { host, owner, repo, number: shown.number };
  const comment = event.kind === "comment" ? (event.comment.nodeId ?? null) : null;
  const ask = (): Promise<TextEdits> => parts.host.textEdits(ref, comment);
  const edits = await parts.questions.ask("edits-of-text", ask, unanswered);
  if (edits === null || edits === "unknown") return "unknown";
  return Promise.all(
    edits.map(async (edit) =>
      edit.by === null ? edit : { ...edit, pinned: await pinnedOf(edit.by, parts.store.items) },
    ),
  );
}

/** An issue's events place themselves, and nothing is kept about it. */
function needsNothing(questions: LookupQuestions): boolean {
  return questions.pullRequests.length === 0 && questions.headSha === null;
}

/**
 * Asks the host for an issue that was never seen here and to which only a branch name points; its
 * silence confirms nothing. Null where nobody needs to ask.
 */
async function confirmBranch(
  event: InboundEvent,
  target: Target | null,
  policy: Policy,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<boolean | null> {
  if (target === null || !wantsConfirming(event, target, policy)) return null;
  if ((await parts.store.items.load(formatRef(target.workItem))).workItem?.hostId != null)
    return null;
  const issue = await parts.questions.ask(
    "issue-of-branch",
    () => parts.host.issue(target.workItem),
    unanswered,
  );
  return issue?.open === true;
}

async function apply(
  delivery: StoredDelivery,
  left: readonly number[],
  event: InboundEvent,
  facts: Facts,
  policy: Policy,
  parts: AskingParts,
): Promise<void> {
  const ref = facts.target === null ? null : formatRef(facts.target.workItem);
  const closings = await closingsOf(event, facts.target, policy, parts);
  const carry = await carryOf(event, facts.target, facts.pinnedAs ?? [], policy, parts);
  const settled = (item: ItemState): Decided =>
    carry(
      settle(
        event,
        {
          ...facts,
          ownedBy: otherOwner(item, policy),
          item: ref === null ? emptyItemState : closedMeanwhile(item, event, closings),
          now: parts.clock.now(),
        },
        policy,
      ),
    );
  const decided = await parts.store.log.decide(delivery.seq, ref, settled, left);
  if (decided?.decision.verdict.kind === "granted") parts.guests.forget();
}

/**
 * The instance that claimed the item, when it is another one. Read in the transaction: who reads
 * the log later meets an item that another instance has taken since.
 */
function otherOwner({ workItem }: ItemState, { instance }: Policy): string | null {
  const owner = workItem?.control.instance ?? null;
  return owner === instance.name ? null : owner;
}

/** Bytes that are no UTF-8 are no JSON either. */
function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isSeenBefore(error: unknown): boolean {
  return error instanceof LoopError && error.code === "LOOP_E_STORE_SEEN_BEFORE";
}
