import { parseObject, textOf } from "../fields.ts";

/**
 * Hosts of the package registries that npm is configured with, out of `npm config list --json`: the
 * default one and those of scopes.
 */
export function registryHosts(stdout: string): readonly string[] {
  const config = parseObject(stdout) ?? {};
  const urls = Object.entries(config).flatMap(([key, value]) =>
    key === "registry" || key.endsWith(":registry") ? (textOf(value) ?? []) : [],
  );
  return [...new Set(urls.flatMap(hostOf))];
}

const hostOf = (url: string): readonly string[] =>
  URL.canParse(url) ? [new URL(url).hostname] : [];
