import { execFile } from "node:child_process";
import { accessSync, constants, mkdirSync } from "node:fs";
import { promisify } from "node:util";
import { LoopError } from "@loopwork/core/errors";
import { checkedFor, ConfigRejected, enabledDaemons, type LoadedConfig } from "../start/load-config.ts";
import type { Ports } from "../start/ports.ts";
import { auditsOf, remedyOf, resultOf } from "../commands/audits-view.ts";
import { type Finding, good, missing, weak } from "./finding.ts";
import { hostFindings } from "./host.ts";

const execute = promisify(execFile);
const answerWithinMs = 10_000;

export async function checkAll(ports: Ports): Promise<readonly Finding[]> {
  const config = await loadOrFinding(ports);
  if ("part" in config) return [nodeFinding(), await gitFinding(), config];
  const store = await storeFinding(config, ports);
  return [
    nodeFinding(),
    await gitFinding(),
    configFinding(config),
    stateFinding(config),
    store,
    secretFinding(config),
    ...(store.state === "missing" ? [{ part: "code host", state: "weak", found: "not asked, as what is known of its repositories stands in the store", todo: null } as const] : await hostFindings(config, ports)),
    await harnessFinding("A", config, ports),
    ...(await tmuxFindings(config)),
    await workspaceFinding(config),
    ...(store.state === "missing" ? [] : await auditFindings(config, ports)),
    ...(await serviceFindings(ports)),
  ];
}

async function loadOrFinding(ports: Ports): Promise<LoadedConfig | Finding> {
  try {
    const loaded = await ports.config();
    return checkedFor(loaded, enabledDaemons(loaded.config), ports.io);
  } catch (error) {
    if (error instanceof ConfigRejected) return { part: "configuration", state: "missing", found: error.details.join("; "), todo: error.hint };
    if (error instanceof LoopError) return { part: "configuration", state: "missing", found: error.message, todo: error.hint };
    throw error;
  }
}

function nodeFinding(): Finding {
  return { part: "node", state: "good", found: process.versions.node, todo: null };
}

async function gitFinding(): Promise<Finding> {
  try {
    const { stdout } = await execute("git", ["--version"], { timeout: answerWithinMs });
    return { part: "git", state: "good", found: stdout.trim().replace("git version ", ""), todo: null };
  } catch {
    return { part: "git", state: "missing", found: "not found", todo: "install git and make sure it is in PATH" };
  }
}

function configFinding(loaded: LoadedConfig): Finding {
  const warnings = loaded.warnings.map(({ path, message }) => `${path}: ${message}`);
  if (loaded.file === null) return { part: "configuration", state: "weak", found: "none: every default is in force", todo: "run `loop init`" };
  return { part: "configuration", state: warnings.length === 0 ? "good" : "weak", found: [loaded.file, ...warnings].join("; "), todo: warnings.length === 0 ? null : "`loop config validate` explains the warnings" };
}

function stateFinding({ paths }: LoadedConfig): Finding {
  try {
    mkdirSync(paths.stateRoot, { recursive: true, mode: 0o700 });
    accessSync(paths.stateRoot, constants.W_OK);
    return { part: "state root", state: "good", found: paths.stateRoot, todo: null };
  } catch {
    return { part: "state root", state: "missing", found: `${paths.stateRoot} cannot be written`, todo: "set state.root to a folder of your own" };
  }
}

async function storeFinding({ config, paths }: LoadedConfig, ports: Ports): Promise<Finding> {
  const found = config.store.urlEnv === null ? paths.storeUrl : `PostgreSQL, by the variable ${config.store.urlEnv}`;
  try {
    const { undecided } = await (await ports.store()).stats();
    return { part: "store", state: "good", found: `${found}; ${undecided === 1 ? "1 delivery waits" : `${undecided} deliveries wait`} to be decided`, todo: null };
  } catch (error) {
    if (error instanceof LoopError) return { part: "store", state: "missing", found: error.message, todo: error.hint };
    throw error;
  }
}

function secretFinding({ config, env }: LoadedConfig): Finding {
  const { enabled, secretEnv } = config.webhooks.hostWebhook;
  if (!enabled) return { part: "webhook secret", state: "good", found: "not needed: the receiver is not enabled", todo: null };
  if (env[secretEnv]) return { part: "webhook secret", state: "good", found: `${secretEnv} is set`, todo: null };
  return { part: "webhook secret", state: "weak", found: `${secretEnv} is not set: deliveries are not verified`, todo: `put ${secretEnv}=… into env.file, and the same secret into the host's webhook settings` };
}

async function harnessFinding(id: "A" | "B", { config }: LoadedConfig, ports: Ports): Promise<Finding> {
  const part = `harness ${id}`;
  const probe = await (await ports.harness(id)).probe();
  if (!probe.found) return { part, state: config.routing.defaultHarness === id ? "missing" : "weak", found: `${probe.command} was not found`, todo: probe.hint ?? `install it, or set harnesses.${id}.command` };
  const login = probe.login === "yes" ? "logged in" : probe.login === "no" ? "not logged in" : "login unknown";
  const tested = probe.tested ? "" : ", a version whose receipts are not proven: an interrupted turn is then asked about";
  return { part, state: probe.login === "no" ? "missing" : probe.tested ? "good" : "weak", found: `${probe.command} ${probe.version ?? "?"}, ${login}${tested}`, todo: probe.hint };
}

/** Asked only where turns run in terminals. */
async function tmuxFindings({ config, env }: LoadedConfig): Promise<readonly Finding[]> {
  if (config.routing.runner !== "tmux") return [];
  try {
    const { stdout } = await execute("tmux", ["-V"], { timeout: answerWithinMs, env: { PATH: env["PATH"] } });
    return [{ part: "tmux", state: "good", found: stdout.trim().replace("tmux ", ""), todo: null }];
  } catch {
    return [{ part: "tmux", state: "missing", found: "not found", todo: "install tmux, or set routing.runner: headless" }];
  }
}

/** Without a root of checkouts every session works in one folder, which spawning may refuse (decisions.md 2). */
async function workspaceFinding({ paths, config, env }: LoadedConfig): Promise<Finding> {
  if (paths.workspaceRoot !== null) return good("workspace", `${config.routing.workspace.strategy}s under ${paths.workspaceRoot}`);
  const { refusalOfWorkdir } = await import("@loopwork/workspace");
  const refusal = await refusalOfWorkdir({ spawnWorkdir: paths.spawnWorkdir, home: env["HOME"] ?? "", env });
  if (refusal !== null) return missing("workspace", refusal.message, refusal.hint);
  return weak("workspace", `every session works in ${paths.spawnWorkdir}`, "set routing.workspace.root, so that each work item gets a checkout of its own");
}

/** Whether deliveries that were sent in vain can be found, by the last look of a process that receives webhooks. */
async function auditFindings({ config }: LoadedConfig, ports: Ports): Promise<readonly Finding[]> {
  if (!config.webhooks.hostWebhook.enabled) return [];
  const audits = auditsOf(await (await ports.store()).cursors.list("audit"));
  return audits.map((audit): Finding => {
    const todo = remedyOf(audit, config.integrations.codeHost.tokenEnv);
    return { part: "lost deliveries", state: todo === null && audit.failure === null ? "good" : "weak", found: `${audit.repository}: ${resultOf(audit)}`, todo };
  });
}

async function serviceFindings(ports: Ports): Promise<readonly Finding[]> {
  const reports = await (await ports.services()).status();
  return reports.filter(({ enabled }) => enabled).map(({ name, running, detail }): Finding => ({ part: name, state: running ? "good" : "weak", found: detail, todo: null }));
}
