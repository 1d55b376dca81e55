import { createRedactor } from "@loopwork/core";
import { collectorHeaders, secretsOfHeaders } from "./collector-headers.ts";
import type { Redact } from "@loopwork/runtime";
import { type StartedConfig, secretNames } from "./load-config.ts";

/**
 * Takes the secrets of this configuration, and what has the shape of a token, out of logs and
 * posts.
 */
export function redactorOf({ config, env }: Pick<StartedConfig, "config" | "env">): Redact {
  const inHeaders = collectorHeaders.flatMap((name) =>
    secretsOfHeaders(env[name] ?? "").map((value) => ({ name, value })),
  );
  const secrets = secretNames(config).map((name) => ({ name, value: env[name] ?? "" }));
  return createRedactor([...secrets, ...inHeaders]);
}
