import {
  type ControlPayload,
  type ControlRequest,
  type Policy,
  remedyOf,
  sentenceOf,
  turnedAway,
  understand,
} from "@loopwork/core";
import {
  CodeHostError,
  type DecisionRow,
  formatRef,
  LoopError,
  parseRef,
  type Ref,
  type RefText,
  type Store,
} from "@loopwork/core/ports";
import { foundWithin } from "./poll-until.ts";
import type { ShownItem } from "../ports/code-host.ts";
import { notOnHost } from "@loopwork/runtime/steering";
import type { SteeringPorts } from "./steering-ports.ts";
import { sha256 } from "@loopwork/runtime/sha256";

/** What became of a request by the time the command ends. The same keys whatever happened. */
export type SentControl = {
  readonly workItem: RefText;
  readonly delivery: string;
  /** The instance that acts on it, and whether that is another one than this. */
  readonly instance: string;
  readonly elsewhere: boolean;
  /** What that instance decided; null while it has not. */
  readonly decision: DecisionRow["decision"] | null;
  /**
   * Whether a process of this instance dispatches; where none does, the request waits for the next
   * one. Of another instance it is not known, and its decision is waited for.
   */
  readonly dispatching: boolean;
  /** What the ticket shows of it; null where nothing is to be posted. */
  readonly echo: Echo | null;
};

export type Echo =
  | { readonly state: "posted"; readonly comment: string }
  | { readonly state: "failed"; readonly detail: string }
  | { readonly state: "pending" };

/**
 * How long to wait for a decision and then for the post, milliseconds; a dispatcher looks every two
 * seconds. A program can ask again for the post.
 */
const waits = {
  cli: { decision: 10_000, echo: 10_000 },
  api: { decision: 10_000, echo: 0 },
} as const;

/**
 * Enters a control delivery into the inbox and waits for what becomes of it. The delivery is what
 * acts, once, whoever dispatches and whenever; the marked comment that follows from it is its echo.
 * It names the one instance that acts on it, so that none carries out what another one refused: the
 * owner of the item, which is then waited for, else this one. Rejects, storing nothing, when the
 * configuration would turn the request away.
 */
export async function sendControl(
  target: Ref,
  request: ControlRequest,
  ports: SteeringPorts,
): Promise<SentControl> {
  const policy = await ports.policy();
  const workItem = formatRef(parseRef(formatRef(target), policy.defaultHost) ?? target);
  const store = await ports.store();
  const item = await store.items.load(workItem);
  const own = policy.instance.name;
  const addressee =
    ("instance" in request ? request.instance : null) ?? item.workItem?.control.instance ?? own;
  const payload: ControlPayload = { target: workItem, request, actor: operator, addressee };
  const delivery = ports.ids.uuid();
  refuseUnroutable(delivery, payload, policy, ports.by);
  const showing = request.verb === "start" || request.verb === "add-collaborator";
  const isNew = showing || (item.workItem === null && item.sessions.length === 0);
  const asked = isNew ? await showItem(target, ports) : null; // Of what is known here all can be ended, although the host has it no more.
  const shown = showing ? asked : null;
  const body = new TextEncoder().encode(
    JSON.stringify({ ...payload, ...shown } satisfies ControlPayload),
  );
  await store.append({
    id: delivery,
    source: ports.by,
    event: "control",
    verified: false,
    receivedAt: ports.clock.now(),
    digest: sha256(body),
    body,
    ignored: null,
    allowReplay: true,
  });
  await ports.wake();
  const elsewhere = addressee !== own;
  const dispatching = elsewhere || (await somebodyDispatches(policy, ports));
  const decision = dispatching
    ? await foundWithin(
        async () => (await store.log.decision(delivery, addressee))?.decision ?? null,
        waits[ports.by].decision,
      )
    : null;
  const posts = decision?.effects.some(({ kind }) => kind === "reply") === true;
  return {
    workItem,
    delivery,
    instance: addressee,
    elsewhere,
    decision,
    dispatching,
    echo: posts
      ? ((await foundWithin(() => echoOf(delivery, addressee, store), waits[ports.by].echo)) ?? {
          state: "pending",
        })
      : null,
  };
}

/**
 * A start needs the label, which no event may have shown yet, and the session's first message the
 * item's words. A grant needs an item that is open, and holds from then on, so that a closing or
 * reopening of before it must be known. Where the host cannot be asked, what is on record counts.
 * Rejects for what the host does not have.
 */
async function showItem(target: Ref, ports: SteeringPorts): Promise<ShownItem | null> {
  const { config, env } = await ports.config();
  try {
    const shown = await ports.shownItem(target);
    if (shown !== null || !env[config.integrations.codeHost.tokenEnv]) return shown;
  } catch (error) {
    if (error instanceof CodeHostError) return null;
    throw error;
  }
  throw notOnHost(formatRef(target));
}

/**
 * Whoever has this account on this machine: the host knows nothing of them, so they have no login.
 */
const operator = "operator";

/** What the configuration turns away would be stored and ignored; it is better said at once. */
function refuseUnroutable(
  delivery: string,
  payload: ControlPayload,
  policy: Policy,
  by: SteeringPorts["by"],
): void {
  const understood = understand(
    { id: delivery, source: by, event: "control" },
    JSON.stringify(payload),
    policy,
  );
  if (!understood.ok)
    throw new LoopError(
      "LOOP_E_USAGE",
      "The request is too long or of an unknown kind",
      "Shorten it",
    );
  const why = turnedAway(understood.event, policy);
  if (why !== null)
    throw new LoopError(
      "LOOP_E_NOT_ROUTED",
      sentenceOf(why, policy),
      remedyOf(why, policy) ?? "Run `loop config show --effective` to see the configuration",
    );
}

/** The dispatcher's lock is the truth; a pidfile may be of a daemon that only waits for it. */
async function somebodyDispatches(policy: Policy, ports: SteeringPorts): Promise<boolean> {
  const lock = await (await ports.locks()).acquire(`dispatcher-${policy.instance.name}`);
  await lock?.release();
  return lock === null;
}

/** What the log says of the post that the instance made of the delivery. */
async function echoOf(delivery: string, by: string, store: Store): Promise<Echo | null> {
  for (const { kind, fields, instance } of await store.events.list({ delivery, limit: 200 })) {
    if (instance !== by) continue;
    if (kind === "host.posted") return { state: "posted", comment: String(fields["comment"]) };
    if (kind === "host.failed") return { state: "failed", detail: String(fields["detail"]) };
  }
  return null;
}
