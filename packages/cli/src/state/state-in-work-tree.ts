import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Paths } from "@loopwork/core/config";
import { LoopError } from "@loopwork/core/ports";
import { shellQuoted } from "../output/shell-quoted.ts";
import { silentGitHint, trackedBelow } from "../git/ask-git.ts";
import { pidfileOf, readLivePidfile } from "../detach/pidfile.ts";
import { freePlace, freeStatePlace, isOutsideOf, treeAround } from "./state-place.ts";
import { realPath, realPlace } from "../files/work-tree.ts";

/** Where loop keeps what it believes and what it runs. */
export type StatePaths = Pick<
  Paths,
  "base" | "stateRoot" | "storeUrl" | "pidfile" | "tokenFile" | "workspaceRoot"
>;

/**
 * Refuses to use what git can write: a branch that holds the path replaces programs, tokens and
 * records there, ignored or not, under a running service as well. No file is opened and no git is
 * asked, so that a service can look again and again. Throws `LOOP_E_STATE_IN_WORK_TREE`.
 */
export function refuseStateInWorkTree(paths: StatePaths): void {
  for (const { key, path, hint } of places(paths)) {
    const tree = treeAround(path);
    if (tree === null) continue;
    throw new LoopError(
      "LOOP_E_STATE_IN_WORK_TREE",
      `${key} is ${path}, in the git work tree ${tree}: checking out a branch could replace what loop runs and believes`,
      hint(),
    );
  }
}

type Kept = { readonly key: string; readonly path: string; readonly hint: () => string };

function places({
  stateRoot,
  storeUrl,
  pidfile,
  tokenFile,
  workspaceRoot,
}: StatePaths): readonly Kept[] {
  const store = storeUrl.slice("sqlite:".length);
  const remove = (key: string) => (): string =>
    `remove ${key}, so that the file lies in the state root, or set it to a path outside of every repository`;
  return [
    {
      key: "state.root",
      path: stateRoot,
      hint: () => stateRootHint(stateRoot),
    },
    {
      key: "store.url",
      path: store,
      hint: () =>
        `stop loop, move ${store} with its -wal, -shm and -bodies to a folder outside of every repository, and name it in store.url`,
    },
    { key: "service.tokenFile", path: tokenFile, hint: remove("service.tokenFile") },
    {
      key: "webhooks.hostWebhook.pidfile",
      path: pidfile,
      hint: remove("webhooks.hostWebhook.pidfile"),
    },
    ...(workspaceRoot === null
      ? []
      : [
          {
            key: "routing.workspace.root",
            path: workspaceRoot,
            hint: () =>
              `set routing.workspace.root to ${freePlace("workspaces") ?? anyFolder}; checkouts that are there stay until you remove them`,
          },
        ]),
  ];
}

const anyFolder = "a folder outside of every repository";

function stateRootHint(stateRoot: string): string {
  const free = freeStatePlace(stateRoot);
  if (free === null) return `stop loop, and set state.root to ${anyFolder}`;
  const move = existsSync(stateRoot)
    ? `, and run: ${moveCommand(realPath(stateRoot), free, isHome(stateRoot) ? ofHome : [])}`
    : "";
  return `stop loop, set state.root to ${free}${move}`;
}

const isHome = (stateRoot: string): boolean =>
  realPath(stateRoot) === realPath(join(homedir(), ".loop"));

/** What lies in `~/.loop` for all configurations, and stays when the state of one moves. */
const ofHome = ["trusted-configs", "remembered-configs", "state", "workspaces", "*.env", ".git"];

/** What people commit in a `.loop`; it isn't state. */
export const notState: readonly string[] = [
  "cli-config.yaml",
  "manifest.yaml",
  "harness-config.yaml",
  ".gitignore",
  "learnings-pending",
];

/** Whole or not at all: `to` stands once everything is in it. */
export function moveCommand(from: string, to: string, staying: readonly string[] = []): string {
  const [old, fresh, half] = [from, to, `${to}.moving`].map(shellQuoted);
  const kept = [...notState, ...staying].map((name) => `! -name ${shellQuoted(name)}`).join(" ");
  return `mkdir -p ${half} && chmod 700 ${half} && find ${old} -mindepth 1 -maxdepth 1 ${kept} -exec sh -c 'mv "$@" "$0"' ${half} {} + && mv ${half} ${fresh}`;
}

/** What would be lost with the state of before. */
const worthKeeping = ["loop.db", "marker.key", "checkouts", "turns", "salvage"];

/**
 * State of a version that kept it in the repository: nothing begins beside it. What the repository
 * itself brings along is not ours. Throws `LOOP_E_STATE_LEFT_BEHIND`.
 */
export function refuseStateLeftBehind({ base, stateRoot }: StatePaths): void {
  const before = join(base, ".loop");
  if (!isOutsideOf(base, stateRoot) || existsSync(stateRoot)) return;
  const left = worthKeeping.filter((name) => existsSync(join(before, name)));
  if (left.length === 0) return;
  const tracked = trackedBelow(base, ".loop");
  const isBrought = tracked?.some((path) => left.includes(path.split("/")[1]?.toLowerCase() ?? ""));
  if (isBrought === true) return;
  const pids = (["service", "host-webhook", "poller"] as const).flatMap(
    (kind) => readLivePidfile(pidfileOf(before, kind), before)?.identity.pid ?? [],
  );
  throw new LoopError(
    "LOOP_E_STATE_LEFT_BEHIND",
    `${before} holds ${left.join(", ")}, and state now lies outside of the repository, in ${stateRoot}`,
    tracked === null
      ? silentGitHint(base)
      : `${pids.length === 0 ? "" : `stop the service that runs on it (kill ${pids.join(" ")}); `}if loop wrote that, run: ${moveCommand(before, stateRoot)}`,
  );
}

/**
 * Refuses an env file whose variables a checkout of another branch would change. Throws
 * `LOOP_E_ENV_FILE`.
 */
export function refuseEnvFileInWorkTree(file: string, home: string = homedir()): void {
  const tree = treeAround(file, home);
  if (tree === null) return;
  const outside = freePlace(`${basename(tree)}.env`, home);
  throw new LoopError(
    "LOOP_E_ENV_FILE",
    `env.file ${file} lies in the git work tree ${tree}: checking out a branch could set variables of the service`,
    outside === null
      ? `move it to ${anyFolder}, and set env.file to its new place`
      : `run: mkdir -p ${shellQuoted(dirname(outside))} && mv -n ${shellQuoted(realPlace(file))} ${shellQuoted(outside)}; then set env.file to ${outside}`,
  );
}
