import { effectiveKeys, takesEffect } from "@loopwork/core/config";
import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";
import { type Block, type Call, Command, flag, line, register, type Result } from "./command.ts";

/** `loop config show`: what the file sets, or with `--effective` every key with its value in force. */
class ConfigShowCommand extends Command {
  override describe(command: Commander): void {
    command.option("--effective", "every key with its value in force, defaults included");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const loaded = await ports.config();
    const every = flag(call, "effective");
    const keys = effectiveKeys(loaded.config, loaded.set)
      .filter(({ place }) => every || place !== null)
      .map((key) => ({ ...key, takesEffect: takesEffect(key.path) }));
    const view: readonly Block[] = [
      { kind: "fields", rows: [["file", loaded.file ?? "none found"], ["state root", loaded.paths.stateRoot], ["store", loaded.config.store.urlEnv === null ? loaded.paths.storeUrl : `PostgreSQL, by the variable ${loaded.config.store.urlEnv}`]] },
      { kind: "heading", text: every ? "Every key" : "Set in the file" },
      { kind: "table", columns: ["key", "from", "change", "value"], rows: keys.map((key) => [key.path, key.place === null ? "default" : `line ${key.place.line}`, key.takesEffect === "restart" ? "restart" : "at once", JSON.stringify(key.value)]), empty: "nothing: every default is in force" },
      line("A running service applies a change at once, or after `loop restart`.", "dim"),
    ];
    return { exit: 0, data: { file: loaded.file, paths: loaded.paths, keys, ...(every ? { config: loaded.config } : {}) }, view };
  }
}

register("config show", ConfigShowCommand);
