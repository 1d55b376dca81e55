import type { Command as Commander } from "commander";
import { LoopError } from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";
import { refuseAgentsAtSetup } from "../steer/refuse-agents.ts";
import { prepareHost } from "../init/prepare-host.ts";
import { answersFrom } from "../init/questions.ts";
import { createTellAddress } from "../init/token-address.ts";
import { type KnownHost, writeSetup, type WrittenSetup } from "../init/write-setup.ts";
import { Command } from "./command.ts";
import { type Block, line, type Result } from "../output/result.ts";
import { type Call, flag, textOption } from "../io/call.ts";

/**
 * `loop init`: at most four questions, then a configuration, a 0600 file with a fresh secret, label
 * and webhook.
 */
export default class InitCommand extends Command {
  override describe(command: Commander): void {
    command
      .option(
        "--yes",
        "Don't ask: use this checkout's remote, the token's login, the poller and ~/.loop/workspaces",
      )
      .option("--repository <owner/name>", "Repository to work on")
      .option("--user <login>", "Who can give commands")
      .option(
        "--public-url <url>",
        "URL at which the code host reaches this machine, to use webhooks instead of polling",
      )
      .option("--webhook", "Use webhooks whose URL you add later, such as a tunnel's")
      .option("--workspace <folder>", "Directory for checkouts")
      .option("--force", "Overwrite the configuration (a backup is kept)")
      .addHelpText(
        "after",
        "\nWrites ~/.loop/cli-config.yaml, or the file that --config names, and next to it\nan env file with the webhook secret. With a token in LOOP_HOST_TOKEN, it also\ncreates the label, and the webhook if you give a public URL.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "configure");
    const known = await knownHost(ports);
    const tellAddress = createTellAddress(ports);
    const answers = await answersFrom(call, ports, known, tellAddress);
    const written = writeSetup(
      answers,
      known,
      textOption(call, "config") ?? null,
      flag(call, "force"),
      ports.io,
      ports.clock.now(),
    );
    if (!written.ok)
      throw new LoopError(
        "LOOP_E_INIT_EXISTS",
        `${written.file} already exists`,
        "Edit it and run `loop config validate`, or overwrite it with --force (a backup is kept)",
      );
    const { host, did, left } = await prepareHost(answers, written, ports, tellAddress);
    const steps = [
      ...left,
      "Run `loop doctor` to check your setup, then `loop start`.",
      `Label an issue and comment "loop start" on it as @${answers.user}.`,
    ];
    const view: readonly Block[] = [
      line(`✓ Configuration: ${written.file}`, "good"),
      ...(written.copy === null ? [] : [line(`✓ Backup: ${written.copy}`, "good")]),
      line(`✓ Code host: ${host}`, "good"),
      line(envFileLine(written), "good"),
      ...did.map((text) => line(`✓ ${text}`, "good")),
      { kind: "heading", text: "Next steps" },
      ...steps.map((text, at) => line(`${at + 1}. ${text}`)),
    ];
    return { exit: 0, data: { ...written, ...answers, did, left }, view };
  }
}

function envFileLine({ envFile, envFileChange }: Extract<WrittenSetup, { ok: true }>): string {
  if (envFileChange === "kept") return `✓ Secrets: ${envFile} (unchanged)`;
  return envFileChange === "added"
    ? `✓ Secrets: ${envFile} (webhook secret added)`
    : `✓ Secrets: ${envFile} (new webhook secret)`;
}

/** Nothing can be written there either. */
const namesNoFile: ReadonlySet<string> = new Set(["LOOP_E_USAGE", "LOOP_E_CONFIG_UNREADABLE"]);

/**
 * A configuration that is there, or that `--config` will name, may say how the host is reached; a
 * broken one says nothing.
 */
async function knownHost(ports: Ports): Promise<KnownHost> {
  try {
    const { config, set } = await ports.config();
    const { codeHost } = config.integrations;
    return Object.fromEntries(
      Object.entries(codeHost).filter(([key]) => set.has(`integrations.codeHost.${key}`)),
    );
  } catch (error) {
    if (error instanceof LoopError && !namesNoFile.has(error.code)) return {};
    throw error;
  }
}
