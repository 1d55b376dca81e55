type Fetch = typeof globalThis.fetch;

/**
 * A fetch that calls `guard` immediately before each request, and sends nothing where that rejects.
 */
export function guardedFetch(guard: () => Promise<void>, fetch: Fetch = globalThis.fetch): Fetch {
  return async (...request) => {
    await guard().catch((reason: unknown) => {
      throw new Withheld("not sent", { cause: reason });
    });
    return fetch(...request);
  };
}

/** Says that a guard kept a request from being sent; `cause` is why. */
export class Withheld extends Error {
  override readonly name: string = "Withheld";
}

/**
 * What a guard rejected with, in a failure of Octokit, which puts what a fetch throws into an error
 * of its own; null for any other failure.
 */
export function withheldIn(error: unknown): Withheld | null {
  return error instanceof Error && error.cause instanceof Withheld ? error.cause : null;
}
