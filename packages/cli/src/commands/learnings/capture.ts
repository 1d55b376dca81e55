import { formatRef, LoopError } from "@loopwork/core/ports";
import {
  candidateOf,
  categories,
  oneLine,
  type Said,
  severities,
  severityReasons,
  signalKinds,
  type Speaker,
  whyUnfit,
} from "@loopwork/core/learnings";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { hasAgentSigns } from "../../steer/refuse-agents.ts";
import { turnHere } from "../../steer/turn-here.ts";
import { refArgument } from "../../steer/ref-argument.ts";
import { Command } from "../command.ts";
import { type Call, textOption } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { askInsideTurn } from "../inside-turn.ts";

/**
 * `loop learnings capture`: one occurrence of something that sessions should know. An agent's goes
 * through the dispatcher.
 */
export default class LearningsCaptureCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("<text...>", "One line of at most 160 characters")
      .option(
        "--signal <kind>",
        `What it was learned from: ${signalKinds.join(", ")} (default: user-feedback)`,
      )
      .option("--category <name>", `Category: ${categories.join(", ")} (default: general)`)
      .option("--severity <level>", `Severity: ${severities.join(", ")} (default: medium)`)
      .option(
        "--reason <name>",
        `Why it is severe, so that one occurrence is enough: ${severityReasons.join(", ")}`,
      )
      .option("--ref <url>", "URL that shows it")
      .option("--work-item <ref>", "Work item it was learned on (default: $LOOP_WORK_ITEM)")
      .option(
        "--run <id>",
        "Run it was learned in: the same text counts once per run (default: a new run)",
      )
      .addHelpText(
        "after",
        "\nA candidate becomes a learning after three occurrences in different runs or\nwork items, or at once with --severity high and a --reason. What agents record\ncounts once per work item.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const said: Said = {
      text: oneLine(call.args.join(" ")),
      signal: textOption(call, "signal") ?? "user-feedback",
      category: textOption(call, "category") ?? "general",
      severity: textOption(call, "severity") ?? "medium",
      severityReason: textOption(call, "reason") ?? "",
      ref: textOption(call, "ref") ?? "",
    };
    const turn = await turnHere(ports);
    if (turn !== null) return askInsideTurn(turn, { kind: "learn", said }, ports);
    const fault = whyUnfit(said.text);
    if (fault !== null) throw refused(fault);
    const [at, uuid] = [ports.clock.now(), ports.ids.uuid()];
    const by = hasAgentSigns(ports.io.env)
      ? anAgent
      : ({ kind: "person", run: textOption(call, "run") ?? `by-hand-${uuid}` } as const);
    const candidate = candidateOf(said, {
      id: `${String(at).padStart(15, "0")}-${uuid}`,
      workItem: by.kind === "agent" ? byHand : await workItemOf(call, ports),
      harness: "",
      instance: "",
      at,
      by,
    });
    if (typeof candidate === "string")
      throw refused(
        by.kind === "agent"
          ? `${candidate} (recorded as an agent's, as an agent runs in this terminal)`
          : candidate,
      );
    const file = await (await ports.learnings()).capture(candidate);
    return done(
      { id: candidate.id, file },
      line(`✓ Recorded: ${candidate.text}`, "good"),
      line(
        "It becomes a learning after enough occurrences. Run `loop learnings pending` to see candidates.",
        "dim",
      ),
    );
  }
}

/** An agent in a person's own conversation: nobody knows what it read there. */
const anAgent: Speaker = { kind: "agent", heard: [], untouched: false };

/**
 * What a person notes by hand need not be about any work item; what an agent notes outside of a
 * turn is about none that anybody could check.
 */
const byHand = "by-hand";

async function workItemOf(call: Call, ports: Ports): Promise<string> {
  const typed = textOption(call, "workItem") ?? ports.io.env["LOOP_WORK_ITEM"];
  return typed === undefined || typed === "" ? byHand : formatRef(await refArgument(typed, ports));
}

function refused(why: string): LoopError {
  return new LoopError(
    "LOOP_E_LEARNING",
    why,
    "Run `loop learnings capture --help` for what a learning is",
  );
}
