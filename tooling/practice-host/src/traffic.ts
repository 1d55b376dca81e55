import type { Answer } from "./http/answer.ts";

/**
 * What the interface was asked. Answers without content, because nothing had changed, cost nothing,
 * as on the real host.
 */
export type Traffic = {
  readonly calls: () => readonly Asked[];
  /** Forgets the calls so far. */
  clear(): void;
  /** Answers every call whose method and path fit with this status; `null` stops that. */
  break(
    how: {
      readonly fits: (path: string, method: string) => boolean;
      readonly status: number;
    } | null,
  ): void;
  /** How many calls an hour are allowed from now on. */
  limit(calls: number): void;
  /** For the server. */
  readonly troubleAt: (method: string, path: string) => Answer | null;
  readonly count: (
    method: string,
    path: string,
    status: number,
  ) => Readonly<Record<string, string>>;
};

export type Asked = { readonly method: string; readonly path: string; readonly status: number };

export function createTraffic(now: () => number): Traffic {
  let calls: Asked[] = [];
  let [allowed, left] = [5000, 5000];
  let broken: Parameters<Traffic["break"]>[0] = null;
  return {
    calls: () => [...calls],
    clear: () => void (calls = []),
    break: (how) => void (broken = how),
    limit: (most) => void ([allowed, left] = [most, most]),
    troubleAt(method, path) {
      if (broken?.fits(path, method) === true)
        return { status: broken.status, body: { message: "practised trouble" } };
      return left > 0 ? null : { status: 403, body: { message: "API rate limit exceeded" } };
    },
    count(method, path, status) {
      calls.push({ method, path, status });
      if (status !== 304 && left > 0) left -= 1;
      return {
        date: new Date(now()).toUTCString(),
        "x-ratelimit-limit": String(allowed),
        "x-ratelimit-remaining": String(left),
        "x-ratelimit-reset": String(Math.floor(now() / 1000) + 3600),
      };
    },
  };
}
