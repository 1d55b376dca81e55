import path from "node:path";
import type { Trust, TrustCheck, TrustResult } from "@loopwork/core/ports";
import { configDirOf, trustFileOf } from "./config-dir.ts";
import type { HarnessAOptions } from "./options.ts";
import { requestsBypass } from "./permissions.ts";
import { replaceFile, whyNotReplaceable } from "./replace-file.ts";
import { gitCommonRoot, realDirectory } from "./spawn-directory.ts";
import { bypassKey, patchTrust, type TrustKey, trustKeys } from "./trust.ts";

/**
 * Marks the exact spawn directory as trusted, with the root of the repository it belongs to,
 * because the harness looks a worktree up under that; `workspace-root` adds the workspace's root
 * and nothing wider (docs/specification.md#harness-trust).
 */
export function createTrust(
  options: Pick<HarnessAOptions, "environment" | "home" | "env" | "permissions" | "args">,
): Trust {
  // Lanes spawn in parallel; one edit at a time, because two that read the same text would undo
  // each other.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = async (work: () => Promise<TrustResult>): Promise<TrustResult> => {
    const mine = last.then(work);
    last = mine;
    return mine;
  };
  return {
    prepare: (request) => inTurn(() => prepare(request)),
    check: (env) =>
      check(trustFileOf({ ...options.environment, ...env, ...options.env }, options.home)),
  };

  async function prepare(request: Request): Promise<TrustResult> {
    const env = { ...options.environment, ...request.env, ...options.env };
    const trusted = await write(trustFileOf(env, options.home), async () =>
      trustKeys(await directoriesOf(request)),
    );
    const bypasses = request.bypass || requestsBypass(options);
    if (!bypasses || trusted.kind === "failed") return trusted;
    const bypass = await write(
      path.join(configDirOf(env, options.home), "settings.json"),
      async () => [bypassKey],
    );
    return combine(trusted, bypass);
  }
}

/** Tries the edit on the text alone. */
async function check(file: string): Promise<TrustCheck> {
  const why = await whyNotReplaceable(file, (text) =>
    patchTrust(text ?? "{}\n", trustKeys([path.dirname(file)])),
  ).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  return why === null ? { kind: "good", file, why: "" } : { kind: "failed", file, why };
}

type Request = Parameters<Trust["prepare"]>[0];

async function directoriesOf(request: Request): Promise<readonly string[]> {
  const workdir = await realDirectory(request.workdir);
  const root = await gitCommonRoot(workdir);
  const wide =
    request.scope === "workspace-root" && request.workspaceRoot !== null
      ? [await realDirectory(request.workspaceRoot)]
      : [];
  return [workdir, ...(root === null ? [] : [root]), ...wide];
}

/** Best effort: whatever goes wrong is told and never thrown, since the spawn goes on without. */
async function write(
  file: string,
  wanted: () => Promise<readonly TrustKey[]>,
): Promise<TrustResult> {
  try {
    const keys = await wanted();
    return await replaceFile(file, (text) => patchTrust(text ?? "{}\n", keys));
  } catch (error) {
    return { kind: "failed", file, why: error instanceof Error ? error.message : String(error) };
  }
}

function combine(trusted: TrustResult, bypass: TrustResult): TrustResult {
  if (bypass.kind === "failed" || trusted.kind === "already") return bypass;
  if (bypass.kind === "already" || trusted.kind === "failed") return trusted;
  return { ...trusted, keys: [...trusted.keys, ...bypass.keys] };
}
