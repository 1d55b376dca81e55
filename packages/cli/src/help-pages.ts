import { type Command, Help } from "commander";
import { type CommandRow, commandTable } from "./commands/table.ts";

/** What `loop --help` shows: the commands of a first day, by what people do with them. */
const sections: readonly (readonly [heading: string, words: readonly string[]])[] = [
  ["Get started", ["init", "doctor", "config"]],
  ["Run", ["start", "stop", "restart", "status", "logs", "dashboard"]],
  ["Work", ["why", "events", "sessions", "turns"]],
];

/** What agents call inside of a turn, and what the plugin calls for them. */
const agentCommands: ReadonlySet<string> = new Set([
  "comment",
  "ask",
  "check",
  "sessions link-pr",
  "learnings capture",
  "learnings inject",
  "graph show",
  "graph status",
  "critic list",
  "critic run",
  "hook",
]);

const agents = "For agents and hooks";
const additional = "Additional commands";

/** The section of a command's first word; undefined for one that `loop --help` leaves out. */
export function sectionOf(word: string): string | undefined {
  return sections.find(([, words]) => words.includes(word))?.[0];
}

/** Help as commander writes it; that of `loop` itself has the commands of its sections only. */
export function formatHelp(command: Command, helper: Help): string {
  const inSections = Object.assign(Object.create(helper), {
    visibleCommands: (of: Command) =>
      helper.visibleCommands(of).filter((each) => sectionOf(each.name()) !== undefined),
  });
  return new Help().formatHelp(command, command.parent === null ? inSections : helper);
}

/** The text of `loop help all` or `loop help agent`; undefined for other words behind `help`. */
export function helpTopic(words: readonly string[], width: number): string | undefined {
  if (words.length !== 1) return undefined;
  if (words[0] === "agent") return page([agents], width);
  if (words[0] !== "all") return undefined;
  return page([...sections.map(([heading]) => heading), additional, agents], width);
}

function page(headings: readonly string[], width: number): string {
  const helper = new Help();
  helper.prepareContext({ helpWidth: width });
  const blocks = headings.map((heading) => {
    const rows = commandTable.filter((row) => placeOf(row) === heading);
    const lines = rows.map((row) => helper.formatItem(row.name, nameWidth, row.summary, helper));
    return `${heading}:\n${lines.join("\n")}\n`;
  });
  return `${blocks.join("\n")}\nRun \`loop <command> --help\` for details.\n`;
}

const nameWidth = Math.max(...commandTable.map(({ name }) => name.length));

function placeOf({ name, hidden }: CommandRow): string | undefined {
  if (agentCommands.has(name)) return agents;
  return hidden === true ? undefined : (sectionOf(name.split(" ")[0] ?? "") ?? additional);
}
