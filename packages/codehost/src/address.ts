/** Families of hosts that differ in addresses and in what they can answer. */
export type Dialect = "auto" | "host" | "github" | "gitea" | "forgejo";

/**
 * Base of a host's interface without a slash at its end: as configured, else where the family keeps
 * it.
 */
export function apiBaseOf(options: {
  readonly host: string | null;
  readonly apiBaseUrl?: string | null | undefined;
  readonly dialect?: Dialect | undefined;
}): string {
  if (options.apiBaseUrl)
    return options.apiBaseUrl.endsWith("/") ? options.apiBaseUrl.slice(0, -1) : options.apiBaseUrl;
  const host = (options.host ?? defaultHost).toLowerCase();
  if (host === defaultHost) return "https://api.github.com";
  return isGiteaLike(options.dialect) ? `https://${host}/api/v1` : `https://${host}/api/v3`;
}

/** Hosts of this family have no query language and no reactions on reviews. */
export const isGiteaLike = (dialect: Dialect | undefined): boolean =>
  dialect === "gitea" || dialect === "forgejo";

const defaultHost = "github.com";
