import { LoopError, readSecret, shortestSecret } from "@loopwork/core/ports";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { runProgram } from "../processes/child-process.ts";
import { EnvFileRejected, readEnvFile } from "../configuration/env-file.ts";
import {
  checkedFor,
  ConfigRejected,
  enabledDaemons,
  type LoadedConfig,
} from "../configuration/load-config.ts";
import type { Ports } from "../ports/command-ports.ts";
import { shownStateRoot } from "../state/state-place.ts";
import { ensureStateRoot } from "../state/state-root.ts";
import { asEnabled } from "../views/services-view.ts";
import { counted } from "../output/pluralize.ts";
import { auditsOf, remedyOf, resultOf } from "../views/audits-view.ts";
import { type Finding, finding, good, missing, weak } from "./finding.ts";
import { hostFindings } from "./host.ts";

const answerWithinMs = 10_000;

export async function checkAll(ports: Ports): Promise<readonly Finding[]> {
  const config = await loadOrFinding(ports);
  if ("part" in config)
    return [nodeFinding(), await gitFinding(ports), config, ...(await unusedFindings(ports))];
  const state = stateFinding(config);
  const alone = [
    nodeFinding(),
    await gitFinding(ports),
    configFinding(config),
    ...(await unusedFindings(ports)),
    ...envFileFindings(config),
    state,
  ];
  const beside = [...(await tmuxFindings(config)), await workspaceFinding(config, ports)];
  if (state.state === "missing")
    return [
      ...alone,
      secretFinding(config),
      ...["store", "code host", "harness A"].map((part) =>
        weak(part, "not checked: the state root can't be used", null),
      ),
      ...beside,
    ];
  const store = await storeFinding(config, ports);
  return [
    ...alone,
    store,
    secretFinding(config),
    ...(store.state === "missing"
      ? [weak("code host", "not checked: the store can't be used", null)]
      : await hostFindings(config, ports)),
    await harnessFinding("A", config, ports),
    ...(await sandboxFindings(ports)),
    ...beside,
    ...(store.state === "missing" ? [] : await auditFindings(config, ports)),
    ...(await serviceFindings(ports)),
  ];
}

async function loadOrFinding(ports: Ports): Promise<LoadedConfig | Finding> {
  try {
    const loaded = await ports.config();
    return checkedFor(loaded, enabledDaemons(loaded.config), ports.io);
  } catch (error) {
    if (error instanceof ConfigRejected || error instanceof EnvFileRejected)
      return finding("missing", "configuration", error.message, error.hint, error.details);
    if (error instanceof LoopError) return missing("configuration", error.message, error.hint);
    throw error;
  }
}

function nodeFinding(): Finding {
  return good("node", process.versions.node);
}

async function gitFinding({ io }: Pick<Ports, "io">): Promise<Finding> {
  const { error, stdout } = await runProgram("git", ["--version"], {
    env: ChildEnvironment.tool(io.env),
    timeout: answerWithinMs,
  });
  return error === null
    ? good("git", stdout.trim().replace("git version ", ""))
    : missing("git", "not found", "Install git and make sure it is in PATH");
}

function configFinding(loaded: LoadedConfig): Finding {
  const warnings = loaded.warnings.map(({ path, message }) => `${path}: ${message}`);
  if (loaded.file === null) return weak("configuration", "none, using defaults", "Run `loop init`");
  if (warnings.length === 0) return good("configuration", loaded.file);
  return finding(
    "weak",
    "configuration",
    loaded.file,
    "Run `loop config validate` for details",
    warnings,
  );
}

/** Whoever reads the file can sign deliveries and use the token. */
function envFileFindings({ paths: { envFile } }: LoadedConfig): readonly Finding[] {
  if (envFile === null || !readEnvFile(envFile).shared) return [];
  return [
    weak("env file", `other users can read the secrets in ${envFile}`, `Run: chmod 600 ${envFile}`),
  ];
}

/** Files that a command in this folder would use if they were trusted. */
async function unusedFindings(ports: Ports): Promise<readonly Finding[]> {
  const { refused } = await ports.configPlaces().catch(() => ({ refused: [] }));
  return refused.map(({ file, why, hint }) =>
    weak("configuration", `${file} ${unusedWords[why]}`, hint),
  );
}

const unusedWords = {
  untrusted: "isn't trusted, so it isn't used",
  changed: "changed since you trusted it, so the trusted version is used",
  revoked: "isn't trusted anymore, so it isn't used",
  unclear: "isn't used: its trust record is damaged",
  unsafe: "isn't used: others could have written it",
} as const;

function stateFinding({ paths }: LoadedConfig): Finding {
  try {
    ensureStateRoot(paths);
    return good("state root", shownStateRoot(paths));
  } catch (error) {
    if (error instanceof LoopError) return missing("state root", error.message, error.hint);
    throw error;
  }
}

async function storeFinding({ config, paths }: LoadedConfig, ports: Ports): Promise<Finding> {
  const found =
    config.store.urlEnv === null ? paths.storeUrl : `PostgreSQL, from $${config.store.urlEnv}`;
  try {
    const { undecided } = await (await ports.store()).stats();
    return good("store", `${found}, ${counted(undecided, "delivery", "deliveries")} queued`);
  } catch (error) {
    if (error instanceof LoopError) return missing("store", error.message, error.hint);
    throw error;
  }
}

function secretFinding({ config, env }: LoadedConfig): Finding {
  const { enabled, secretEnv } = config.webhooks.hostWebhook;
  if (!enabled) return good("webhook secret", "not needed (webhooks are off)");
  const reading = readSecret(env[secretEnv]);
  if (reading.kind === "set" && reading.short)
    return weak(
      "webhook secret",
      `${secretEnv} is too short: it has fewer than ${shortestSecret} characters`,
      "Use the output of `openssl rand -hex 32`, here and in the host's webhook settings",
    );
  if (reading.kind === "set") return good("webhook secret", `${secretEnv} is set`);
  return weak(
    "webhook secret",
    `${secretEnv} isn't set, so deliveries aren't verified`,
    `Set ${secretEnv} in env.file, and the same secret in the host's webhook settings`,
  );
}

async function harnessFinding(
  id: "A" | "B",
  { config }: LoadedConfig,
  ports: Ports,
): Promise<Finding> {
  const part = `harness ${id}`;
  const probe = await (await ports.harness(id)).probe();
  if (!probe.found)
    return finding(
      config.routing.defaultHarness === id ? "missing" : "weak",
      part,
      `${probe.command} not found`,
      probe.hint ?? `Install it, or set harnesses.${id}.command`,
    );
  const login =
    probe.login === "yes" ? "logged in" : probe.login === "no" ? "not logged in" : "login unknown";
  const tested = probe.tested
    ? ""
    : " (untested version: loop asks you before it repeats an interrupted turn)";
  return finding(
    probe.login === "no" ? "missing" : probe.tested ? "good" : "weak",
    part,
    `${probe.command} ${probe.version ?? "?"}, ${login}${tested}`,
    probe.hint,
  );
}

/** Whether the agents of new work items run in a sandbox. */
async function sandboxFindings(ports: Ports): Promise<readonly Finding[]> {
  const decision = await (await ports.harness("A")).sandbox();
  switch (decision?.kind) {
    case undefined:
      return [];
    case "on":
      return [good("sandbox", "on: agents' commands run in Claude Code's sandbox")];
    case "off":
      return [
        finding(
          "weak",
          "sandbox",
          `off: ${decision.why}`,
          decision.hint ?? "Set harnesses.A.sandbox: auto",
          ["Agents can read and change everything this account can"],
        ),
      ];
    case "hold":
      return [missing("sandbox", `${decision.why}: turns are on hold`, decision.hint)];
  }
}

/** Asked only where turns run in terminals. */
async function tmuxFindings({ config, env }: LoadedConfig): Promise<readonly Finding[]> {
  if (config.routing.runner !== "tmux") return [];
  const { error, stdout } = await runProgram("tmux", ["-V"], {
    env: ChildEnvironment.tool(env),
    timeout: answerWithinMs,
  });
  return [
    error === null
      ? good("tmux", stdout.trim().replace("tmux ", ""))
      : missing("tmux", "not found", "Install tmux, or set routing.runner: headless"),
  ];
}

/** Without a root of checkouts every session works in one folder, which spawning may refuse. */
async function workspaceFinding({ paths, config }: LoadedConfig, ports: Ports): Promise<Finding> {
  if (paths.workspaceRoot !== null)
    return good("workspace", `${config.routing.workspace.strategy}s under ${paths.workspaceRoot}`);
  const refusal = await ports.refusalOfWorkdir();
  if (refusal !== null) return missing("workspace", refusal.message, refusal.hint);
  return weak(
    "workspace",
    `all sessions share ${paths.spawnWorkdir}`,
    "Set routing.workspace.root to give each work item its own checkout",
  );
}

/**
 * Whether deliveries that were sent in vain can be found, by the last look of a process that
 * receives webhooks.
 */
async function auditFindings({ config }: LoadedConfig, ports: Ports): Promise<readonly Finding[]> {
  if (!config.webhooks.hostWebhook.enabled) return [];
  const audits = auditsOf(await (await ports.store()).cursors.list("audit"));
  return audits.map((audit) => {
    const todo = remedyOf(audit, config.integrations.codeHost.tokenEnv);
    return finding(
      todo === null && audit.failure === null ? "good" : "weak",
      "lost deliveries",
      `${audit.repository}: ${resultOf(audit)}`,
      todo,
    );
  });
}

async function serviceFindings(ports: Ports): Promise<readonly Finding[]> {
  const reports = await (await ports.services()).status();
  return reports
    .filter(({ enabled }) => enabled)
    .map((report) =>
      finding(asEnabled(report) ? "good" : "weak", report.name, report.detail, null),
    );
}
