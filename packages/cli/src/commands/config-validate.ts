import { checkedFor, enabledDaemons } from "../start/load-config.ts";
import type { Ports } from "../start/ports.ts";
import { type Block, type Call, Command, line, register, type Result } from "./command.ts";
import { formatProblem } from "@loopwork/core/config";

/** `loop config validate`: the list of everything that is wrong, or that all is well (decisions.md 2). */
class ConfigValidateCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const config = await ports.config();
    const loaded = checkedFor(config, enabledDaemons(config.config), ports.io);
    const file = loaded.file ?? "default";
    const warnings = loaded.warnings.map((warning): Block => line(`! ${formatProblem(warning, file)}`, "warn"));
    const view: readonly Block[] = [...warnings, line(loaded.file === null ? "there is no configuration file, and the defaults can be used; `loop init` writes one" : `${file} can be used`, "good")];
    return { exit: 0, data: { file: loaded.file, valid: true, warnings: loaded.warnings }, view };
  }
}

register("config validate", ConfigValidateCommand);
