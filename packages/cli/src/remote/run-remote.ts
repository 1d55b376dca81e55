import { readFileSync } from "node:fs";
import { LoopError } from "@loopwork/core/ports";
import { Command as Commander, CommanderError } from "commander";
import type { Result } from "../output/result.ts";
import { capitalized } from "../output/capitalize.ts";
import { tellError, tellResult } from "../output/print-result.ts";
import { parseSince } from "../output/time.ts";
import { connectPorts } from "../start/connect.ts";
import type { Io } from "../io/io.ts";
import { connectRemote, type OperationInput, operations } from "../start/remote.ts";
import { refuseRemoteAgents } from "../steer/refuse-agents.ts";
import { answerView } from "./answer-view.ts";
import {
  describeField,
  type Field,
  type RemoteCommand,
  remoteCommands,
  valueOf,
} from "./remote-commands.ts";

/**
 * `loop … --remote URL`: the operations of the control plane as commands, asked by REST. Needs no
 * configuration here. Resolves to the exit code, as every command does.
 */
export async function runRemote(argv: readonly string[], io: Io): Promise<number> {
  const json = argv.includes("--json");
  let exit = 0;
  const program = new Commander("loop");
  program
    .description("Run commands on a service at another address.")
    .option(
      "--remote <url>",
      "URL of the service, with the token in $LOOP_REMOTE_TOKEN or $LOOP_REMOTE_TOKEN_FILE",
    )
    .option("--json", "Print JSON")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.out, outputError: () => {} });
  for (const remote of remoteCommands(operations)) {
    const command = commandOf(program, remote);
    command.action(async () => {
      const typed: Readonly<Record<string, unknown>> = command.optsWithGlobals();
      const address = typeof typed["remote"] === "string" ? typed["remote"] : "";
      exit = await tellResult(
        await ask(remote, inputOf(remote, command.args, typed), address, io),
        json,
        io,
      );
    });
  }
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) return tellError(error, json, io);
    if (error.exitCode === 0 || error.code === "commander.help") return 0; // Words that ask nothing yet show what can be asked.
    return tellError(
      new LoopError(
        "LOOP_E_USAGE",
        capitalized(error.message.replace(/^error: /, "")),
        "Run `loop --remote URL --help`",
      ),
      json,
      io,
    );
  }
  return exit;
}

function commandOf(
  program: Commander,
  { words, summary, args, options }: RemoteCommand,
): Commander {
  let parent = program;
  const parts = words.split(" ");
  for (const word of parts.slice(0, -1))
    parent =
      parent.commands.find((command) => command.name() === word) ??
      parent.command(word).exitOverride();
  const command = parent
    .command(parts.at(-1) ?? words)
    .description(summary)
    .exitOverride()
    .option("--remote <url>", "URL of the service")
    .option("--json", "Print JSON");
  for (const field of args) command.argument(`<${field.typed}>`, describeField(field));
  for (const field of options)
    command.option(
      `--${field.typed} <value>`,
      field.name === "config" ? "File with the configuration" : describeField(field),
    );
  return command;
}

function inputOf(
  { args, options, fixed }: RemoteCommand,
  words: readonly string[],
  typed: Readonly<Record<string, unknown>>,
): OperationInput {
  const given = [
    ...args.map((field, at) => [field, words[at]] as const),
    ...options.map((field) => [field, typed[camelCase(field.typed)]] as const),
  ];
  return {
    ...fixed,
    ...Object.fromEntries(
      given.flatMap(([field, text]) =>
        typeof text === "string" ? [[field.name, fieldValue(field, text)]] : [],
      ),
    ),
  };
}

function fieldValue({ name, schema }: Field, text: string): string | number | boolean {
  if (name === "config") return readFileSync(text, "utf8");
  return name === "since"
    ? (parseSince(text, Date.now()) ?? valueOf(text, schema))
    : valueOf(text, schema);
}

function camelCase(typed: string): string {
  return typed.replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

async function ask(
  { operation }: RemoteCommand,
  input: OperationInput,
  address: string,
  io: Io,
): Promise<Result> {
  const remote = connectRemote(address, io.env);
  if (operation.kind === "write") await refuseAgents(operation.name, io);
  const answer = await remote.ask(operation, input);
  return { exit: isNo(answer) ? 1 : 0, data: answer, view: answerView(answer) };
}

async function refuseAgents(name: string, io: Io): Promise<void> {
  const ports = connectPorts(io, null);
  try {
    await refuseRemoteAgents(ports, {
      text: `run ${name}`,
      grants: name.endsWith("-collaborator"),
    });
  } finally {
    await ports.close();
  }
}

/** Refused for lifecycle reasons, or nothing to decide: an answer, and not what was asked for. */
function isNo(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  return (
    ("state" in answer && answer.state === "refused" && "delivery" in answer) ||
    ("resolved" in answer && answer.resolved === false) ||
    ("closed" in answer && answer.closed === false)
  );
}
