import type { Command as Commander } from "commander";
import { LoopError } from "@loopwork/core/ports";
import type { Ports } from "../../ports/command-ports.ts";
import {
  revokeTrust,
  type TrustCandidate,
  trustCandidate,
  trustConfig,
} from "../../configuration/trust-config.ts";
import { refuseCheckout } from "../../start/refuse-checkout.ts";
import { refuseAnyAgentAtSetup } from "../../steer/refuse-agents.ts";
import { reviewBlocks } from "../../trust/review-view.ts";
import { reviewConfig } from "../../trust/review-config.ts";
import { Command } from "../command.ts";
import { type Block, line, type Result } from "../../output/result.ts";
import { type Call, flag, textOption } from "../../io/call.ts";

/**
 * `loop config trust`: shows what a configuration found in the working directory can do, then
 * records that it may be used as it stands.
 */
export default class ConfigTrustCommand extends Command {
  override describe(command: Commander): void {
    command
      .option("--dry-run", "Show what it can do, or what changed, without trusting it")
      .option("--revoke", "Stop trusting the file")
      .addHelpText(
        "after",
        "\nA configuration in the current directory is used only after you trust it, and\nonly as it was when you did. Needs a terminal, and asks for confirmation. Files\nnamed by --config or LOOP_CONFIG and ~/.loop/cli-config.yaml need no trust.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const [dryRun, revoke] = [flag(call, "dryRun"), flag(call, "revoke")];
    if (!dryRun) await refuseAnyAgentAtSetup(ports, "change which configuration is trusted");
    const candidate = trustCandidate(textOption(call, "config") ?? null, ports.io);
    if (candidate === null)
      throw new LoopError(
        "LOOP_E_CONFIG_MISSING",
        "No configuration file in this directory",
        "Run it in the directory that has one, or name the file with --config",
      );
    if (revoke) return revoked(candidate, dryRun, ports);
    const records =
      !dryRun &&
      !candidate.isTrusted &&
      (!candidate.isOwnChoice || textOption(call, "config") !== undefined);
    if (records) await refuseWithoutPerson(candidate, ports);
    return trusted(candidate, records, ports);
  }
}

/**
 * Variables and parents tell only of an agent that lets them stand. So whoever trusts also needs a
 * terminal, which no harness gives to its agent's commands, and no session's own checkout can be
 * trusted: its agent writes what lies there.
 */
async function refuseWithoutPerson(candidate: TrustCandidate, ports: Ports): Promise<void> {
  await refuseCheckout(candidate);
  if (ports.io.interactive) return;
  throw new LoopError(
    "LOOP_E_NO_TERMINAL",
    "Trusting a configuration needs a terminal, and there is none here",
    "Run it in a terminal. A script can name your file with --config, which needs no trust.",
  );
}

function revoked(candidate: TrustCandidate, dryRun: boolean, ports: Ports): Result {
  const { file, before, isUnclear } = candidate;
  if (before === null && !isUnclear)
    return {
      exit: 1,
      data: { file, trusted: false, recorded: false },
      view: [line(`${file} wasn't trusted`, "warn")],
    };
  if (!dryRun) revokeTrust(candidate, ports.io.home);
  return {
    exit: 0,
    data: { file, trusted: dryRun, recorded: !dryRun },
    view: [
      line(
        dryRun
          ? `Would revoke trust in ${file}`
          : `✓ Revoked trust in ${file}. A running service keeps its configuration until \`loop stop\`.`,
        dryRun ? "dim" : "good",
      ),
    ],
  };
}

/**
 * Shows what it can do before anything is recorded, and records the text that is shown, whatever
 * happens to the file meanwhile.
 */
async function trusted(candidate: TrustCandidate, records: boolean, ports: Ports): Promise<Result> {
  const { file, text, before, isTrusted, isOwnChoice } = candidate;
  const isChange = before !== null && !isTrusted;
  const review = await reviewConfig(file, text, isChange ? before : null, ports.io.home);
  const { keys, token, paths, warnings } = review;
  const data = {
    file,
    trusted: isTrusted || records || isOwnChoice,
    recorded: records,
    changed: isChange,
    keys,
    token,
    paths,
    warnings,
  };
  async function* recorded(): AsyncGenerator<{
    readonly data: unknown;
    readonly view: readonly Block[];
  }> {
    if (records) await confirm(ports);
    if (records) trustConfig(candidate, ports.io.home);
    yield { data, view: [ending(candidate, records)] };
  }
  return { exit: 0, data, view: reviewBlocks(review, isChange), follow: recorded() };
}

/** Asked once it was shown. */
async function confirm({ io }: Ports): Promise<void> {
  const answer = await io.ask('Trust it as shown? Type "yes": ');
  if (answer.toLowerCase() === "yes") return;
  throw new LoopError(
    "LOOP_E_NO_ANSWER",
    "Nothing was trusted",
    'Run it again and type "yes" to trust the configuration',
  );
}

function ending({ file, isTrusted, isOwnChoice }: TrustCandidate, recorded: boolean): Block {
  if (isTrusted) return line(`✓ ${file} is already trusted`, "good");
  if (recorded)
    return line(`✓ Trusted ${file} as shown. To undo, run \`loop config trust --revoke\`.`, "good");
  if (isOwnChoice) return line(`${file} needs no trust: you chose it yourself`, "good");
  return line("Nothing was trusted. Run `loop config trust` to trust it as shown.", "dim");
}
