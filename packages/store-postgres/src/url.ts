import { StoreError } from "@loopwork/store/driver";

/**
 * What of the URL people may see: never its password, and no parameter, one of which may hold
 * another.
 */
export type Place = {
  readonly server: string;
  readonly database: string;
  readonly user: string | null;
};

/** Reads the URL, or throws `LOOP_E_STORE_URL` without echoing it. */
export function placeOf(url: string): Place {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || (parsed.protocol !== "postgres:" && parsed.protocol !== "postgresql:"))
    throw wrongUrl("it is no URL of PostgreSQL");
  const host = parsed.hostname === "" ? parsed.searchParams.get("host") : parsed.hostname;
  if (host === null || host === "") throw wrongUrl("it names no server");
  const database = decoded(parsed.pathname.slice(1));
  if (database === null || database === "" || database.includes("/"))
    throw wrongUrl("it names no database");
  const user = decoded(parsed.username);
  if (user === null || decoded(parsed.password) === null)
    throw wrongUrl("its user or password is not percent-encoded as a URL asks for it");
  return {
    server: `${host}:${parsed.port === "" ? "5432" : parsed.port}`,
    database,
    user: user === "" ? null : user,
  };
}

/**
 * The URL as the driver takes it without a word on standard error: of the modes that check the
 * server it knows only the strictest, and warns of the others.
 */
export function connectable(url: string): string {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get("sslmode");
  if (mode === null || !loose.has(mode) || parsed.searchParams.has("uselibpqcompat")) return url;
  parsed.searchParams.set("sslmode", "verify-full");
  return parsed.href;
}

const loose: ReadonlySet<string> = new Set(["prefer", "require", "verify-ca"]);

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function wrongUrl(why: string): StoreError {
  return new StoreError(
    "LOOP_E_STORE_URL",
    `The URL of the store cannot be used: ${why}.`,
    "Write postgres://user:password@server:5432/database, with what is special in the password percent-encoded.",
  );
}
