import { LoopError } from "@loopwork/core/ports";
import { idText, type Learning } from "@loopwork/core/learnings";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { Command } from "../command.ts";
import { type Block, done, type Result } from "../../output/result.ts";
import { type Call, flag } from "../../io/call.ts";

/** `loop learnings show [id]`: what stands; with an id one learning with where it comes from. */
export default class LearningsShowCommand extends Command {
  override describe(command: Commander): void {
    command.argument("[id]", "Learning ID").option("--all", "Include retired learnings");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const all = await (await ports.learnings()).all();
    const [wanted] = call.args;
    if (wanted !== undefined)
      return showOne(
        all.find(({ id }) => String(id) === String(Number(wanted))),
        wanted,
      );
    const shown = all.filter(
      ({ status }) => flag(call, "all") || status === "active" || status === "evicted",
    );
    return done(shown, {
      kind: "table",
      columns: ["id", "status", "seen", "category", "learning"],
      rows: shown.map(({ id, status, seen, category, text }) => [
        idText(id),
        status,
        String(seen),
        category,
        text,
      ]),
      empty: "No learnings yet",
    });
  }
}

function showOne(learning: Learning | undefined, wanted: string): Result {
  if (learning === undefined)
    throw new LoopError(
      "LOOP_E_USAGE",
      `Unknown learning ${JSON.stringify(wanted)}`,
      "Run `loop learnings show --all` to see them",
    );
  const { id, text, status, category, severity, seen, firstSeen, lastSeen, earlier, sources } =
    learning;
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const view: readonly Block[] = [
    { kind: "heading", text: `[${idText(id)}] ${text}` },
    {
      kind: "fields",
      rows: [
        ["status", status],
        ["category", category],
        ["severity", severity],
        ["seen", `${seen} times, ${day(firstSeen)} to ${day(lastSeen)}`],
        ...earlier.map((each): [string, string] => ["earlier", each]),
      ],
    },
    {
      kind: "table",
      columns: ["signal", "work item", "run", "seen"],
      rows: sources.map(({ signal, workItem, run, at }) => [signal, workItem, run, day(at)]),
      empty: "No sources on record",
    },
  ];
  return done(learning, ...view);
}
