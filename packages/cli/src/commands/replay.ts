import { effectSentence, openSentence, sentenceOf, type Words } from "@loopwork/core";
import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import { parseSince, stamp } from "../output/time.ts";
import {
  type ChangedDecision,
  type ReplayReport,
  replayLog,
  type UnknownDecision,
} from "@loopwork/runtime/records";
import type { Ports } from "../ports/command-ports.ts";
import { requireSameHost } from "../configuration/same-host.ts";
import { Command } from "./command.ts";
import { type Block, line, type Result } from "../output/result.ts";
import { type Call, textOption } from "../io/call.ts";

/**
 * `loop replay --since T [--config FILE]`: decides recorded deliveries anew and shows exactly which
 * decisions would be others. The store is opened for reading, the host is not asked, nothing is
 * carried out.
 */
export default class ReplayCommand extends Command {
  override describe(command: Commander): void {
    command
      .requiredOption("--since <time>", "Replay decisions since then: 30m, 2h, 7d, or a date")
      .addHelpText(
        "after",
        "\nDecides recorded deliveries again with the configuration in --config, or with\nthe service's own if you leave it out. Nothing is carried out. Each decision\nuses the facts known at the time. What would have followed from a changed\ndecision isn't simulated.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const now = ports.clock.now();
    const since = parseSince(textOption(call, "since") ?? "", now);
    if (since === null)
      throw new LoopError(
        "LOOP_E_USAGE",
        `Invalid --since ${JSON.stringify(textOption(call, "since"))}: expected a duration or a date`,
        "Use 30m, 2h, 7d, or a date such as 2026-03-01T12:00:00Z",
      );
    const [asked, policy] = [await ports.config(), await ports.policy()];
    const { service, store } = await ports.records();
    requireSameHost(service.config.integrations.codeHost.host, policy);
    const report = await replayLog(store.log, since, policy);
    const files = { service: service.file, config: asked.file };
    return {
      exit: 0,
      data: { since: new Date(since).toISOString(), ...files, ...dataOf(report, policy) },
      view: viewOf(report, policy, { ...files, since }),
    };
  }
}

function dataOf({ changed, unknown, ...counts }: ReplayReport, words: Words): object {
  return {
    ...counts,
    changed: changed.map(({ before, after, gone, added, ...subject }) => ({
      ...subject,
      before: { verdict: before.verdict.kind, reason: before.reason },
      after: {
        verdict: after.verdict.kind,
        reason: after.reason,
        sentence: sentenceOf(after.reason, words),
      },
      effects: {
        gone: gone.map((effect) => ({ kind: effect.kind, sentence: effectSentence(effect) })),
        added: added.map((effect) => ({ kind: effect.kind, sentence: effectSentence(effect) })),
      },
    })),
    unknown: unknown.map(({ open, ...subject }) => ({
      ...subject,
      question: open?.question ?? "body",
      sentence: unknownSentence(open),
    })),
  };
}

function viewOf(
  report: ReplayReport,
  words: Words,
  {
    service,
    config,
    since,
  }: { readonly service: string | null; readonly config: string | null; readonly since: number },
): readonly Block[] {
  const { decided, same, changed, unknown, undecided } = report;
  const under = config === service ? "the current configuration" : (config ?? "the defaults");
  const waiting = undecided === 0 ? "" : ` ${undecided} not decided yet.`;
  return [
    ...changed.flatMap((each) => changedView(each, words)),
    ...(unknown.length === 0
      ? []
      : [{ kind: "heading", text: "Unknown" } as const, ...unknown.flatMap(unknownView)]),
    { kind: "heading", text: `Replayed with ${under}` },
    line(
      `${decided} decisions since ${stamp(since)}: ${same} unchanged, ${changed.length} changed, ${unknown.length} unknown. Nothing was carried out.${waiting}`,
    ),
    ...(changed.some(({ afterChange }) => afterChange)
      ? [line("* follows another change of the same work item, which isn't simulated", "dim")]
      : []),
  ];
}

function changedView(
  {
    delivery,
    event,
    receivedAt,
    workItem,
    afterChange,
    before,
    after,
    gone,
    added,
  }: ChangedDecision,
  words: Words,
): readonly Block[] {
  const change =
    before.reason === after.reason && before.verdict.kind === after.verdict.kind
      ? `${after.verdict.kind} as before (${after.reason}), with different side effects`
      : `${before.verdict.kind} (${before.reason}) → ${after.verdict.kind} (${after.reason})`;
  return [
    {
      kind: "heading",
      text: `${event} ${delivery}, ${stamp(receivedAt)}${workItem === null ? "" : `, ${workItem}`}${afterChange ? " *" : ""}`,
    },
    line(change, "warn"),
    line(sentenceOf(after.reason, words)),
    ...gone.map((effect) => line(`- ${effectSentence(effect)}`, "bad")),
    ...added.map((effect) => line(`+ ${effectSentence(effect)}`, "good")),
  ];
}

function unknownView({
  delivery,
  event,
  receivedAt,
  before,
  open,
}: UnknownDecision): readonly Block[] {
  return [line(`${event} ${delivery}, ${stamp(receivedAt)} (${before}): ${unknownSentence(open)}`)];
}

function unknownSentence(open: UnknownDecision["open"]): string {
  return open === null
    ? "It was ignored on arrival, so its body was never stored."
    : openSentence(open);
}
