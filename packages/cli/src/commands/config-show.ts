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
    const all = [...leaves(loaded.config, "")];
    const rows = all.filter(([path]) => flag(call, "effective") || loaded.set.has(path));
    const view: readonly Block[] = [
      { kind: "fields", rows: [["file", loaded.file ?? "none found"], ["state root", loaded.paths.stateRoot], ["store", loaded.paths.storeUrl]] },
      { kind: "heading", text: flag(call, "effective") ? "Every key" : "Set in the file" },
      { kind: "table", columns: ["key", "value", "from"], rows: rows.map(([path, value]) => [path, JSON.stringify(value), loaded.set.has(path) ? "file" : "default"]), empty: "nothing: every default is in force" },
    ];
    return { exit: 0, data: { file: loaded.file, paths: loaded.paths, config: flag(call, "effective") ? loaded.config : Object.fromEntries(rows) }, view };
  }
}

register("config show", ConfigShowCommand);

function* leaves(value: unknown, path: string): Generator<readonly [string, unknown]> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return yield [path, value];
  for (const [name, inner] of Object.entries(value)) yield* leaves(inner, path === "" ? name : `${path}.${name}`);
}
