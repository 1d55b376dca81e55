import { checkedFor, enabledDaemons } from "../start/load-config.ts";
import type { Ports } from "../start/ports.ts";
import { type Block, type Call, Command, line, register, type Result } from "./command.ts";
import { formatProblem } from "@loopwork/core/config";

/** `loop config validate`: the list of everything that is wrong, or that all is well (decisions.md 2). */
class ConfigValidateCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const config = await ports.config();
    const loaded = checkedFor(config, enabledDaemons(config.config), ports.io);
    const file = loaded.file ?? "the defaults";
    const warnings = loaded.warnings.map((warning): Block => line(`! ${formatProblem(warning, file)}`, "warn"));
    const view: readonly Block[] = [...warnings, line(`${file} is valid`, "good")];
    return { exit: 0, data: { file: loaded.file, valid: true, warnings: loaded.warnings }, view };
  }
}

register("config validate", ConfigValidateCommand);
