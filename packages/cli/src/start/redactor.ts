import { createRedactor } from "@loopwork/core";
import { collectorHeaders, secretsOfHeaders } from "../runtime/collector-headers.ts";
import type { Redact } from "../runtime/parts.ts";
import { type LoadedConfig, secretNames } from "./load-config.ts";

/** Takes the secrets of this configuration, and what has the shape of a token, out of logs and posts (P17; decisions.md 2, 7). */
export function redactorOf({ config, env }: Pick<LoadedConfig, "config" | "env">): Redact {
  const inHeaders = collectorHeaders.flatMap((name) => secretsOfHeaders(env[name] ?? "").map((value) => ({ name, value })));
  return createRedactor([...secretNames(config).map((name) => ({ name, value: env[name] ?? "" })), ...inHeaders]);
}
