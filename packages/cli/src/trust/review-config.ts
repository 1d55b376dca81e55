import { existsSync, readdirSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { parseEnv } from "node:util";
import {
  changedPowerfulKeys,
  type Config,
  type ConfigPower,
  defaultConfig,
  parseConfig,
  type Paths,
  type PowerfulKey,
  resolvePaths,
} from "@loopwork/core/config";
import { longestEnvFile } from "../configuration/env-file.ts";
import { ConfigRejected } from "../configuration/load-config.ts";
import { apiAddressOf } from "../start/open.ts";
import { readSafeFile } from "../file-ownership/safe-file.ts";
import { stateAlreadyThere } from "../state/state-already-there.ts";
import { refuseEnvFileInWorkTree, refuseStateInWorkTree } from "../state/state-in-work-tree.ts";
import { originOf } from "../state/state-place.ts";

/** What a configuration could do, from its text alone: nothing of it is run, asked or written. */
export type Review = {
  readonly file: string;
  /** Keys that differ from the defaults, or from what was trusted before. */
  readonly keys: readonly PowerfulKey[];
  /** Where the host token goes, and the name of its variable. */
  readonly token: { readonly variable: string; readonly address: string };
  readonly paths: Pick<Paths, "stateRoot" | "envFile">;
  /** What somebody should know who is asked for trust. */
  readonly warnings: readonly string[];
};

/**
 * Reviews a text; `before` is what was trusted. Rejects where the configuration is faulty, or its
 * state lies where git can write.
 */
export async function reviewConfig(
  file: string,
  text: string,
  before: string | null,
  home: string,
): Promise<Review> {
  const config = parsed(file, text);
  const paths = resolvePaths(config, originOf(file, home));
  refuseStateInWorkTree(paths);
  if (paths.envFile !== null) refuseEnvFileInWorkTree(paths.envFile);
  const token = {
    variable: config.integrations.codeHost.tokenEnv,
    address: await apiAddressOf({ config }),
  };
  const first = before === null ? stateAlreadyThere(paths) : { inRoot: [], elsewhere: [] };
  const warnings = [
    ...unboundPrograms(config, paths.base).map(
      (program) =>
        `${program} isn't part of what you trust: whoever changes that file changes what runs`,
    ),
    ...unboundFiles(paths),
    ...first.elsewhere.map(
      (file) => `${file} is there already: unless loop wrote it, it came with the folder`,
    ),
    ...(first.inRoot.length === 0
      ? []
      : [
          `${paths.stateRoot} already holds ${first.inRoot.slice(0, 5).join(", ")}: unless loop wrote that, it came with the folder`,
        ]),
    ...(before === null ? plantedWork(paths) : []),
  ];
  return {
    file,
    keys: changedPowerfulKeys(before === null ? defaultConfig : parsedOr(file, before), config),
    token,
    paths: { stateRoot: paths.stateRoot, envFile: paths.envFile },
    warnings,
  };
}

/** A clone that came with the folder brings hooks, which the sessions' git would run. */
function plantedWork({ base, workspaceRoot }: Paths): readonly string[] {
  if (workspaceRoot === null || !isWithin(base, workspaceRoot)) return [];
  if (!existsSync(workspaceRoot)) return [];
  const names = statSync(workspaceRoot).isDirectory() ? readdirSync(workspaceRoot) : [];
  if (names.length === 0) return [];
  const shown = names.slice(0, 5).join(", ");
  const why = "unless loop wrote that, it came with the folder";
  return [`${workspaceRoot} already holds ${shown}: ${why}`];
}

/** Words for what can be done by a key. */
export const powerWords: Readonly<Record<ConfigPower, string>> = {
  program: "runs a program",
  secret: "sends a secret",
  access: "opens access",
  files: "chooses files",
  none: "",
};

function parsed(file: string, text: string): Config {
  const read = parseConfig(text, { file });
  if (!read.ok) throw new ConfigRejected(file, read.errors);
  return read.config;
}

/** What was trusted was valid for the version that it was trusted with. */
function parsedOr(file: string, text: string): Config {
  const read = parseConfig(text, { file });
  return read.ok ? read.config : defaultConfig;
}

/**
 * Programs, and files among their arguments, that the configuration names by a relative path, or by
 * one in its own folder.
 */
function unboundPrograms(
  { harnesses, critics, notify, routing, service }: Config,
  base: string,
): readonly string[] {
  const argvs = [
    ...[harnesses.A, harnesses.B].map(({ command, args, env }) => [
      command,
      ...args,
      ...Object.values(env),
    ]),
    service.upgradeCommand,
    ...[...critics, ...notify, ...routing.graph.hooks].map(({ command }) => command),
  ];
  const unbound = argvs.flatMap(([program = "", ...more]) => [
    ...(isPathOf(base, program) ? [program] : []),
    ...more.flatMap(wordsOf).filter((word) => isPathOf(base, word) || isFile(join(base, word))),
  ]);
  return [...new Set(unbound)];
}

function isPathOf(base: string, word: string): boolean {
  return isAbsolute(word) ? isWithin(base, word) : word.includes("/");
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** An argument may be an option with a value, or a script of a shell; an address is no file. */
function wordsOf(argument: string): readonly string[] {
  return argument.split(/[\s=;"'()]/).filter((word) => word !== "" && !word.includes("://"));
}

/**
 * Files of its own folder that the configuration has read. Of variables only the names are shown.
 */
function unboundFiles({ base, graphFile, envFile }: Paths): readonly string[] {
  const read =
    envFile !== null && isWithin(base, envFile) ? readSafeFile(envFile, longestEnvFile) : null;
  const names = read?.kind === "text" ? Object.keys(parseEnv(read.text)).toSorted() : [];
  return [
    ...(graphFile !== null && isWithin(base, graphFile)
      ? [
          `${graphFile} isn't part of what you trust: whoever changes that file changes the process graph`,
        ]
      : []),
    ...(names.length > 0
      ? [`${envFile} isn't part of what you trust: it sets ${names.join(", ")}`]
      : []),
  ];
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !way.startsWith("/");
}
