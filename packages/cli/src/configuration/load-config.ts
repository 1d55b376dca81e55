import { dirname, join } from "node:path";
import {
  checkRules,
  type Config,
  type ConfigAtStart,
  type ConfigProblem,
  type EnvironmentFacts,
  formatProblem,
  inForce,
  parseConfig,
  type Paths,
  policyOf,
  type Position,
  resolvePaths,
  settingsOf,
} from "@loopwork/core/config";
import {
  copiesOfSecrets,
  type HarnessId,
  LoopError,
  readSecret,
  type SecretReading,
} from "@loopwork/core/ports";
import { agentEnvironment, gitEnvironment } from "@loopwork/runtime/child-environment";
import { collectorHeaders } from "./collector-headers.ts";
import { refuseConfigInCheckout } from "./config-in-checkout.ts";
import type { RuntimeSettings } from "@loopwork/runtime";
import { readEnvFile } from "./env-file.ts";
import { compileCacheFolder } from "../files/compile-cache.ts";
import type { ConfigIo } from "./find-config.ts";
import { openConfig, type TrustedConfig } from "./open-config.ts";
import { ownPaths } from "./own-paths.ts";
import type { Io } from "../io/io.ts";
import { refuseEnvFileInWorkTree } from "../state/state-in-work-tree.ts";
import { originOf } from "../state/state-place.ts";

/** A configuration that holds, with everything that follows from it. */
export type LoadedConfig = {
  /** Absolute path; null when none was found and every default is in force. */
  readonly file: string | null;
  readonly text: string;
  /** The file as it may be used; null as above. */
  readonly source: TrustedConfig | null;
  readonly config: Config;
  readonly set: ReadonlyMap<string, Position>;
  readonly paths: Paths;
  readonly warnings: readonly ConfigProblem[];
  /** The environment with `env.file` loaded under it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Variables whose values are ours alone; while a restart is due, those of the running service and
   * those that the file names.
   */
  readonly secretNames: readonly string[];
};

/**
 * What is read once, when a service starts. Nothing that takes a changed key up at its next use may
 * be made of it.
 */
export type StartedConfig = Omit<LoadedConfig, "config" | "set"> & {
  readonly config: ConfigAtStart;
};

/** The configuration could not be used: every problem at once. */
export class ConfigRejected extends LoopError {
  readonly problems: readonly ConfigProblem[];
  readonly details: readonly string[];

  constructor(file: string, problems: readonly ConfigProblem[]) {
    super("LOOP_E_CONFIG", `${file} cannot be used`, "fix these and run `loop config validate`");
    this.problems = problems;
    this.details = problems.map((problem) => formatProblem(problem, file));
  }
}

export function loadConfig(asked: string | null, io: ConfigIo): LoadedConfig {
  return readConfig(openConfig(asked, io).config, io);
}

/** Daemons that are about to run. Rules about what can be reached, and by whom, ask for them. */
export type Daemons = EnvironmentFacts["daemons"];
export const noDaemons: Daemons = { service: false, receiver: false, poller: false };

/** What `loop start` brings up. */
export function enabledDaemons(config: Config): Daemons {
  return {
    service: config.service.enabled,
    receiver: config.webhooks.hostWebhook.enabled,
    poller: config.polling.enabled,
  };
}

/** What the file says, null for the defaults; rejects with every problem that it has. */
export function readConfig(
  source: TrustedConfig | null,
  io: Pick<Io, "env" | "home">,
  daemons: Daemons = noDaemons,
): LoadedConfig {
  const [file, text] = [source?.file ?? null, source?.text ?? ""];
  const parsed = parseConfig(text, { file: file ?? "the defaults" });
  if (!parsed.ok) throw new ConfigRejected(file ?? "the defaults", parsed.errors);
  const paths = resolvePaths(parsed.config, originOf(file, io.home));
  const names = secretNames(parsed.config);
  const env = { ...envOfFile(paths.envFile, source?.isBound === true, names, io.env), ...io.env };
  return checkedFor(
    {
      file,
      text,
      source,
      config: parsed.config,
      set: parsed.set,
      paths,
      warnings: parsed.warnings,
      env,
      secretNames: names,
    },
    daemons,
    io,
  );
}

/**
 * A changed configuration as far as it is in force in a service that started with another one.
 * Rejects where the two do not go together.
 */
export function takenUp(
  changed: LoadedConfig,
  start: LoadedConfig,
  daemons: Daemons,
  io: Pick<Io, "home">,
): LoadedConfig {
  const config = inForce(changed.config, start.config);
  const paths = resolvePaths(config, {
    ...originOf(changed.file, io.home),
    defaultStateRoot: start.paths.stateRoot,
  });
  const names = [...new Set([...start.secretNames, ...changed.secretNames])];
  return checkedFor({ ...changed, config, paths, env: start.env, secretNames: names }, daemons, io);
}

/**
 * The configuration with what rules over several keys find when these daemons run; rejects with
 * every error of theirs.
 */
export function checkedFor(
  loaded: LoadedConfig,
  daemons: Daemons,
  io: Pick<Io, "home">,
): LoadedConfig {
  const { file, config, set, env, paths } = loaded;
  if (Object.values(daemons).some(Boolean)) refuseConfigInCheckout(loaded);
  const variables = new Set(Object.keys(env).filter((name) => (env[name] ?? "") !== ""));
  const { errors, warnings } = checkRules(config, {
    variables,
    secrets: secretReadings(config, env),
    copies: copiesOfSecrets(env, loaded.secretNames),
    daemons,
    home: io.home,
    configDir: file === null ? null : dirname(file),
    defaultStateRoot: paths.stateRoot,
    now: Date.now(),
    set,
  });
  if (errors.length > 0) throw new ConfigRejected(file ?? "the defaults", errors);
  const known = new Set(loaded.warnings.map(({ path, message }) => `${path} ${message}`));
  return {
    ...loaded,
    warnings: [
      ...loaded.warnings,
      ...warnings.filter(({ path, message }) => !known.has(`${path} ${message}`)),
    ],
  };
}

/** What the runtime needs of it. */
export function runtimeSettings(loaded: LoadedConfig): RuntimeSettings {
  const { config, paths, env, file } = loaded;
  return {
    config,
    policy: policyOf(config),
    dispatch: settingsOf(config),
    configFile: file,
    turnsDir: join(paths.stateRoot, "turns"),
    scratchDir: join(paths.stateRoot, "scratch"),
    binDir: join(paths.stateRoot, "bin"),
    workspaceRoot: paths.workspaceRoot,
    graphFile: paths.graphFile,
    artifactsDir: paths.artifactsDir,
    sandbox: {
      ...ownPaths(paths, file, compileCacheFolder()),
      read: [...paths.sandboxRead, join(paths.stateRoot, "bin")],
      write: paths.sandboxWrite,
    },
    env,
    secretNames: loaded.secretNames,
  };
}

/**
 * Variables whose values are ours alone: no child sees them (`passEnv[]` names what one shall), no
 * log shows them.
 */
export function secretNames(config: ConfigAtStart): readonly string[] {
  const { secretEnv, previousSecretEnv } = config.webhooks.hostWebhook;
  return [
    secretEnv,
    previousSecretEnv,
    config.integrations.codeHost.tokenEnv,
    config.store.urlEnv,
    ...collectorHeaders,
  ].filter((name) => name !== null);
}

/** The variables of secrets that the configuration names, as they are set. */
function secretReadings(
  config: Config,
  env: LoadedConfig["env"],
): ReadonlyMap<string, SecretReading> {
  return new Map(secretNames(config).map((name) => [name, readSecret(env[name])]));
}

/** What the adapter of a harness gets, for its turns and for what it asks by the way. */
export function agentEnvironmentOf(
  { config, env, secretNames }: Pick<LoadedConfig, "config" | "env" | "secretNames">,
  harness: HarnessId,
): Record<string, string> {
  return agentEnvironment({ env, secretNames }, config.harnesses[harness].passEnv);
}

/**
 * What git gets, here and in checkouts; a name in the `passEnv` of either harness may be of a
 * credential helper.
 */
export function gitEnvironmentOf({
  config,
  env,
  secretNames,
}: Pick<RuntimeSettings, "config" | "env" | "secretNames">): Record<string, string> {
  return gitEnvironment({ env, secretNames }, [
    ...config.harnesses.A.passEnv,
    ...config.harnesses.B.passEnv,
  ]);
}

/**
 * A variable that is set stays as it is; the file only adds. Nobody else may be able to write it,
 * and beside a configuration that is bound to its text no `git pull` either: it lies in no work tree.
 */
function envOfFile(
  file: string | null,
  isBound: boolean,
  names: readonly string[],
  outer: Io["env"],
): Record<string, string | undefined> {
  if (file === null) return {};
  const { values } = readEnvFile(file, { names, isSet: (name) => outer[name] !== undefined });
  if (isBound) refuseEnvFileInWorkTree(file);
  return Object.fromEntries(values);
}
