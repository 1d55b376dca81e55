import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { objectOf } from "../workspace.ts";

const manifests = [".claude-plugin/plugin.json", ".cursor-plugin/plugin.json"];

/** Gives the plugin the version of the command line that carries it, and keeps the files' layout. */
export function writePluginVersions(root: string): void {
  const command: unknown = JSON.parse(
    readFileSync(join(root, "packages/cli/package.json"), "utf8"),
  );
  const version = String(objectOf(command)["version"]);
  for (const manifest of manifests) {
    const file = join(root, "plugins/loop", manifest);
    const text = readFileSync(file, "utf8");
    const written = text.replace(/("version":\s*)"[^"]*"/, `$1"${version}"`);
    if (objectOf(JSON.parse(written))["version"] !== version)
      throw new Error(`${file} has no version to set`);
    writeFileSync(file, written);
  }
}
