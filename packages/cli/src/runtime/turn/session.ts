import type { EventLine, HarnessId, Hold, ItemState, Ref, Session, Turn } from "@loopwork/core";
import { evolve, formatRef, harnessOf, parseRef } from "@loopwork/core";
import type { TakenLane, TrustResult } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import { releaseLate } from "./release-late.ts";

/** The conversation that a turn goes to, in a checkout that stands; or why there is none. */
export type Prepared =
  | { readonly kind: "ready"; readonly session: Session & { readonly workdir: string }; readonly notes: readonly string[] }
  | { readonly kind: "held"; readonly hold: Hold; readonly notice: string | null }
  /** The turn was dropped while its checkout was made. */
  | { readonly kind: "gone" };

/**
 * Finds or opens the session of the lane's endpoint: checkout first, then trust, then the record with an id chosen by
 * us, so that a second spawn of the same conversation is refused by the harness itself.
 */
export async function prepareSession(taken: TakenLane, parts: RuntimeParts): Promise<Prepared> {
  const endpoint = refOf(taken.turn.lane);
  const session = taken.item.sessions.find((each) => each.endpoint === taken.turn.lane && each.status === "active");
  const checkout = await prepareCheckout(taken, endpoint, session, parts);
  if (checkout.kind === "held") return checkout;
  await trustCheckout(taken, checkout.workdir, parts);
  // A stop that came meanwhile has closed the session already: one that is opened now would keep a stopped item at work (S05).
  if ((await parts.store.lanes.turn(taken.turn.id))?.state !== "ready") {
    await releaseLate(taken, parts);
    return { kind: "gone" };
  }
  if (session !== undefined && session.workdir === checkout.workdir) return { kind: "ready", session: { ...session, workdir: checkout.workdir }, notes: checkout.notes };
  const opened = await openSession(taken, endpoint, session, checkout.workdir, parts);
  return { kind: "ready", session: { ...opened, workdir: checkout.workdir }, notes: checkout.notes };
}

type Checkout = { readonly kind: "ready"; readonly workdir: string; readonly notes: readonly string[] } | Extract<Prepared, { kind: "held" }>;

async function prepareCheckout(taken: TakenLane, endpoint: Ref, session: Session | undefined, parts: RuntimeParts): Promise<Checkout> {
  if (session?.workdir && session.begun && (await parts.workspace.headOf(session.workdir)) !== null) return { kind: "ready", workdir: session.workdir, notes: [] };
  const workItem = refOf(taken.turn.workItem);
  const source = cloneSource(taken.turn, taken.item, endpoint, parts);
  if (source === null) return held("workspace", `no clone URL is known for ${taken.turn.workItem}`, "The repository's clone URL is not known yet, so no checkout could be made.");
  const result = await parts.workspace.prepare({ workItem, repository: source, headBranch: headBranchFor(taken.turn, taken.item) });
  if (result.kind === "failed") return held("workspace", `${result.detail} (${result.code})`, `The checkout could not be made: ${result.detail}. ${result.hint}`);
  if (result.created) await parts.store.events.append([eventLine(parts, "checkout.prepared", { workItem: taken.turn.workItem, fields: { workdir: result.workdir, head: result.head } })]);
  return { kind: "ready", workdir: result.workdir, notes: result.notes };
}

function cloneSource(turn: Turn, item: ItemState, endpoint: Ref, parts: RuntimeParts): { readonly host: string; readonly owner: string; readonly name: string; readonly cloneUrl: string; readonly defaultBranch: string | null } | null {
  const event = turn.inputs[0]?.event;
  const cloneUrl = item.workItem?.cloneUrl ?? event?.repository.cloneUrl ?? null;
  if (cloneUrl === null) return null;
  return { host: endpoint.host ?? parts.settings().policy.defaultHost, owner: endpoint.owner, name: endpoint.repo, cloneUrl, defaultBranch: item.workItem?.defaultBranch ?? event?.repository.defaultBranch ?? null };
}

/** A pull request's head is checked out only where decisions.md 9 allows it: same repository, and author authorized or recorded. */
function headBranchFor(turn: Turn, item: ItemState): string | null {
  const recorded = item.pullRequests.find((link) => link.open && link.headBranch !== null);
  if (recorded?.headBranch) return recorded.headBranch;
  const input = turn.inputs.find(({ event, authority }) => event.kind !== "ci" && event.kind !== "control" && event.item.branches?.sameRepository === true && authority === "authorized");
  if (!input || input.event.kind === "ci" || input.event.kind === "control") return null;
  const author = input.event.item.author?.login.toLowerCase();
  return author !== undefined && author === input.event.actor?.login.toLowerCase() ? (input.event.item.branches?.head ?? null) : null;
}

async function trustCheckout(taken: TakenLane, workdir: string, parts: RuntimeParts): Promise<void> {
  const { config, workspaceRoot, env } = parts.settings();
  if (!config.routing.harnessTrust.enabled) return;
  const harness = parts.harnesses[harnessOfLane(taken, parts)];
  if (harness === null) return;
  const bypass = config.harnesses[harnessOfLane(taken, parts)].permissions === "bypass";
  const result = await harness.trust.prepare({ workdir, workspaceRoot, scope: config.routing.harnessTrust.scope, bypass, env: definedOnly(env) });
  const line = trustLine(result, taken, parts);
  if (line !== null) await parts.store.events.append([line]);
}

function trustLine(result: TrustResult, taken: TakenLane, parts: RuntimeParts): EventLine | null {
  if (result.kind === "already") return null;
  if (result.kind === "written") return eventLine(parts, "workspace.trusted", { workItem: taken.turn.workItem, fields: { file: result.file, keys: result.keys.join(", ") } });
  return eventLine(parts, "workspace.trust-failed", { level: "warn", workItem: taken.turn.workItem, fields: { file: result.file, why: result.why } });
}

async function openSession(taken: TakenLane, endpoint: Ref, lost: Session | undefined, workdir: string, parts: RuntimeParts): Promise<Session> {
  const at = parts.clock.now();
  const harness = harnessOfLane(taken, parts);
  const keepId = lost !== undefined && !lost.begun ? lost.harnessSessionId : ((await parts.harnesses[harness]?.newSessionId()) ?? parts.ids.uuid());
  const recorded = { kind: "session-opened", endpoint, harness, harnessSessionId: keepId, workdir, runner: "headless", at } as const;
  const item = await parts.store.items.update(taken.turn.workItem, (state) => ({
    after: evolve(state, recorded),
    lines: [eventLine(parts, "session.opened", { workItem: taken.turn.workItem, fields: { endpoint: taken.turn.lane, harness, session: keepId, workdir } })],
  }));
  const opened = item.sessions.find((each) => each.endpoint === taken.turn.lane && each.harnessSessionId === keepId);
  if (!opened) throw new Error(`the session of ${formatRef(endpoint)} was opened and is not in the record`);
  return opened;
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
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function held(reason: Hold["reason"], detail: string, notice: string | null): Extract<Prepared, { kind: "held" }> {
  return { kind: "held", hold: { reason, until: null, detail }, notice };
}
