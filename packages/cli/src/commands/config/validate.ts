import { formatProblem, parseConfig } from "@loopwork/core/config";
import { checkedFor, ConfigRejected, enabledDaemons } from "../../configuration/load-config.ts";
import type { RefusedConfig } from "../../configuration/open-config.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { refuseStateInWorkTree } from "../../state/state-in-work-tree.ts";
import { Command } from "../command.ts";
import { type Block, line, type Result } from "../../output/result.ts";
import type { Call } from "../../io/call.ts";

/**
 * `loop config validate`: the list of everything that is wrong, or that all is well.
 */
export default class ConfigValidateCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const unused = (await ports.configPlaces()).refused.find(
      ({ unreviewed }) => unreviewed !== null,
    );
    if (unused !== undefined) return validated(unused);
    const config = await ports.config();
    const loaded = checkedFor(config, enabledDaemons(config.config), ports.io);
    const file = loaded.file ?? "default";
    refuseStateInWorkTree(loaded.paths);
    const warnings = loaded.warnings.map((warning): Block =>
      line(`! ${formatProblem(warning, file)}`, "warn"),
    );
    const view: readonly Block[] = [
      ...warnings,
      line(
        loaded.file === null
          ? "✓ No configuration file found; the defaults are valid. Run `loop init` to create one."
          : `✓ ${file} is valid`,
        "good",
      ),
    ];
    return {
      exit: 0,
      data: { file: loaded.file, valid: true, trusted: true, warnings: loaded.warnings },
      view,
    };
  }
}

/**
 * A file that isn't trusted as it stands is checked key by key; what its rules ask of this machine
 * is not looked up.
 */
function validated({ file, unreviewed }: RefusedConfig): Result {
  const parsed = parseConfig(unreviewed?.text ?? "", { file });
  if (!parsed.ok) throw new ConfigRejected(file, parsed.errors);
  const warnings = parsed.warnings.map((warning): Block =>
    line(`! ${formatProblem(warning, file)}`, "warn"),
  );
  return {
    exit: 0,
    data: { file, valid: true, trusted: false, warnings: parsed.warnings },
    view: [
      ...warnings,
      line(`${file} is valid, but not in use until you run \`loop config trust\``, "warn"),
    ],
  };
}
