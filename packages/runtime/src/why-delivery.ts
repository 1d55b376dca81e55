import { eventSentence, explain, type Policy } from "@loopwork/core";
import type {
  DecisionRow,
  IgnoredAtDoor,
  Store,
  StoredDelivery,
  StoredEvent,
} from "@loopwork/core/ports";
import { type QuietWait, quietWaits } from "./quiet-waits.ts";

/**
 * What explaining reads: the store, and the keys that say how long things are kept and waited for.
 */
export type WhyFacts = {
  readonly store: Store;
  readonly policy: Policy;
  readonly bodiesDays: number;
  readonly quietSeconds: number;
  /** Milliseconds since 1970. */ readonly now: number;
};

/**
 * The reasoning about one delivery. `sentences` are what a person reads; of one that waits they say
 * for what.
 */
export type WhyDelivery =
  | { readonly kind: "decided"; readonly row: Told }
  | {
      readonly kind: "ignored";
      readonly delivery: StoredDelivery;
      readonly ignored: string;
      readonly sentence: string;
    }
  | {
      readonly kind: "waiting";
      readonly delivery: StoredDelivery;
      readonly quiet: QuietWait | null;
    };

/**
 * A decision, and whether the body that it was made from is still here; `forgotten` by retention,
 * `missing` for another reason.
 */
export type Told = DecisionRow & {
  readonly body: "kept" | "forgotten" | "missing";
  readonly sentences: readonly string[];
};

const dayMs = 86_400_000;

const doorWords: Readonly<Record<string, string>> = {
  ping: "it is the host's ping, which only asks whether somebody listens",
  "event-not-listed":
    "its event is not among `webhooks.hostWebhook.events`. Next: add it to the list if it is wanted, and let the host send it again",
  "unknown-event":
    "unknown event name. Next: take the event off the webhook, as nothing will ever follow from it",
} satisfies Record<IgnoredAtDoor, string>;

/** Null when no delivery has this id. */
export async function whyDelivery(id: string, facts: WhyFacts): Promise<WhyDelivery | null> {
  const { log } = facts.store;
  const row = await log.decision(id);
  if (row !== null) return { kind: "decided", row: await tell(row, facts) };
  const delivery = await log.find(id);
  if (delivery === null) return null;
  const ignored = (await log.list({ afterSeq: delivery.seq - 1, limit: 1 }))[0]?.ignored ?? null;
  if (ignored !== null)
    return {
      kind: "ignored",
      delivery,
      ignored,
      sentence: `Delivery ${id} was ignored on arrival: ${doorWords[ignored] ?? ignored}.`,
    };
  return {
    kind: "waiting",
    delivery,
    quiet: (await waitsOf(facts)).find((each) => each.delivery.id === id) ?? null,
  };
}

export function waitsOf({
  store,
  policy,
  quietSeconds,
  now,
}: WhyFacts): Promise<readonly QuietWait[]> {
  return quietWaits(store, policy, quietSeconds, now);
}

/**
 * Bodies go and decisions stay: somebody who looks for the words of an old event must learn that
 * they are gone.
 */
export async function tell(
  row: DecisionRow,
  { store, policy, bodiesDays, now }: WhyFacts,
): Promise<Told> {
  const old = row.delivery.receivedAt < now - bodiesDays * dayMs;
  const body =
    (await store.log.body(row.delivery.seq)) !== null ? "kept" : old ? "forgotten" : "missing";
  const failures =
    row.decision.effects.length === 0
      ? []
      : await store.events.list({
          delivery: row.delivery.id,
          kind: "host.failed",
          limit: mostFailures,
        });
  const notTaken = await store.events.list({
    delivery: row.delivery.id,
    kind: "graph.not-taken",
    limit: 1,
  });
  return {
    ...row,
    body,
    sentences: [
      ...explain(row, policy),
      ...notTaken.map((each) => eventSentence(each, policy)),
      ...failures.map(failureSentence),
      ...bodySentences(row, body, bodiesDays),
    ],
  };
}

/** A decision has at most a few posts. */
const mostFailures = 10;

/**
 * What was decided and the code host did not take: without it the decision would tell of a post
 * that nobody finds.
 */
function failureSentence({ reason, fields }: StoredEvent): string {
  const what =
    new Map<unknown, string>([
      ["react", "A reaction"],
      ["reply", "The line on the thread"],
      ["phase-label", "The label of the node"],
    ]).get(fields["effect"]) ?? "A post";
  if (reason === "adopted")
    return `${what} was given up when another instance took over: ${String(fields["detail"])}. Next: look at the thread, and say it there yourself if it is missing and matters.`;
  return `${what} did not get there: ${String(fields["detail"] ?? "the code host refused it")} (${reason ?? "host.failed"}). Next: \`loop doctor\` tells what the code host asks for; nothing else of this decision waits for it.`;
}

function bodySentences(
  { delivery }: DecisionRow,
  body: Told["body"],
  bodiesDays: number,
): readonly string[] {
  if (body === "kept") return [];
  if (body === "forgotten")
    return [
      `Its body is forgotten, as bodies are kept for ${bodiesDays} days (\`retention.bodiesDays\`); this is told from the facts that were kept with the decision.`,
    ];
  return [
    `Its body is no longer here: it was forgotten when \`retention.bodiesDays\` was shorter, or the disk damaged it, which \`loop events --delivery ${delivery.id}\` then shows.`,
  ];
}

/**
 * Why a delivery is not decided although a daemon runs; `until` is when it is decided at the
 * latest, in words.
 */
export function quietSentence(
  { delivery, workItem, running, behind }: QuietWait,
  until: string,
): string {
  const cause =
    behind === null
      ? `a turn of ${running} runs, and its agent may have written this comment itself`
      : `the comment of delivery ${behind} on ${workItem} waits before it`;
  return `Delivery ${delivery.id} (${delivery.event}) is stored and waits: ${cause}. It is decided once no turn runs, at the latest ${until} (\`routing.coalesce.quietSeconds\`).`;
}
