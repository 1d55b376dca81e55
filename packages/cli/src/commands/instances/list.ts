import { type InstanceRow, instanceStatus } from "@loopwork/core/ports";
import type { Ports } from "../../ports/command-ports.ts";
import { ago } from "../../output/time.ts";
import { Command } from "../command.ts";
import { type Block, line, type Result } from "../../output/result.ts";
import type { Call } from "../../io/call.ts";

/**
 * `loop instances list`: every instance that shares the store, how it stands and what it has.
 */
export default class InstancesListCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const [{ instance }, store] = [await ports.policy(), await ports.store()];
    const rows = await store.instances.list();
    const instances = await Promise.all(
      rows.map(async (row) => ({
        ...row,
        standing: instanceStatus(row),
        workItems: (await store.instances.itemsOf(row.name)).length,
      })),
    );
    const now = ports.clock.now();
    const table = instances.map((each) => [
      each.name === instance.name ? `${each.name} (this one)` : each.name,
      standingWords(each, now),
      scopeWords(each),
      each.machine,
      String(each.workItems),
    ]);
    const view: readonly Block[] = [
      {
        kind: "table",
        columns: ["instance", "state", "takes", "machine", "work items"],
        rows: table,
        empty: "No instance has used this store yet",
      },
      ...instances
        .filter(({ standing, workItems }) => standing !== "running" && workItems > 0)
        .filter(({ name }) => name !== instance.name)
        .map(({ name }) =>
          line(
            `    → If ${name} won't come back, run \`loop instances adopt ${name}\` on the machine that takes over`,
          ),
        ),
    ];
    return { exit: 0, data: { here: instance.name, instances }, view };
  }
}

function standingWords(row: InstanceRow, now: number): string {
  const seen = ago(now - row.seenAgoMs, now);
  return {
    running: "running",
    away: `not responding, last seen ${seen}`,
    stopped: `stopped ${seen}`,
  }[instanceStatus(row)];
}

function scopeWords({ scope, drained }: InstanceRow): string {
  if (drained) return "nothing new (drained)";
  return { open: "any start", addressed: "starts that name it", locked: "nothing new" }[scope.mode];
}
