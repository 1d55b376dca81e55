import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../ports/command-ports.ts";
import { Command } from "./command.ts";
import type { Call } from "../io/call.ts";
import type { Result } from "../output/result.ts";
import { commandTable } from "./table.ts";

/**
 * `loop completion <bash|zsh|fish>`: a script that completes commands; made from the table, so it
 * is never out of date.
 */
export default class CompletionCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("<shell>", "Shell: bash, zsh or fish")
      .addHelpText(
        "after",
        '\nbash:  eval "$(loop completion bash)"\nzsh:   eval "$(loop completion zsh)"\nfish:  loop completion fish | source',
      );
  }

  override run(call: Call, _ports: Ports): Promise<Result> {
    const script = scripts[call.args[0] ?? ""];
    if (script === undefined)
      throw new LoopError(
        "LOOP_E_USAGE",
        `Unsupported shell ${JSON.stringify(call.args[0] ?? "")}`,
        "Use bash, zsh or fish",
      );
    const text = script();
    return Promise.resolve({ exit: 0, data: { script: text }, view: [{ kind: "verbatim", text }] });
  }
}

const scripts: Readonly<Record<string, () => string>> = {
  bash: () => `${words("bash")}\ncomplete -F _loop loop\n`,
  zsh: () =>
    `autoload -U +X bashcompinit && bashcompinit\n${words("zsh")}\ncomplete -F _loop loop\n`,
  fish: () =>
    commandTable
      .filter(({ hidden }) => hidden !== true)
      .map(fishLine)
      .join("\n"),
};

/**
 * A function for bash, and for zsh through its bash emulation: completes the first word, and the
 * second of a group.
 */
function words(_shell: string): string {
  const first = [...new Set(visibleNames().map((name) => name.split(" ")[0]))].join(" ");
  const groups = [
    ...new Set(
      visibleNames()
        .filter((name) => name.includes(" "))
        .map((name) => name.split(" ")[0]),
    ),
  ];
  const cases = groups.map(
    (group) =>
      `    ${group}) COMPREPLY=( $(compgen -W "${visibleNames()
        .filter((name) => name.startsWith(`${group} `))
        .map((name) => name.slice((group ?? "").length + 1))
        .join(" ")}" -- "$cur") ); return ;;`,
  );
  return [
    "_loop() {",
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"',
    '  case "$prev" in',
    ...cases,
    "  esac",
    `  [ "$COMP_CWORD" -eq 1 ] && COMPREPLY=( $(compgen -W "${first}" -- "$cur") )`,
    "}",
  ].join("\n");
}

function fishLine({ name, summary }: (typeof commandTable)[number]): string {
  const [first = "", second] = name.split(" ");
  const text = summary.replaceAll("'", "\\'");
  return second === undefined
    ? `complete -c loop -n __fish_use_subcommand -f -a ${first} -d '${text}'`
    : `complete -c loop -n '__fish_seen_subcommand_from ${first}' -f -a ${second} -d '${text}'`;
}

function visibleNames(): readonly string[] {
  return commandTable.filter(({ hidden }) => hidden !== true).map(({ name }) => name);
}
