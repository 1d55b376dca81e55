import { cp, lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { ChildEnvironment, type ServiceVariables } from "@loopwork/runtime/child-environment";
import { runProgram } from "../processes/child-process.ts";

/** What is upgraded, and with which command. */
export type UpgradePlan = {
  /**
   * `service.upgradeCommand`; `<exact>` in it stands for the newest version. Empty: npm installs
   * that.
   */
  readonly command: readonly string[];
  /** Program and leading arguments that run this very `loop`. */
  readonly self: readonly [string, ...string[]];
  readonly version: string;
  readonly stateRoot: string;
  readonly configFile: string | null;
  /** What the loop that is installed is run with; the package manager gets no secret of ours. */
  readonly env: ServiceVariables["env"];
  readonly secretNames: readonly string[];
  /** Told each step, in words for the one who waits. */
  readonly say: (text: string) => void;
};

export type Upgraded = { readonly from: string; readonly to: string };

const packageName = "@loopwork/cli";
const installWithinMs = 600_000;
const answerWithinMs = 120_000;
const longestOutput = 4 * 1024 * 1024;

/**
 * Installs the newest version in the place of this one and lets it take over:
 *
 *     kept copy ─▶ install ─▶ does it run, is the configuration good for it? ─▶ its own restart ─▶ done
 *                     └────────────────────┴──fails: the copy is put back ──────────┘
 *
 * The service runs all the while: what does not come up takes nothing over (services.ts). Only when
 * it is gone all the same, the old version starts it again. Once the new version has changed the
 * store the old one could not read it, so then the new one stays (ADR 0007). Rejects with
 * `LOOP_E_UPGRADE` or `LOOP_E_UPGRADE_STORE`.
 */
export async function upgradeAndRestart(
  plan: UpgradePlan,
  isRunning: () => Promise<boolean>,
): Promise<Upgraded> {
  const place = await placeOf(plan);
  const wasRunning = await isRunning();
  const kept = join(plan.stateRoot, "upgrade", "before");
  plan.say(`Keeping a copy of ${plan.version}`);
  await rm(kept, { recursive: true, force: true });
  await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
  await cp(place, kept, { recursive: true, verbatimSymlinks: true });
  try {
    const to = await install(place, plan);
    await run(plan, ["restart"]); // The new version's own: nothing of it is loaded into this process, whose files it replaced.
    await rm(kept, { recursive: true, force: true });
    return { from: plan.version, to };
  } catch (error) {
    plan.say(`Restoring ${plan.version}`);
    const failed = await putBack(place, kept);
    if (await findsStoreNewer(plan)) throw await keepNewest(place, failed, error, plan);
    await rm(failed, { recursive: true, force: true });
    if (wasRunning && !(await isRunning())) await run(plan, ["start"]);
    throw new LoopError(
      "LOOP_E_UPGRADE",
      `Upgrade failed, ${plan.version} stays installed: ${wordsOf(error)}`,
      `Fix that and run \`loop restart --with-upgrade\` again. Run \`loop status\` to see what is running.`,
    );
  }
}

/** The folder of this package, where an installation replaces it. */
async function placeOf({ self }: UpgradePlan): Promise<string> {
  const place = dirname(dirname(self.at(-1) ?? ""));
  const installed =
    place.includes(`${sep}node_modules${sep}`) && !(await lstat(place)).isSymbolicLink();
  if (!installed)
    throw new LoopError(
      "LOOP_E_UPGRADE_PLACE",
      `This loop wasn't installed by npm: it runs from ${place}`,
      "Upgrade it there, then run `loop restart`",
    );
  return place;
}

/** Resolves to the version that is there now, once it runs and takes the configuration. */
async function install(place: string, plan: UpgradePlan): Promise<string> {
  const [program, ...args] = await commandOf(plan);
  plan.say(`${program} ${args.join(" ")}`);
  await execute(program, args, ChildEnvironment.installer(plan, prefixOf(place)), installWithinMs);
  const version = (await run(plan, ["--version"])).trim();
  await run(plan, ["config", "validate"]);
  plan.say(`Installed ${version}${version === plan.version ? ", the same version as before" : ""}`);
  return version;
}

async function commandOf(plan: UpgradePlan): Promise<readonly [string, ...string[]]> {
  const [program = "npm", ...args] =
    plan.command.length === 0 ? ["npm", "install", "-g", `${packageName}@<exact>`] : plan.command;
  if (!args.some((arg) => arg.includes("<exact>"))) return [program, ...args];
  const newest = (
    await execute(
      "npm",
      ["view", packageName, "version"],
      ChildEnvironment.installer(plan),
      answerWithinMs,
    )
  ).trim();
  if (!/^\d{1,6}\.\d{1,6}\.\d{1,6}[0-9A-Za-z.+-]{0,60}$/.test(newest))
    throw new Error(`npm reports no version of ${packageName}`);
  return [program, ...args.map((arg) => arg.replaceAll("<exact>", newest))];
}

/** npm's own idea of the global folder may be another one than that in which we stand. */
function prefixOf(place: string): Readonly<Record<string, string>> {
  const suffix = join(sep, "lib", "node_modules", packageName);
  return place.endsWith(suffix) ? { npm_config_prefix: place.slice(0, -suffix.length) } : {};
}

function run(plan: UpgradePlan, words: readonly string[]): Promise<string> {
  const [program, ...args] = plan.self;
  return execute(
    program,
    [...args, ...(plan.configFile === null ? [] : ["--config", plan.configFile]), ...words],
    ChildEnvironment.service(plan.env),
    answerWithinMs,
    `\`loop ${words.join(" ")}\` of the new version`,
  );
}

/**
 * In no folder of a repository: a state root within one would lend npm its .npmrc, which names a
 * registry.
 */
async function execute(
  program: string,
  args: readonly string[],
  env: ChildEnvironment,
  withinMs: number,
  name = `\`${[program, ...args].join(" ")}\``,
): Promise<string> {
  const { error, stdout, stderr } = await runProgram(program, args, {
    env,
    cwd: "/",
    timeout: withinMs,
    maxBuffer: longestOutput,
  });
  if (error === null) return stdout;
  throw new Error(`${name} failed: ${lastLines(`${stdout}\n${stderr}`) || error.message}`);
}

/** Whether the version that was put back cannot read the store any more. */
async function findsStoreNewer(plan: UpgradePlan): Promise<boolean> {
  return run(plan, ["status"]).then(
    () => false,
    (error: unknown) => wordsOf(error).includes("LOOP_E_STORE_NEWER"),
  );
}

async function keepNewest(
  place: string,
  failed: string,
  error: unknown,
  plan: UpgradePlan,
): Promise<LoopError> {
  await rm(place, { recursive: true, force: true });
  await rename(failed, place);
  const version = (await run(plan, ["--version"])).trim();
  return new LoopError(
    "LOOP_E_UPGRADE_STORE",
    `Upgrade failed after ${version} changed the store, which ${plan.version} can't read: ${wordsOf(error)}`,
    `${version} stays installed, and no accepted delivery is lost. Fix that and run \`loop start\`, then check \`loop status\`.`,
  );
}

/**
 * Renamed away first, so that the place is never half of the one and half of the other. Resolves to
 * where what failed lies now.
 */
async function putBack(place: string, kept: string): Promise<string> {
  const failed = `${place}.failed`;
  await rm(failed, { recursive: true, force: true });
  await rename(place, failed).catch(() => {}); // The installation may have left nothing there.
  await cp(kept, place, { recursive: true, verbatimSymlinks: true });
  return failed;
}

/** Without the traces of a program that broke. */
function lastLines(text: string): string {
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^ {4}at |^Node\.js v/.test(line));
  return lines.slice(-6).join(" ").slice(-1_000);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
