import { LoopError } from "@loopwork/core/ports";
import { Command as Commander, CommanderError } from "commander";
import type { Call } from "./io/call.ts";
import { commandTable, type CommandRow } from "./commands/table.ts";
import { formatHelp, helpTopic, sectionOf } from "./help-pages.ts";
import { capitalized } from "./output/capitalize.ts";
import { tellError } from "./output/print-result.ts";
import type { Io } from "./io/io.ts";

/**
 * Runs one command line and resolves to the exit code: 0 yes or done, 1 no or not done, 2 usage,
 * configuration, or it could not run. Only the module of the command that was typed is loaded.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  if (asksElsewhere(argv)) return (await import("./remote/run-remote.ts")).runRemote(argv, io);
  const topic = argv[0] === "help" ? helpTopic(argv.slice(1), io.width) : undefined;
  if (topic !== undefined) {
    io.out(topic);
    return 0;
  }
  const row = rowOf(argv);
  const typed = argv[0] === "help" ? asHelp(argv.slice(1), row) : argv;
  let exit = 0;
  const program = describeProgram(io);
  for (const each of commandTable) {
    const command = commandFor(program, each);
    if (each === row) await attach(command, each, io, (code) => (exit = code));
  }
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync([...typed], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) return tellError(error, argv.includes("--json"), io);
    if (error.exitCode === 0 || error.code === "commander.help")
      return error.exitCode === 0 ? 0 : 2;
    return tellError(usageError(error, row), argv.includes("--json"), io);
  }
  return exit;
}

/**
 * `--remote URL` before a bare `--`: what is asked of a service elsewhere needs neither store nor
 * configuration here.
 */
function asksElsewhere(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).some(
    (word) => word === "--remote" || word.startsWith("--remote="),
  );
}

/** The row whose words begin the command line; options may stand before and between. */
function rowOf(argv: readonly string[]): CommandRow | undefined {
  const words: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "--config") at++;
    else if (!word.startsWith("-")) words.push(word);
  }
  const typed = words[0] === "help" ? words.slice(1) : words;
  return commandTable
    .filter((row) => row.name.split(" ").every((word, at) => typed[at] === word))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

/**
 * `help` before words asks what `--help` behind them does; words that name nothing stand alone, so
 * that they are refused with what is near.
 */
function asHelp(rest: readonly string[], row: CommandRow | undefined): readonly string[] {
  const words = rest.filter((word) => !word.startsWith("-"));
  const isGroup = commandTable.some(({ name }) => name.startsWith(`${words.join(" ")} `));
  return words.length === 0 || row !== undefined || isGroup ? [...rest, "--help"] : rest;
}

function describeProgram(io: Io): Commander {
  const program = new Commander("loop");
  program
    .description("Run one coding-agent session per issue, from the first comment to the merge.")
    .option(
      "--config <file>",
      "Configuration file (default: the first of $LOOP_CONFIG, ./cli-config.yaml, ./.loop/cli-config.yaml, ~/.loop/cli-config.yaml)",
    )
    .option("--json", "Print JSON")
    .option(
      "--remote <url>",
      "Run the command on the service at this URL, with the token in $LOOP_REMOTE_TOKEN or $LOOP_REMOTE_TOKEN_FILE",
    )
    .version(io.version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .configureHelp({ formatHelp })
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err, outputError: () => {} })
    .addHelpText(
      "after",
      [
        "",
        "More commands:",
        "  loop help all      List every command",
        "  loop help agent    List the commands that agents and hooks call",
        "",
        "First time here?   loop init, then loop start and loop status",
        "Nothing happened?  loop why <delivery or work item>",
      ].join("\n"),
    );
  return program;
}

function commandFor(program: Commander, row: CommandRow): Commander {
  const words = row.name.split(" ");
  let parent = program;
  for (const word of words.slice(0, -1)) {
    parent =
      parent.commands.find((command) => command.name() === word) ??
      parent
        .command(word)
        .helpGroup(headingOf([word]))
        .description(groupSummary(word))
        .exitOverride();
  }
  const command = parent.command(words.at(-1) ?? row.name, { hidden: row.hidden ?? false });
  return command.helpGroup(headingOf(words)).description(row.summary).exitOverride();
}

/** The heading under which `loop --help`, or the help of a group, lists a command. */
function headingOf(words: readonly string[]): string {
  return words.length > 1 ? "Commands:" : `${sectionOf(words[0] ?? "") ?? "Commands"}:`;
}

function groupSummary(word: string): string {
  return commandTable.find((row) => row.name.startsWith(`${word} `))?.group ?? "";
}

async function attach(
  command: Commander,
  row: CommandRow,
  io: Io,
  exitWith: (code: number) => void,
): Promise<void> {
  command.option("--json", "Print JSON").option("--config <file>", "Configuration file");
  const subject = new (await row.load()).default();
  subject.describe(command);
  command.action(async () => {
    const options: Record<string, unknown> = command.optsWithGlobals();
    const call: Call = { args: command.args, options };
    exitWith(await (await import("./run-command.ts")).runCommand(row, call, io));
  });
}

/** What commander says about a command line, with a code and a hint like every other error. */
function usageError({ message }: CommanderError, row: CommandRow | undefined): LoopError {
  const [first = "", suggestion] = message.replace(/^error: /, "").split("\n");
  return new LoopError(
    "LOOP_E_USAGE",
    capitalized(first),
    suggestion === undefined
      ? `Run \`loop ${row === undefined ? "" : `${row.name} `}--help\``
      : suggestion.replace(/^\((.*)\)$/, "$1"),
  );
}
