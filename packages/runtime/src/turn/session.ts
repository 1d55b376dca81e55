import {
  type CheckoutRequest,
  type EventLine,
  formatRef,
  type HarnessId,
  type Hold,
  type ItemState,
  type Message,
  type NewConversation,
  type Outcome,
  outside,
  parseRef,
  type Ref,
  sameName,
  sameRef,
  say,
  type Session,
  type TakenLane,
  type TrustResult,
  type Turn,
} from "@loopwork/core/ports";
import { evolve, harnessOf } from "@loopwork/core";
import { eventLine } from "../event-line.ts";
import { headFor } from "./head.ts";
import type { RuntimeParts } from "../parts.ts";
import { releaseLate } from "./release-late.ts";

/** The conversation that a turn goes to, in a checkout that stands; or why there is none. */
export type Prepared =
  | {
      readonly kind: "ready";
      readonly session: Session & { readonly workdir: string };
      readonly notes: readonly Message[];
    }
  | { readonly kind: "held"; readonly hold: Hold; readonly notice: Message | null }
  /** The harness gave no new conversation; nothing was sent. */
  | { readonly kind: "refused"; readonly outcome: Outcome }
  /**
   * The turn was dropped, its lane held, or its session opened by the lane's next holder, while its
   * checkout was made.
   */
  | { readonly kind: "gone" };

/**
 * Finds or opens the session of the lane's endpoint: checkout first, then trust, then the record
 * with an id chosen by us, so that a second spawn of the same conversation is refused by the
 * harness itself.
 */
export async function prepareSession(taken: TakenLane, parts: RuntimeParts): Promise<Prepared> {
  const endpoint = refOf(taken.turn.lane);
  const session = activeSession(taken.item, taken.turn.lane);
  const checkout = await prepareCheckout(taken, endpoint, session, parts);
  if (checkout.kind === "held") return checkout;
  await trustCheckout(taken, checkout.workdir, parts);
  // A stop that came meanwhile has closed the session already: one that is opened now would keep a
  // stopped item at work.
  if ((await parts.store.lanes.turn(taken.turn.id))?.state !== "ready") return gone(taken, parts);
  if (session !== undefined && session.workdir === checkout.workdir)
    return {
      kind: "ready",
      session: { ...session, workdir: checkout.workdir },
      notes: checkout.notes,
    };
  const id =
    session !== undefined && !session.begun
      ? ({ kind: "made", id: session.harnessSessionId } as const)
      : await newConversation(taken, parts);
  if (id.kind === "failed") return { kind: "refused", outcome: id.outcome };
  const opened = await openSession(taken, endpoint, session, id.id, checkout.workdir, parts);
  return opened === null
    ? gone(taken, parts)
    : { kind: "ready", session: { ...opened, workdir: checkout.workdir }, notes: checkout.notes };
}

async function gone(taken: TakenLane, parts: RuntimeParts): Promise<Prepared> {
  await releaseLate(taken, parts);
  return { kind: "gone" };
}

type Checkout =
  | { readonly kind: "ready"; readonly workdir: string; readonly notes: readonly Message[] }
  | Extract<Prepared, { kind: "held" }>;

async function prepareCheckout(
  taken: TakenLane,
  endpoint: Ref,
  session: Session | undefined,
  parts: RuntimeParts,
): Promise<Checkout> {
  if (session?.workdir && session.begun && (await parts.workspace.headOf(session.workdir)) !== null)
    return { kind: "ready", workdir: session.workdir, notes: [] };
  const workItem = refOf(taken.turn.workItem);
  const source = cloneSource(taken.turn, taken.item, endpoint, parts);
  if (source === null)
    return held(
      "workspace",
      `no clone URL is known for ${taken.turn.workItem}`,
      say`The repository's clone URL is not known yet, so no checkout could be made.`,
    );
  const head = await headFor(taken.turn, taken.item, endpoint, parts);
  const result = await parts.workspace.prepare({
    workItem,
    repository: source,
    headBranch: head.headBranch,
    headPull: head.headPull,
    restoreFrom: head.restoreFrom,
  });
  if (result.kind === "failed")
    return held(
      "workspace",
      `${result.detail} (${result.code})`,
      say`The checkout could not be made: ${outside(result.detail)}. What helps: ${outside(result.hint)}`,
    );
  if (result.created)
    await parts.store.events.append([
      eventLine(parts, "checkout.prepared", {
        workItem: taken.turn.workItem,
        fields: { workdir: result.workdir, head: result.head },
      }),
    ]);
  return {
    kind: "ready",
    workdir: result.workdir,
    notes: result.created && head.note !== null ? [head.note, ...result.notes] : result.notes,
  };
}

/** Folders of a repository whose ref names no domain lie under `workspace.defaultHost`. */
function cloneSource(
  turn: Turn,
  item: ItemState,
  endpoint: Ref,
  parts: RuntimeParts,
): CheckoutRequest["repository"] | null {
  const event = turn.inputs
    .map((input) => input.event)
    .find(({ repository }) =>
      isSameRepository(endpoint, {
        host: repository.host,
        owner: repository.owner,
        repo: repository.name,
      }),
    );
  const own = isSameRepository(endpoint, refOf(turn.workItem)) ? item.workItem : null;
  const cloneUrl =
    own?.cloneUrl ??
    event?.repository.cloneUrl ??
    besideOf(item.workItem?.cloneUrl ?? null, refOf(turn.workItem), endpoint);
  if (cloneUrl === null) return null;
  const { policy, config } = parts.settings();
  const folder = endpoint.host === null ? config.workspace.defaultHost : null;
  return {
    host: endpoint.host ?? policy.defaultHost,
    owner: endpoint.owner,
    name: endpoint.repo,
    cloneUrl,
    defaultBranch: own?.defaultBranch ?? event?.repository.defaultBranch ?? null,
    ...(folder === null ? {} : { folder }),
  };
}

function isSameRepository(endpoint: Ref, other: Omit<Ref, "number">): boolean {
  return sameRef({ ...other, number: endpoint.number }, endpoint);
}

/**
 * Address of another repository of the same host, when the work item's own address ends in its
 * name: a pull request elsewhere is worked on there.
 */
function besideOf(cloneUrl: string | null, workItem: Ref, endpoint: Ref): string | null {
  if (cloneUrl === null || workItem.host !== endpoint.host) return null;
  const [own, suffix] = [
    `${workItem.owner}/${workItem.repo}`,
    cloneUrl.endsWith(".git") ? ".git" : "",
  ];
  const stem = cloneUrl.slice(0, cloneUrl.length - suffix.length);
  return sameName(stem.slice(-own.length), own)
    ? `${stem.slice(0, -own.length)}${endpoint.owner}/${endpoint.repo}${suffix}`
    : null;
}

async function trustCheckout(
  taken: TakenLane,
  workdir: string,
  parts: RuntimeParts,
): Promise<void> {
  const { config, workspaceRoot, env } = parts.settings();
  if (!config.routing.harnessTrust.enabled) return;
  const harness = parts.harnesses[harnessOfLane(taken, parts)];
  if (harness === null) return;
  const bypass = config.harnesses[harnessOfLane(taken, parts)].permissions === "bypass";
  const result = await harness.trust.prepare({
    workdir,
    workspaceRoot,
    scope: config.routing.harnessTrust.scope,
    bypass,
    env: definedOnly(env),
  });
  const line = trustLine(result, taken, parts);
  if (line !== null) await parts.store.events.append([line]);
}

function trustLine(result: TrustResult, taken: TakenLane, parts: RuntimeParts): EventLine | null {
  if (result.kind === "already") return null;
  if (result.kind === "written")
    return eventLine(parts, "workspace.trusted", {
      workItem: taken.turn.workItem,
      fields: { file: result.file, keys: result.keys.join(", ") },
    });
  return eventLine(parts, "workspace.trust-failed", {
    level: "warn",
    workItem: taken.turn.workItem,
    fields: { file: result.file, why: result.why },
  });
}

async function newConversation(taken: TakenLane, parts: RuntimeParts): Promise<NewConversation> {
  const harness = parts.harnesses[harnessOfLane(taken, parts)];
  return harness === null
    ? { kind: "failed", outcome: { kind: "not-installed", detail: "the harness is not connected" } }
    : harness.newConversation();
}

/**
 * Null when the lane is held by now, the item is another instance's, or the lane has another
 * conversation than when it was taken: a holder that was slow must not end what its successor
 * began.
 */
async function openSession(
  taken: TakenLane,
  endpoint: Ref,
  lost: Session | undefined,
  harnessSessionId: string,
  workdir: string,
  parts: RuntimeParts,
): Promise<Session | null> {
  const at = parts.clock.now();
  const harness = harnessOfLane(taken, parts);
  const recorded = {
    kind: "session-opened",
    endpoint,
    harness,
    harnessSessionId,
    workdir,
    runner: parts.harnesses[harness]?.turns.runner ?? "headless",
    at,
  } as const;
  let isOurs = false;
  const item = await parts.store.items.updateOwn(taken.turn.workItem, (state) => {
    isOurs =
      !isHeld(state, taken.turn.lane) &&
      activeSession(state, taken.turn.lane)?.harnessSessionId === lost?.harnessSessionId;
    if (!isOurs) return { after: state, lines: [] };
    return {
      after: evolve(state, recorded),
      lines: [
        eventLine(parts, "session.opened", {
          workItem: taken.turn.workItem,
          fields: { endpoint: taken.turn.lane, harness, session: harnessSessionId, workdir },
        }),
      ],
    };
  });
  if (item === null || !isOurs) return null;
  await endOthers(taken, harnessSessionId, parts);
  const opened = item.sessions.find(
    (each) => each.endpoint === taken.turn.lane && each.harnessSessionId === harnessSessionId,
  );
  if (!opened)
    throw new Error(`the session of ${formatRef(endpoint)} was opened and is not in the record`);
  return opened;
}

/**
 * The conversation that this one takes the place of: its record goes, so nothing would end its
 * terminal later.
 */
async function endOthers(
  { item, turn }: TakenLane,
  harnessSessionId: string,
  parts: RuntimeParts,
): Promise<void> {
  for (const session of item.sessions) {
    if (session.endpoint === turn.lane && session.harnessSessionId !== harnessSessionId)
      await parts.harnesses[session.harness]?.endConversation(session.harnessSessionId);
  }
}

function isHeld(item: ItemState, lane: string): boolean {
  return item.lanes.some((each) => each.endpoint === lane && each.hold !== null);
}

function activeSession(item: ItemState, lane: string): Session | undefined {
  return item.sessions.find((each) => each.endpoint === lane && each.status === "active");
}

export function harnessOfLane(taken: TakenLane, parts: RuntimeParts): HarnessId {
  return harnessOf(taken.item, taken.turn.lane, parts.settings().policy);
}

export function refOf(text: string): Ref {
  const ref = parseRef(text);
  if (ref === null) throw new Error(`the stored ref ${text} does not parse`);
  return ref;
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function held(
  reason: Hold["reason"],
  detail: string,
  notice: Message | null,
): Extract<Prepared, { kind: "held" }> {
  return { kind: "held", hold: { reason, until: null, detail }, notice };
}
