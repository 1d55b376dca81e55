import { managedItems } from "@loopwork/core";
import type { Ports } from "../ports/command-ports.ts";
import { Command } from "./command.ts";
import type { Block, Result } from "../output/result.ts";
import type { Call } from "../io/call.ts";

/**
 * `loop instances`: this instance, what it takes, and the work items that it manages, each with the
 * reason.
 */
export default class InstancesCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const policy = await ports.policy();
    const managed = managedItems(await (await ports.store()).items.list(), policy);
    const { name, scope, workItems } = policy.instance;
    const data = { name, scope: { mode: scope, workItems: [...workItems] }, managed };
    const view: readonly Block[] = [
      {
        kind: "fields",
        rows: [
          ["instance", name],
          ["scope", `${scope}: ${takes[scope]}`],
        ],
      },
      {
        kind: "table",
        columns: ["work item", "because"],
        rows: managed.map(({ ref, sources }) => [ref, sources.join(", ")]),
        empty: "No work items yet",
      },
    ];
    return { exit: 0, data, view };
  }
}

/** What happens to a work item that is new. */
const takes = {
  open: "takes every labelled work item that is started",
  addressed: "takes work items whose start names it",
  locked: "takes no new work items",
} as const;
