import type { Command as Commander } from "commander";
import { explain, type IgnoredAtDoor, LoopError, type RefText, formatRef } from "@loopwork/core";
import type { DecisionRow, Store } from "@loopwork/core/ports";
import type { Ports } from "../start/ports.ts";
import { ago, stamp } from "../output/time.ts";
import { type Block, type Call, Command, line, register, type Result } from "./command.ts";
import { type QuietWait, quietWaits } from "../runtime/quiet-waits.ts";
import { type Waiting, waitingOf } from "./waiting.ts";
import { refArgument } from "./work-item-argument.ts";

const decisionsShown = 5;
const dayMs = 86_400_000;

/** `loop why <delivery|ref>` (decisions.md 5): the whole reasoning in sentences, out of the decision's own facts. */
class WhyCommand extends Command {
  override describe(command: Commander): void {
    command.argument("<delivery or ref>", "a delivery id, or a work item such as host:owner/repo#7").addHelpText("after", "\nAnswers from what was known when it was decided, whatever has changed since.");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const subject = call.args[0] ?? "";
    // No delivery's id has these: a reference was meant, and a bad one is no unknown delivery.
    const ref = /[:#/]/.test(subject) ? await refArgument(subject, ports) : null;
    const store = await ports.store();
    return ref === null ? whyDelivery(subject, store, ports) : whyWorkItem(formatRef(ref), store, ports);
  }
}

register("why", WhyCommand);

const doorWords: Readonly<Record<string, string>> = {
  ping: "it is the host's ping, which only asks whether somebody listens",
  "event-not-listed": "its event is not among `webhooks.hostWebhook.events`. What to do next: add it to the list if it is wanted, and let the host send it again",
  "unknown-event": "no event of that name is known here. What to do next: take the event off the webhook, as nothing will ever follow from it",
} satisfies Record<IgnoredAtDoor, string>;

async function whyDelivery(id: string, store: Store, ports: Ports): Promise<Result> {
  const row = await store.log.decision(id);
  if (row !== null) {
    const told = await withBody(row, store, ports);
    return { exit: 0, data: dataOf(told), view: decisionView(told, ports.clock.now()) };
  }
  const delivery = await store.log.find(id);
  if (delivery === null) throw new LoopError("LOOP_E_UNKNOWN_DELIVERY", `no delivery ${JSON.stringify(id.slice(0, 130))} is known here`, "`loop events --type delivery.decided` lists deliveries; the host's own list shows what it sent");
  const entry = (await store.log.list({ afterSeq: delivery.seq - 1, limit: 1 }))[0];
  const ignored = entry?.ignored ?? null;
  if (ignored !== null) return { exit: 0, data: { delivery, ignored }, view: [line(`Delivery ${id} was ignored on arrival: ${doorWords[ignored] ?? ignored}.`)] };
  const wait = (await waitsOf(store, ports)).find((each) => each.delivery.id === id);
  const view = wait === undefined ? [line(`Delivery ${id} is stored and waits to be decided; \`loop status\` shows whether a daemon runs.`)] : quietView(wait, ports.clock.now());
  return { exit: 0, data: { delivery, ignored, quietUntil: wait?.until ?? null }, view };
}

async function waitsOf(store: Store, ports: Ports): Promise<readonly QuietWait[]> {
  return quietWaits(store, await ports.policy(), (await ports.config()).config.routing.coalesce.quietSeconds, ports.clock.now());
}

/** Why a delivery is not decided although a daemon runs. */
function quietView({ delivery, workItem, until, behind }: QuietWait, now: number): readonly Block[] {
  const cause = behind === null ? `a turn of ${workItem} runs, and its agent may have written this comment itself` : `the comment of delivery ${behind} on ${workItem} waits before it`;
  return [line(`Delivery ${delivery.id} (${delivery.event}) is stored and waits: ${cause}. It is decided when the turn ends, at the latest ${ago(until, now)} (\`routing.coalesce.quietSeconds\`).`, "warn")];
}

async function whyWorkItem(ref: RefText, store: Store, ports: Ports): Promise<Result> {
  const entries = await store.log.list({ workItem: ref, limit: decisionsShown, newestFirst: true });
  const decided = (await Promise.all(entries.map(({ id }) => store.log.decision(id)))).filter((row) => row !== null).toReversed();
  const rows = await Promise.all(decided.map((row) => withBody(row, store, ports)));
  const item = await store.items.load(ref);
  const { routing } = (await ports.config()).config;
  const open = await store.lanes.turns({ workItem: ref, states: ["uncertain", "failed"], limit: 50 });
  const pending = await store.outbox.pending({ workItem: ref, limit: 50 });
  const held = waitingOf({ items: [item], open, pending }, routing.control, routing.interaction.mode, ports.clock.now()).flatMap((each) => heldView(each, ports.clock.now()));
  const quiet = (await waitsOf(store, ports)).filter(({ workItem }) => workItem === ref);
  const standing = item.workItem === null ? [line(`Nothing is known about ${ref} yet.`, "dim")] : [line(`${ref} "${item.workItem.title}" is ${item.workItem.control.status}${item.workItem.armed ? ", armed" : ", not armed"}${item.workItem.open ? "" : ", closed"}.`)];
  const view = [...standing, ...held, ...quiet.flatMap((wait) => quietView(wait, ports.clock.now())), ...rows.flatMap((row) => decisionView(row, ports.clock.now()))];
  return { exit: item.workItem === null && rows.length === 0 ? 1 : 0, data: { workItem: item.workItem, lanes: item.lanes, waiting: quiet.map(({ delivery, until }) => ({ delivery: delivery.id, quietUntil: until })), decisions: rows.map(dataOf) }, view };
}

/** Why what comes for a lane waits, and what to do about it. */
function heldView({ lane, words, until, detail, type }: Waiting, now: number): readonly Block[] {
  const goesOn = type === null ? ` It goes on by itself${until === null ? "" : ` ${until > now ? ago(until, now) : "now"}`}.` : "";
  return [line(`What comes for ${lane} waits: ${words}${detail === "" ? "" : ` (${detail})`}.${goesOn}`, "warn"), ...(type === null ? [] : [line(`What to do next: ${type}.`)])];
}

/** A decision, and whether the body that it was made from is still here; `forgotten` by retention (decisions.md 2), `missing` for another reason. */
type Told = DecisionRow & { readonly body: "kept" | "forgotten" | "missing"; readonly sentences: readonly string[] };

/** Bodies go and decisions stay: somebody who looks for the words of an old event must learn that they are gone. */
async function withBody(row: DecisionRow, store: Store, ports: Ports): Promise<Told> {
  const { bodiesDays } = (await ports.config()).config.retention;
  const old = row.delivery.receivedAt < ports.clock.now() - bodiesDays * dayMs;
  const body = (await store.log.body(row.delivery.seq)) !== null ? "kept" : old ? "forgotten" : "missing";
  return { ...row, body, sentences: [...explain(row, await ports.policy()), ...bodySentences(row, body, bodiesDays)] };
}

function bodySentences({ delivery }: DecisionRow, body: Told["body"], bodiesDays: number): readonly string[] {
  if (body === "kept") return [];
  if (body === "forgotten") return [`Its body is forgotten, as bodies are kept for ${bodiesDays} days (\`retention.bodiesDays\`); this is told from the facts that were kept with the decision.`];
  return [`Its body is no longer here: it was forgotten when \`retention.bodiesDays\` was shorter, or the disk damaged it, which \`loop events --delivery ${delivery.id}\` then shows.`];
}

function decisionView(row: Told, now: number): readonly Block[] {
  return [{ kind: "heading", text: `${row.delivery.event} ${row.delivery.id}, ${stamp(row.delivery.receivedAt)} (${ago(row.delivery.receivedAt, now)})` }, ...row.sentences.map((sentence) => line(sentence)), line(`reason: ${row.decision.reason}`, "dim")];
}

function dataOf(row: Told): unknown {
  return { delivery: row.delivery, workItem: row.workItem, verdict: row.decision.verdict, reason: row.decision.reason, effects: row.decision.effects.map(({ kind }) => kind), sentences: row.sentences, body: row.body, decidedAt: row.decidedAt };
}
