import type { Command as Commander } from "commander";
import { standingSentences, type Waiting, waitingOf } from "@loopwork/core";
import { escapeInline, formatRef, type RefText, type Turn } from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";
import { counted } from "../output/pluralize.ts";
import { ago, stamp } from "../output/time.ts";
import { Command } from "./command.ts";
import { type Block, line, type Result } from "../output/result.ts";
import type { Call } from "../io/call.ts";
import {
  quietSentence,
  type QuietWait,
  tell,
  type Told,
  waitsOf,
  whyDelivery,
  type WhyFacts,
} from "@loopwork/runtime/records";
import { refArgument } from "../steer/ref-argument.ts";

const decisionsShown = 5;

/**
 * `loop why <delivery|ref>`: the whole reasoning in sentences, out of the
 * decision's own facts.
 */
export default class WhyCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("<delivery or ref>", "Delivery ID, or work item such as host:owner/repo#7")
      .addHelpText("after", "\nExplains each decision by what was known when it was made.");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const subject = call.args[0] ?? "";
    // No delivery's id has these: a reference was meant, and a bad one is no unknown delivery.
    const ref = /[:#/]/.test(subject) ? await refArgument(subject, ports) : null;
    const { retention, routing } = (await ports.config()).config;
    const facts = {
      store: await ports.store(),
      policy: await ports.policy(),
      bodiesDays: retention.bodiesDays,
      quietSeconds: routing.coalesce.quietSeconds,
      now: ports.clock.now(),
    };
    return ref === null
      ? deliveryResult(subject, facts)
      : workItemResult(formatRef(ref), facts, ports);
  }
}

async function deliveryResult(id: string, facts: WhyFacts): Promise<Result> {
  const why = await whyDelivery(id, facts);
  switch (why?.kind) {
    case undefined:
      return {
        exit: 1,
        data: { delivery: null },
        view: [
          line(`No delivery ${JSON.stringify(id.slice(0, 130))} here`, "dim"),
          line(
            "→ Run `loop events --type delivery.decided` to list deliveries. The code host's webhook page lists what it sent.",
          ),
        ],
      };
    case "decided":
      return { exit: 0, data: dataOf(why.row), view: decisionView(why.row, facts.now) };
    case "ignored":
      return {
        exit: 0,
        data: { delivery: why.delivery, ignored: why.ignored },
        view: [line(why.sentence)],
      };
    case "waiting": {
      const view =
        why.quiet === null
          ? [
              line(
                `Delivery ${id} is queued. Run \`loop status\` to see whether the service is running.`,
              ),
            ]
          : quietView(why.quiet, facts.now);
      return {
        exit: 0,
        data: { delivery: why.delivery, ignored: null, quietUntil: why.quiet?.until ?? null },
        view,
      };
    }
  }
}

function quietView(wait: QuietWait, now: number): readonly Block[] {
  return [line(quietSentence(wait, ago(wait.until, now)), "warn")];
}

async function workItemResult(ref: RefText, facts: WhyFacts, ports: Ports): Promise<Result> {
  const { store, now } = facts;
  const entries = await store.log.list({ workItem: ref, limit: decisionsShown, newestFirst: true });
  const decided = (await Promise.all(entries.map(({ id }) => store.log.decision(id))))
    .filter((row) => row !== null)
    .toReversed();
  const rows = await Promise.all(decided.map((row) => tell(row, facts)));
  const item = await store.items.load(ref);
  const { routing } = (await ports.config()).config;
  const open = await store.lanes.turns({
    workItem: ref,
    states: ["ready", "injecting", "uncertain", "failed"],
    limit: 200,
  });
  const pending = await store.outbox.pending({ workItem: ref, limit: 50 });
  const held = waitingOf(
    { items: [item], open, pending },
    routing.control,
    routing.interaction.mode,
    now,
  ).flatMap((each) => heldView(each, now));
  const quiet = (await waitsOf(facts)).filter(({ workItem }) => workItem === ref);
  const title =
    item.workItem === null || item.workItem.title === ""
      ? ""
      : ` "${escapeInline(item.workItem.title, 200)}"`;
  const standing = [...standingSentences(item, facts.policy), ...turnSentences(open, now)];
  const view = [
    line(`${ref}${title}`),
    ...standing.map((sentence) => line(sentence)),
    ...held,
    ...quiet.flatMap((wait) => quietView(wait, now)),
    ...rows.flatMap((row) => decisionView(row, now)),
  ];
  return {
    exit: item.workItem === null && rows.length === 0 ? 1 : 0,
    data: {
      workItem: item.workItem,
      standing,
      lanes: item.lanes,
      waiting: quiet.map(({ delivery, until }) => ({ delivery: delivery.id, quietUntil: until })),
      decisions: rows.map(dataOf),
    },
    view,
  };
}

/** What is said to its sessions right now, and what waits for that. */
function turnSentences(open: readonly Turn[], now: number): readonly string[] {
  const running = open.filter(({ state }) => state === "injecting");
  const waiting = open.filter(({ state }) => state === "ready").length;
  return [
    ...running.map(
      ({ id, attempt, createdAt }) =>
        `Turn ${id} is running (started ${ago(attempt?.startedAt ?? createdAt, now)}).`,
    ),
    ...(waiting === 0 ? [] : [`${counted(waiting, "turn is", "turns are")} queued.`]),
  ];
}

/** Why what comes for a lane waits, and what to do about it. */
function heldView({ lane, words, until, detail, type }: Waiting, now: number): readonly Block[] {
  const then =
    type !== null
      ? "New messages are queued."
      : `It continues automatically${until === null ? "" : ` ${until > now ? ago(until, now) : "now"}`}.`;
  return [
    line(`${lane} is on hold: ${words}${detail === "" ? "" : ` (${detail})`}. ${then}`, "warn"),
    ...(type === null ? [] : [line(`→ ${type}`)]),
  ];
}

function decisionView(row: Told, now: number): readonly Block[] {
  return [
    {
      kind: "heading",
      text: `${row.delivery.event} ${row.delivery.id}, ${stamp(row.delivery.receivedAt)} (${ago(row.delivery.receivedAt, now)})`,
    },
    ...row.sentences.map((sentence) => line(sentence)),
    ...(row.event?.kind === "ci"
      ? [line(`Check: ${escapeInline(row.event.check.name, 100)}`, "dim")]
      : []),
    line(`Reason: ${row.decision.reason}`, "dim"),
  ];
}

function dataOf(row: Told): unknown {
  return {
    delivery: row.delivery,
    workItem: row.workItem,
    verdict: row.decision.verdict,
    reason: row.decision.reason,
    effects: row.decision.effects.map(({ kind }) => kind),
    sentences: row.sentences,
    body: row.body,
    decidedAt: row.decidedAt,
  };
}
