import { existsSync } from "node:fs";
import path from "node:path";
import { LoopError } from "@loopwork/core/ports";

/** Name of our plugin in the harness's own list of what it loaded. */
export const pluginName = "loop";

/**
 * Throws `LOOP_E_PLUGIN_MISSING` unless our plugin lies there: the harness ignores a missing folder
 * without a word.
 */
export function verifyPlugin(pluginDir: string): void {
  if (!path.isAbsolute(pluginDir))
    throw new LoopError(
      "LOOP_E_PLUGIN_MISSING",
      `The plugin folder must be an absolute path, got ${pluginDir}.`,
      "This is a bug of the caller; please report it.",
    );
  for (const file of [".claude-plugin/plugin.json", "hooks/hooks.json"]) {
    if (existsSync(path.join(pluginDir, file))) continue;
    throw new LoopError(
      "LOOP_E_PLUGIN_MISSING",
      `The plugin for harness A is not at ${pluginDir}: ${file} is missing.`,
      "Install the package again; the plugin is part of it.",
    );
  }
}
