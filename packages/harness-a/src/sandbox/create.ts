import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { decideSandbox, type SandboxFacts } from "@loopwork/core";
import type { Sandbox, SandboxFiles, SandboxOrder } from "@loopwork/core/ports";
import { parseObject, textOf } from "../fields.ts";
import type { HarnessAOptions } from "../options.ts";
import { plainTextIfAny, writePlainFile } from "../plain-file.ts";
import { runProgram } from "../probe.ts";
import { denyRules } from "./deny-rules.ts";
import { hiddenPaths } from "./hidden-paths.ts";
import { endLeftProcesses } from "./left-processes.ts";
import { type Account, factsOf } from "./machine.ts";
import { movedLogins } from "./named-logins.ts";
import { privateFolders } from "./private-folders.ts";
import { excludePlaceholders, removePlaceholders } from "./placeholders.ts";
import { programPlaces } from "./programs.ts";
import { registryHosts } from "./registries.ts";
import { sandboxSettings } from "./settings.ts";
import { isTemporaryOf, makeTemporary, temporaryFolder } from "./temporary.ts";

/** Asked anew for each turn. */
export type SandboxOptions = Pick<
  HarnessAOptions,
  "command" | "args" | "env" | "passEnv" | "environment" | "home" | "processes" | "probeDir"
>;

export type SandboxSurroundings = {
  readonly runner: SandboxFacts["runner"];
  /** Absolute folders that hold `loop` itself. */
  readonly programs: readonly string[];
  /** This process's account and machine, unless a test says otherwise. */
  readonly account?: Account;
};

/**
 * The sandbox of harness A (ADR 0020). What an attempt was given stands in the turn's folder, where
 * its commands reach nothing but the requests.
 */
export function createSandbox(
  options: SandboxOptions,
  { runner, programs, account: given }: SandboxSurroundings,
): Sandbox {
  const account = given ?? { platform: process.platform, uid: process.getuid?.() ?? 0 };
  let registries: Promise<readonly string[]> | null = null;
  return {
    decide: async (mode, place) =>
      decideSandbox(
        mode,
        await factsOf(
          {
            ...place,
            hide: hiddenPaths({ own: place.hide, around: await privateFolders(options, {}) })
              .outermost,
          },
          runner,
          account,
          options,
        ),
      ),
    async open(asked) {
      const order = { ...asked, alsoIn: [...asked.alsoIn, ...addedFolders(options.args)] };
      const tmpDir = temporaryFolder(order.receipt, account.uid, options.environment["TMPDIR"]);
      await makeTemporary(tmpDir, account.uid);
      await mkdir(path.join(order.turnDir, "requests"), { recursive: true, mode: 0o700 });
      await removePlaceholders(order.checkout);
      await excludePlaceholders(order.checkout);
      registries ??= askRegistries(options).catch(() => []);
      const settings = await settingsFor(
        order,
        { tmpDir, registries: await registries, uid: account.uid },
        programs,
        options,
      );
      const { record, settings: settingsFile } = filesOf(order.turnDir, order.receipt);
      await writePlainFile(settingsFile, JSON.stringify(settings, null, 2));
      await writePlainFile(record, JSON.stringify({ tmpDir, checkout: order.checkout }));
      return { settingsFile, tmpDir };
    },
    find: async (turnDir, receipt) =>
      (await readRecord(turnDir, receipt, account.uid))?.files ?? null,
    async close(turnDir, receipt) {
      const found = await readRecord(turnDir, receipt, account.uid);
      if (found === null) return;
      await endLeftProcesses(found.files.tmpDir, account.uid);
      await rm(found.files.tmpDir, { recursive: true, force: true, maxRetries: 3 });
      await removePlaceholders(found.checkout);
      await rm(filesOf(turnDir, receipt).record, { recursive: true, force: true });
    },
  };
}

async function settingsFor(
  order: SandboxOrder,
  {
    tmpDir,
    registries,
    uid,
  }: { readonly tmpDir: string; readonly registries: readonly string[]; readonly uid: number },
  own: readonly string[],
  options: SandboxOptions,
): Promise<unknown> {
  const search = order.env["PATH"] ?? options.environment["PATH"];
  const programs = [
    ...(await programPlaces(own, options.command, search)),
    ...movedLogins(order.env),
  ];
  const work = [order.checkout, ...order.alsoIn, ...order.write, tmpDir];
  const open = [...work, ...order.read, ...programs];
  // Other turns, the account's own conversations and short work of ours have their folders there.
  const temporary = ["/tmp", "/var/tmp", options.environment["TMPDIR"] ?? "/tmp", tmpdir()];
  const around = [
    ...(await privateFolders(options, order.env, open)),
    path.dirname(tmpDir),
    ...temporary
      .flatMap((base) => ["claude", "loop"].map((name) => path.join(base, `${name}-${uid}`)))
      .filter((folder) => path.isAbsolute(folder) && existsSync(folder)),
  ];
  const hidden = hiddenPaths({ own: order.hide, around }, open, work);
  const deny = await denyRules(hidden, open, work);
  return sandboxSettings(order, {
    tmpDir,
    hidden,
    programs,
    domains: [...new Set([...order.domains, ...registries])],
    deny,
  });
}

/**
 * Folders that the operator's own arguments name with `--add-dir`: the harness protects no hook in
 * them.
 */
function addedFolders(args: readonly string[]): readonly string[] {
  return args
    .flatMap((arg, at) => {
      if (arg.startsWith("--add-dir=")) return [arg.slice("--add-dir=".length)];
      const flag = args.slice(0, at).findLast((each) => each.startsWith("-"));
      return flag === "--add-dir" && !arg.startsWith("-") ? [arg] : [];
    })
    .filter((folder) => path.isAbsolute(folder));
}

/** What npm is configured with by the user and the machine: no repository can add to it. */
async function askRegistries(options: SandboxOptions): Promise<readonly string[]> {
  return registryHosts(
    (await runProgram(options, ["npm", "config", "list", "--json", "--global"]))?.stdout ?? "",
  );
}

const filesOf = (
  turnDir: string,
  receipt: string,
): { readonly record: string; readonly settings: string } => ({
  record: path.join(turnDir, `${receipt}.sandbox.json`),
  settings: path.join(turnDir, `${receipt}.settings.json`),
});

/** Bytes of the longest record of a sandbox that is read. */
const longestRecord = 64 * 1024;

/**
 * A turn without a sandbox can write there as well: a record that names another folder than the
 * attempt's own is none.
 */
async function readRecord(
  turnDir: string,
  receipt: string,
  uid: number,
): Promise<{ readonly files: SandboxFiles; readonly checkout: string } | null> {
  const { record, settings } = filesOf(turnDir, receipt);
  const fields = parseObject(await plainTextIfAny(record, longestRecord));
  const [tmpDir, checkout] = [textOf(fields?.["tmpDir"]), textOf(fields?.["checkout"])];
  return tmpDir === null || checkout === null || !isTemporaryOf(tmpDir, receipt, uid)
    ? null
    : { files: { settingsFile: settings, tmpDir }, checkout };
}
