/** Families of APIs; `auto` and `github` mean the best-known host and its enterprise server. */
export type Dialect = "auto" | "host" | "github" | "gitea" | "forgejo";

const publicHost = "github.com";

/** Base URL of a host's REST API, when the configuration names none (decisions.md 2, apiBaseUrl). */
export function apiBaseOf(host: string, dialect: Dialect): string {
  if (dialect === "gitea" || dialect === "forgejo") return `https://${host}/api/v1`;
  return host === publicHost ? "https://api.github.com" : `https://${host}/api/v3`;
}
