import { createRedactor } from "@loopwork/core";
import type { Redact } from "../runtime/parts.ts";
import { type LoadedConfig, secretNames } from "./load-config.ts";

/** Takes the secrets of this configuration, and what has the shape of a token, out of logs and posts (P17; decisions.md 2, 7). */
export function redactorOf({ config, env }: Pick<LoadedConfig, "config" | "env">): Redact {
  return createRedactor(secretNames(config).map((name) => ({ name, value: env[name] ?? "" })));
}
