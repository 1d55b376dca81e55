import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { fetchWithin, isWithin, refusedRedirectIn } from "./own-origin.ts";

/** Longest that one call may take with all that is tried again in it, in milliseconds. */
export const patienceMs = 20_000;
/** Rest before a read is tried a second time, in milliseconds. */
const secondTryMs = 500;
/**
 * Answers that another try would not change, a limit among them: who waits for that is decided by
 * the caller.
 */
const final: readonly number[] = [400, 401, 403, 404, 406, 409, 410, 413, 422, 429, 451];

export type OctokitOptions = {
  readonly apiBase: string;
  readonly token: string | null;
  readonly userAgent: string;
  readonly fetch: typeof globalThis.fetch | undefined;
  /**
   * Whether writes keep the distance from each other that the host asks for; a host on this machine
   * asks for none.
   */
  readonly paced: boolean;
};

/**
 * Octokit with its plugins for trying again, pacing and paging, within bounds of ours: a read that
 * met a failing server is tried once more, a write never (the outbox looks for its marker first),
 * nobody sleeps out a limit inside of a call, and whatever builds an address, the token goes to the
 * interface's own origin alone, and no other is believed.
 */
export function createOctokit({
  apiBase,
  token,
  userAgent,
  fetch,
  paced,
}: OctokitOptions): HostOctokit {
  const never = (): boolean => false;
  const octokit = new WithPlugins({
    baseUrl: apiBase,
    userAgent,
    log: silent,
    retry: { doNotRetry: [...final], retries: 1, retryAfterBaseValue: secondTryMs },
    throttle: { enabled: paced, id: apiBase, onRateLimit: never, onSecondaryRateLimit: never },
    ...(token === null ? {} : { auth: token }),
    ...(fetch === undefined ? {} : { request: { fetch } }),
  });
  octokit.hook.before("request", (options) => {
    const address = octokit.request.endpoint(options).url;
    if (!isWithin(apiBase, address)) throw new ForeignAddress(address);
    // A copy, because Octokit hands the same object to every call: a signal that is set on it would
    // end them all with the first. Retries are set for writes alone: where they are set the plugin
    // also tries again what is final.
    const fetch = fetchWithin(apiBase, options.request.fetch ?? globalThis.fetch);
    options.request = {
      ...options.request,
      fetch,
      signal: options.request.signal ?? AbortSignal.timeout(patienceMs),
      ...(options.method === "GET" ? {} : { retries: 0 }),
    };
  });
  return octokit;
}

/** Stands before the plugin that tries again: half a second changes no redirect. */
function refuseRedirectsForGood(octokit: Octokit): void {
  octokit.hook.error("request", (error) => {
    if (refusedRedirectIn(error) !== null && "status" in error) error.status = 400;
    throw error;
  });
}

const WithPlugins = Octokit.plugin(refuseRedirectsForGood, retry, throttling, paginateRest);
export type HostOctokit = Octokit & ReturnType<typeof paginateRest>;

/** An answer led to another host, such as the address of a next page. */
export class ForeignAddress extends Error {
  override readonly name: string = "ForeignAddress";
  constructor(address: string) {
    super(`an answer leads to another host: ${address}`);
  }
}

/** What Octokit would write to the console, past our redaction. */
const nothing = (): void => {};
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };
