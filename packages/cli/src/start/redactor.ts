import { createRedactor } from "@loopwork/core";
import { collectorHeaders, secretsOfHeaders } from "../runtime/collector-headers.ts";
import type { Redact } from "../runtime/parts.ts";
import { type StartedConfig, secretNames } from "./load-config.ts";

/** Takes the secrets of this configuration, and what has the shape of a token, out of logs and posts (P17; decisions.md 2, 7). */
export function redactorOf({ config, env }: Pick<StartedConfig, "config" | "env">): Redact {
  const inHeaders = collectorHeaders.flatMap((name) => secretsOfHeaders(env[name] ?? "").map((value) => ({ name, value })));
  const secrets = secretNames(config).map((name) => ({ name, value: env[name] ?? "" }));
  return createRedactor([...secrets, ...secrets.flatMap(passwordOf), ...inHeaders]);
}

/** The password inside of a URL, as it stands there and as it is meant: another program may tell it without the rest. */
function passwordOf({ name, value }: { readonly name: string; readonly value: string }): readonly { readonly name: string; readonly value: string }[] {
  const password = URL.canParse(value) ? new URL(value).password : "";
  if (password === "") return [];
  return [password, decoded(password)].map((text) => ({ name, value: text }));
}

/** A password that is not encoded as a URL asks for it is refused when the store is opened; until then it is one. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
