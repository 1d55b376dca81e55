import { effectiveKeys } from "@loopwork/core/config";
import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";
import { type Block, type Call, Command, flag, register, type Result } from "./command.ts";

/** `loop config show`: what the file sets, or with `--effective` every key with its value in force. */
class ConfigShowCommand extends Command {
  override describe(command: Commander): void {
    command.option("--effective", "every key with its value in force, defaults included");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const loaded = await ports.config();
    const every = flag(call, "effective");
    const keys = effectiveKeys(loaded.config, loaded.set).filter(({ place }) => every || place !== null);
    const view: readonly Block[] = [
      { kind: "fields", rows: [["file", loaded.file ?? "none found"], ["state root", loaded.paths.stateRoot], ["store", loaded.config.store.urlEnv === null ? loaded.paths.storeUrl : `PostgreSQL, by the variable ${loaded.config.store.urlEnv}`]] },
      { kind: "heading", text: every ? "Every key" : "Set in the file" },
      { kind: "table", columns: ["key", "from", "value"], rows: keys.map(({ path, value, place }) => [path, place === null ? "default" : `line ${place.line}`, JSON.stringify(value)]), empty: "nothing: every default is in force" },
    ];
    return { exit: 0, data: { file: loaded.file, paths: loaded.paths, keys, ...(every ? { config: loaded.config } : {}) }, view };
  }
}

register("config show", ConfigShowCommand);
