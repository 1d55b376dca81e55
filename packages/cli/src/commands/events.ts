import type { Command as Commander } from "commander";
import {
  eventKinds,
  type EventQuery,
  formatRef,
  LoopError,
  type Store,
  type StoredEvent,
} from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";
import { parseSince, stamp } from "../output/time.ts";
import { Command } from "./command.ts";
import { type Block, line, type Result } from "../output/result.ts";
import { type Call, flag, limitOption, textOption } from "../io/call.ts";
import { refArgument } from "../steer/ref-argument.ts";

const followEveryMs = 300;
const shown = 50;

/**
 * `loop events`: the event log, newest last; `--follow` goes on until it is
 * interrupted.
 */
export default class EventsCommand extends Command {
  override describe(command: Commander): void {
    command
      .option("--follow", "Keep printing new events")
      .option("--type <kind>", "Only events of this kind, such as delivery.decided")
      .option("--work-item <ref>", "Only events of this work item")
      .option("--delivery <id>", "Only events of this delivery")
      .option("--since <time>", "Only events since then: 30m, 2h, 7d, or a date")
      .option("--limit <number>", `Number of newest events to show (default: ${shown})`);
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const query = await queryOf(call, ports);
    const store = await ports.store();
    const newest = (await store.events.list({ ...query, newestFirst: true })).toReversed();
    const view =
      newest.length === 0
        ? [line(Object.keys(query).length > 1 ? "No matching events" : "No events yet", "dim")]
        : newest.map(eventBlock);
    if (!flag(call, "follow")) return { exit: 0, data: newest, view };
    return { exit: 0, data: newest, view: [], follow: follow(newest, query, store) };
  }
}

async function* follow(
  first: readonly StoredEvent[],
  query: EventQuery,
  store: Store,
): AsyncGenerator<{ readonly data: unknown; readonly view: readonly Block[] }> {
  let afterId = 0;
  let batch = first;
  for (;;) {
    for (const event of batch) {
      afterId = event.id;
      yield { data: event, view: [eventBlock(event)] };
    }
    if (batch.length === 0) await new Promise((resolve) => setTimeout(resolve, followEveryMs));
    batch = await store.events.list({ ...query, afterId, limit: 500 });
  }
}

async function queryOf(call: Call, ports: Ports): Promise<EventQuery> {
  const ref = textOption(call, "workItem");
  const kind = textOption(call, "type");
  const delivery = textOption(call, "delivery");
  const since = textOption(call, "since");
  const workItem = ref === undefined ? undefined : await refArgument(ref, ports);
  const time = since === undefined ? undefined : parseSince(since, ports.clock.now());
  if (kind !== undefined && !eventKinds.some((known) => known === kind))
    throw new LoopError(
      "LOOP_E_USAGE",
      `Unknown event kind ${JSON.stringify(kind)}`,
      `The kinds are ${eventKinds.join(", ")}`,
    );
  if (time === null)
    throw new LoopError(
      "LOOP_E_USAGE",
      `Invalid --since ${JSON.stringify(since)}: expected a duration or a date`,
      "Use 30m, 2h, 7d, or a date such as 2026-11-21",
    );
  return {
    limit: limitOption(call, shown),
    ...(kind === undefined ? {} : { kind }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(workItem === undefined ? {} : { workItem: formatRef(workItem) }),
    ...(time === undefined ? {} : { since: time }),
  };
}

/** Fractions to four places: nobody reads the rest. */
function shownValue(value: unknown): string {
  return typeof value === "number" && !Number.isInteger(value)
    ? String(Number(value.toFixed(4)))
    : String(value);
}

function eventBlock(event: StoredEvent): Block {
  const fields = Object.entries(event.fields)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}=${shownValue(value)}`);
  const parts = [
    stamp(event.time),
    event.kind.padEnd(18),
    event.workItem ?? "",
    event.reason ?? "",
    event.delivery === null ? "" : `delivery=${event.delivery}`,
    ...fields,
  ];
  return line(
    parts.filter((part) => part !== "").join("  "),
    event.level === "error"
      ? "bad"
      : event.level === "warn"
        ? "warn"
        : event.level === "debug"
          ? "dim"
          : undefined,
  );
}
