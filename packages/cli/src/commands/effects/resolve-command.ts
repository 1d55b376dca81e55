import { effectSentence, evolve, leftUndone } from "@loopwork/core";
import { LoopError, type PendingEffect } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { refuseAgents } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { commandLine } from "../log-line.ts";

/**
 * An effect is pending for as long as it was neither carried out nor left; more of them than this
 * would be a story of its own.
 */
const mostPending = 10_000;

/**
 * `loop effects retry`: what a decision caused and could not be carried out is tried at once. `loop
 * effects drop`: it is left undone, and what waits for it goes on as if it had been carried out.
 * The way out where the end of a session or the release of a checkout fails again and again.
 */
export abstract class EffectsResolveCommand extends Command {
  protected abstract readonly how: "retry" | "drop";

  override describe(command: Commander): void {
    command.argument("<effect>", "Number, from `loop status`");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const { how } = this;
    await refuseAgents(ports, `${how} side effects`);
    const id = effectNumber(call.args[0] ?? "");
    const { outbox } = await ports.store();
    const effect = (await outbox.pending({ limit: mostPending })).find((each) => each.id === id);
    if (effect === undefined)
      return {
        exit: 1,
        data: { effect: id, resolved: false },
        view: [line(`Nothing to ${how}: side effect ${id} isn't pending`, "warn")],
      };
    await (how === "retry" ? retry(effect, ports) : drop(effect, ports));
    await ports.wake();
    return done(
      { effect: id, resolved: true, how },
      line(
        how === "retry"
          ? `✓ Retrying side effect ${id}: ${effectSentence(effect.effect)}`
          : `✓ Dropped side effect ${id}. What was waiting for it continues.`,
        "good",
      ),
    );
  }
}

async function retry({ id, workItem, note }: PendingEffect, ports: Ports): Promise<void> {
  const lines = [await commandLine(ports, "effect.retried", workItem, { effect: id })];
  await (
    await ports.store()
  ).outbox.settle(
    id,
    {
      state: "pending",
      notBefore: ports.clock.now(),
      note: note ?? "retried by a person",
      tried: false,
    },
    null,
    lines,
  );
}

async function drop({ id, workItem, effect }: PendingEffect, ports: Ports): Promise<void> {
  const lines = [await commandLine(ports, "effect.dropped", workItem, { effect: id })];
  await (
    await ports.store()
  ).outbox.settle(
    id,
    { state: "failed", note: "dropped by a person" },
    (item) => evolve(item, leftUndone(effect, ports.clock.now())),
    lines,
  );
}

function effectNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new LoopError(
      "LOOP_E_USAGE",
      `Invalid side effect ${JSON.stringify(text.slice(0, 40))}: expected a number`,
      "Use the digits shown by `loop status`",
    );
  return Number(text);
}
