import { existsSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { programIn } from "./machine.ts";
import { isWithin } from "./is-within.ts";

/** Files and folders of the harness, of Node and of `loop`, wherever they were installed. */
export async function programPlaces(
  own: readonly string[],
  command: string,
  search: string | undefined,
): Promise<readonly string[]> {
  const harness = await programIn(command, search).catch(() => null);
  const node = await programIn("node", search).catch(() => null);
  return [
    ...new Set([
      ...own,
      ...(harness === null ? [] : [packageAround(harness) ?? harness]),
      ...[node ?? process.execPath, process.execPath].flatMap(nodePlaces),
    ]),
  ];
}

/** A folder that is a package of npm holds nothing else. */
function packageAround(program: string): string | null {
  const folder = path.dirname(program);
  return existsSync(path.join(folder, "package.json")) ? folder : null;
}

/**
 * A prefix as a whole where it is Node's own. `~/.local` is one as well for whoever installed there,
 * and holds keyrings beside it.
 */
function nodePlaces(node: string): readonly string[] {
  const prefix = path.dirname(path.dirname(node));
  if (isNodesOwn(prefix)) return [prefix];
  const modules = path.join(prefix, "lib/node_modules");
  const tools = ["npm", "npx", "corepack"]
    .map((name) => path.join(path.dirname(node), name))
    .filter((tool) => existsSync(tool) && isWithin(realpathSync(tool), modules));
  return [node, ...tools, ...(existsSync(modules) ? [modules] : [])];
}

/** What an installation of Node consists of; null where anything may stand in a folder. */
const parts: ReadonlyMap<string, readonly string[] | null> = new Map([
  ["bin", null],
  ["include", ["node"]],
  ["lib", ["node_modules"]],
  ["share", ["doc", "man", "systemtap"]],
  ["CHANGELOG.md", null],
  ["LICENSE", null],
  ["README.md", null],
]);

function isNodesOwn(prefix: string): boolean {
  const names = namesIn(prefix);
  return (
    ["include/node", "lib/node_modules"].some((name) => existsSync(path.join(prefix, name))) &&
    names.every((name) => {
      const inside = parts.get(name);
      if (inside === undefined || inside === null) return inside === null;
      return namesIn(path.join(prefix, name)).every((each) => inside.includes(each));
    })
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
