import type { CodeHost, Ref } from "@loopwork/core/ports";
import type { LoadedConfig } from "../configuration/load-config.ts";
import type { PullRequestHead } from "./steering-ports.ts";

/**
 * `headOf` of steering. Without a token a host does not say whether there is none, or nobody may
 * see it.
 */
export async function askHead(
  pullRequest: Ref,
  host: Pick<CodeHost, "pullRequest">,
  { config, env }: Pick<LoadedConfig, "config" | "env">,
): Promise<PullRequestHead | "none" | null> {
  try {
    return (
      (await host.pullRequest(pullRequest)) ??
      (env[config.integrations.codeHost.tokenEnv] ? "none" : null)
    );
  } catch {
    return null;
  }
}
