import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command as Commander } from "commander";
import { LoopError } from "@loopwork/core/ports";
import { type DaemonLog, type LogEntry, readLogs } from "../detach/read-log.ts";
import type { Ports } from "../ports/command-ports.ts";
import { Command } from "./command.ts";
import { type Block, line, type Result } from "../output/result.ts";
import { type Call, flag, limitOption } from "../io/call.ts";

const daemons = ["service", "host-webhook", "poller", "restart"] as const;
const shown = 100;

/** `loop logs [daemon] [--follow]`: what the daemons of this configuration say, newest last. */
export default class LogsCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument(
        "[daemon]",
        `Daemon: ${daemons.slice(0, -1).join(", ")} or ${daemons.at(-1)} (default: all)`,
      )
      .option("--follow", "Keep printing new lines")
      .option("--limit <number>", `Number of newest lines to show (default: ${shown})`)
      .addHelpText("after", "\nFor what happened to deliveries and turns, see `loop events`.");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const asked = call.args[0];
    if (asked !== undefined && !daemons.some((daemon) => daemon === asked))
      throw new LoopError(
        "LOOP_E_USAGE",
        `Unknown log ${JSON.stringify(asked)}`,
        `The logs are ${daemons.join(", ")}`,
      );
    const dir = join((await ports.config()).paths.stateRoot, "logs");
    const logs = daemons
      .filter((daemon) => asked === undefined || daemon === asked)
      .map((daemon): DaemonLog => ({ daemon, file: join(dir, `${daemon}.log`) }));
    if (!flag(call, "follow") && !logs.some(({ file }) => existsSync(file)))
      throw new LoopError(
        "LOOP_E_NO_LOG",
        `No logs in ${dir} yet`,
        "Run `loop start`. A daemon in the foreground writes to its terminal instead.",
      );
    const named = asked === undefined && logs.filter(({ file }) => existsSync(file)).length > 1;
    const { newest, follow } = readLogs(logs, limitOption(call, shown));
    if (!flag(call, "follow"))
      return { exit: 0, data: newest, view: newest.map((entry) => entryBlock(entry, named)) };
    return {
      exit: 0,
      data: newest,
      view: [],
      follow: shownOneByOne(newest, follow(), asked === undefined),
    };
  }
}

async function* shownOneByOne(
  newest: readonly LogEntry[],
  coming: AsyncIterable<LogEntry>,
  named: boolean,
): AsyncGenerator<{ readonly data: unknown; readonly view: readonly Block[] }> {
  for (const entry of newest) yield { data: entry, view: [entryBlock(entry, named)] };
  for await (const entry of coming) yield { data: entry, view: [entryBlock(entry, named)] };
}

function entryBlock({ daemon, time, level, text }: LogEntry, named: boolean): Block {
  const head = [
    time === null ? "" : time.slice(0, 19).replace("T", " "),
    named ? daemon.padEnd(12) : "",
  ]
    .filter((part) => part !== "")
    .join("  ");
  return line(
    head === "" ? text : `${head}  ${text}`,
    level === "error" ? "bad" : level === "warn" ? "warn" : level === "debug" ? "dim" : undefined,
  );
}
