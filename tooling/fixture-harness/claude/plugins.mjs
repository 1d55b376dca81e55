import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * `claude plugin …`, as far as our own plugin needs it: validate, marketplace add, install, list.
 * Answers with `{code, out, err}`.
 */
export function runPluginCommand([verb, ...args], configDir) {
  if (verb === "validate") return validate(args);
  if (verb === "marketplace" && args[0] === "add") return addMarketplace(args[1], configDir);
  if (verb === "install") return install(args[0], configDir);
  if (verb === "list" && args[0] === "--json")
    return { code: 0, out: JSON.stringify(installed(configDir), null, 2) };
  return { code: 1, err: `error: unknown command '${verb}'` };
}

/** Folders of the plugins that the user's settings enable. */
export function enabledPluginDirs(configDir) {
  return installed(configDir).flatMap(({ enabled, readFromFolder }) =>
    enabled ? [readFromFolder] : [],
  );
}

function validate(args) {
  const dir = args.at(-1);
  const faults = faultsOf(dir);
  if (!args.includes("--json"))
    return { code: faults.length === 0 ? 0 : 1, err: faults.join("\n") };
  return {
    code: faults.length === 0 ? 0 : 1,
    out: JSON.stringify({
      success: faults.length === 0,
      strict: args.includes("--strict"),
      manifest: { errors: faults, warnings: [] },
      ...(faults.length === 0 ? { provides: providesOf(dir) } : {}),
    }),
  };
}

/** The little of the real validation that our own plugin could get wrong. */
function faultsOf(dir) {
  try {
    const manifest = readJson(path.join(dir, ".claude-plugin/plugin.json"));
    if (existsSync(path.join(dir, "hooks/hooks.json")))
      readJson(path.join(dir, "hooks/hooks.json"));
    return ["name", "version", "description"]
      .filter((key) => typeof manifest[key] !== "string")
      .map((key) => `${key} is missing`);
  } catch (error) {
    return [error.message];
  }
}

function providesOf(dir) {
  const { name } = readJson(path.join(dir, ".claude-plugin/plugin.json"));
  const { hooks = {} } = existsSync(path.join(dir, "hooks/hooks.json"))
    ? readJson(path.join(dir, "hooks/hooks.json"))
    : {};
  const inFolder = (folder, keep) =>
    existsSync(path.join(dir, folder))
      ? readdirSync(path.join(dir, folder)).toSorted().flatMap(keep)
      : [];
  return {
    hooks: Object.entries(hooks).flatMap(([event, groups]) =>
      groups.flatMap(({ matcher, hooks: each }) =>
        each.map(({ type, command }) => ({
          event,
          ...(matcher ? { matcher } : {}),
          type,
          command,
        })),
      ),
    ),
    skills: inFolder("skills", (folder) =>
      existsSync(path.join(dir, "skills", folder, "SKILL.md")) ? [`${name}:${folder}`] : [],
    ),
    commands: inFolder("commands", (file) =>
      file.endsWith(".md") ? [`${name}:${file.slice(0, -3)}`] : [],
    ),
    agents: [],
  };
}

function addMarketplace(source, configDir) {
  const dir = path.resolve(source);
  const file = path.join(dir, ".claude-plugin/marketplace.json");
  if (!existsSync(file))
    return { code: 1, err: `✘ Failed to add marketplace: Marketplace file not found at ${file}` };
  const { name } = readJson(file);
  changeSettings(configDir, (settings) => ({
    ...settings,
    extraKnownMarketplaces: {
      ...settings.extraKnownMarketplaces,
      [name]: { source: { source: "directory", path: dir } },
    },
  }));
  return { code: 0, out: `✔ Successfully added marketplace: ${name} (declared in user settings)` };
}

function install(id = "", configDir) {
  const [plugin, marketplace] = id.split("@");
  if (entryOf(plugin, marketplace, configDir) === null)
    return {
      code: 1,
      err: `✘ Failed to install plugin "${id}": Plugin "${plugin}" not found in marketplace "${marketplace}".`,
    };
  changeSettings(configDir, (settings) => ({
    ...settings,
    enabledPlugins: { ...settings.enabledPlugins, [id]: true },
  }));
  return { code: 0, out: `✔ Successfully installed plugin: ${id} (scope: user)` };
}

function installed(configDir) {
  return Object.entries(settingsOf(configDir).enabledPlugins ?? {}).flatMap(([id, enabled]) => {
    const folder = entryOf(...id.split("@"), configDir);
    return folder === null
      ? []
      : [
          {
            id,
            version: readJson(path.join(folder, ".claude-plugin/plugin.json")).version,
            scope: "user",
            enabled,
            readFromFolder: folder,
          },
        ];
  });
}

/** Folder of a plugin in a marketplace of a directory; null where there is none. */
function entryOf(plugin, marketplace, configDir) {
  const root = settingsOf(configDir).extraKnownMarketplaces?.[marketplace]?.source.path;
  if (root === undefined) return null;
  const entry = readJson(path.join(root, ".claude-plugin/marketplace.json")).plugins.find(
    ({ name }) => name === plugin,
  );
  return entry === undefined ? null : path.resolve(root, entry.source);
}

function settingsOf(configDir) {
  const file = path.join(configDir, "settings.json");
  return existsSync(file) ? readJson(file) : {};
}

function changeSettings(configDir, change) {
  mkdirSync(configDir, { recursive: true });
  writeFileSync(
    path.join(configDir, "settings.json"),
    JSON.stringify(change(settingsOf(configDir)), null, 2),
  );
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
