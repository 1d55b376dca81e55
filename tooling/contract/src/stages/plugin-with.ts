import type { Scene } from "../scene.ts";

/** A plugin of the row's own with one shell hook. */
export function pluginWith(scene: Scene, event: string, command: string, timeout = 5): string {
  const name = `row-${event.toLowerCase()}`;
  scene.write(
    `${name}/.claude-plugin/plugin.json`,
    JSON.stringify({
      name,
      version: "0.0.1",
      description: "A hook of a row",
      author: { name: "contract" },
    }),
  );
  const hooks = scene.write(
    `${name}/hooks/hooks.json`,
    JSON.stringify({
      description: "A hook of a row",
      hooks: { [event]: [{ hooks: [{ type: "command", command, timeout }] }] },
    }),
  );
  return hooks.slice(0, -"/hooks/hooks.json".length);
}
