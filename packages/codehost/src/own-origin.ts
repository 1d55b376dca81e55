type Fetch = (address: string, init?: RequestInit) => Promise<Response>;

/** Most redirects that one request follows; a renamed repository needs one. */
const mostRedirects = 5;
/** A write stays a write after these; after the others it would be a read. */
const keepsMethod: ReadonlySet<number> = new Set([307, 308]);
const followed: ReadonlySet<number> = new Set([301, 302, 303, ...keepsMethod]);

/**
 * A fetch that follows redirects within the origin of `base`, where renamed repositories are, and
 * throws `RefusedRedirect` for any other: what another origin answers is not the host's word.
 */
export function fetchWithin(base: string, fetch: Fetch): Fetch {
  return async (asked, init) => {
    let address = asked;
    for (let times = 0; times <= mostRedirects; times++) {
      const response = await fetch(address, { ...init, redirect: "manual" });
      if (!isRedirect(response)) return response;
      await response.body?.cancel();
      address = nextAddress(response, address, base, init?.method ?? "GET");
    }
    throw new RefusedRedirect(`redirects more than ${mostRedirects} times`);
  };
}

/** Whether an address has the same scheme, host and port; one with a login in it never has. */
export function isWithin(base: string, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const [own, other] = [new URL(base), new URL(address)];
  // A blob's origin is that of the address inside of it, so origins alone would not do.
  return (
    own.protocol === other.protocol &&
    own.host === other.host &&
    other.username === "" &&
    other.password === ""
  );
}

/** The host answers with a redirect that is not followed. */
export class RefusedRedirect extends Error {
  override readonly name: string = "RefusedRedirect";
}

/** The same in a failure of Octokit, which puts what a fetch throws into an error of its own. */
export function refusedRedirectIn(error: unknown): RefusedRedirect | null {
  if (error instanceof RefusedRedirect) return error;
  return error instanceof Error && error.cause instanceof RefusedRedirect ? error.cause : null;
}

/** 304 is none. A fetch that followed by itself has been where nobody looked. */
function isRedirect({ status, redirected, type }: Response): boolean {
  return (
    redirected || type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304)
  );
}

function nextAddress(
  { status, headers, redirected }: Response,
  from: string,
  base: string,
  method: string,
): string {
  const location = headers.get("location");
  if (redirected) throw new RefusedRedirect("was reached by a redirect that nobody could check");
  if (location === null || !followed.has(status)) {
    throw new RefusedRedirect(`answers with ${status} and no address that could be followed`);
  }
  const address = URL.canParse(location, from) ? new URL(location, from).href : location;
  if (!isWithin(base, address)) {
    throw new RefusedRedirect(
      `redirects to ${originOf(address)}, which is another origin than ${new URL(base).origin}`,
    );
  }
  if (method !== "GET" && method !== "HEAD" && !keepsMethod.has(status)) {
    throw new RefusedRedirect(`redirects with ${status}, after which a ${method} would be a read`);
  }
  return address;
}

/** What may be shown of an address: a path, a query or a login may hold a secret. */
export function originOf(address: string): string {
  if (!URL.canParse(address)) return "what is no address";
  const { protocol, host, username } = new URL(address);
  return `${protocol}${host === "" ? "" : `//${username === "" ? "" : "…@"}${host}`}`;
}
