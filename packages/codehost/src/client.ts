import { CodeHostError, type Ref } from "@loopwork/core/ports";
import { apiBaseOf, type Dialect, isGiteaLike } from "./address.ts";
import { type Budget, readBudget } from "./budget.ts";
import { at, listAt, numberAt, textAt } from "./fields.ts";
import { toHostError } from "./failure.ts";
import { plain } from "./plain-integers.ts";
import { createOctokit, type HostOctokit } from "./octokit.ts";
import { createRemembered } from "./etag-cache.ts";
import { guardedFetch, withheldIn } from "./guarded-fetch.ts";

export type CodeHostOptions = {
  /** Domain of the host; the default one when null. */
  readonly host: string | null;
  /** Base of its interface; derived from host and dialect when missing. */
  readonly apiBaseUrl?: string | null;
  readonly dialect?: Dialect;
  /** From the environment only. Without it the host can be read as far as it is public. */
  readonly token: string | null;
  readonly fetch?: typeof globalThis.fetch;
  readonly userAgent?: string;
  readonly now?: () => number;
  /**
   * Writes keep the distance that the host asks for; unless said otherwise, with every host but one
   * on this machine.
   */
  readonly paced?: boolean;
};

/** Calls to one host, with failures already told apart. `task` names the call in errors. */
export interface Client {
  readonly token: string | null;
  /** Whether the host answers the query language. */
  readonly queries: boolean;
  /**
   * Reads; an answer that has not changed since is taken from memory, at no cost to the host's
   * limit.
   */
  get(task: string, path: string, params?: Parameters): Promise<Answer>;
  /**
   * Asks with the tag of an earlier answer: what has not changed since comes without content, and
   * counts against no limit.
   */
  getIfChanged(task: string, path: string, tag: string | null): Promise<Changed>;
  /** A list page by page, as far as the caller goes on. */
  pages(task: string, path: string, params?: Parameters): AsyncIterable<readonly unknown[]>;
  /** What the host said last about how much may still be asked; null while it has said nothing. */
  budget(): Budget | null;
  post(task: string, path: string, params: Parameters, care?: Care): Promise<Answer>;
  /** Deletes; what is not there was deleted already. */
  delete(task: string, path: string, params: Parameters): Promise<void>;
  query(task: string, text: string, variables: Parameters): Promise<unknown>;
  /**
   * The names in the path of a repository's addresses. Refuses refs of other hosts: the token must
   * not travel there.
   */
  namesOf(ref: Pick<Ref, "host" | "owner" | "repo">): {
    readonly owner: string;
    readonly repo: string;
  };
}

export type Care = {
  /** Values among the parameters that must not come back in an error. */
  readonly secrets?: readonly string[];
  /**
   * Called immediately before each request leaves; what it rejects with the call rejects with, and
   * nothing is sent.
   */
  readonly beforeSending?: (() => Promise<void>) | undefined;
};
export type Parameters = Readonly<Record<string, Parameter>>;
type Parameter = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;
export type Answer = { readonly data: unknown; readonly link: string };
/** `date` is the host's clock as its header says it. */
export type Changed =
  | { readonly kind: "unchanged"; readonly date: string | null }
  | ({
      readonly kind: "fresh";
      readonly tag: string | null;
      readonly date: string | null;
    } & Answer);

export function createClient(options: CodeHostOptions): Client {
  const { token } = options;
  const now = options.now ?? Date.now;
  const apiBase = apiBaseOf(options);
  const access = { apiBase, token, userAgent: options.userAgent ?? "loop", fetch: options.fetch };
  const reading = createOctokit({ ...access, paced: false });
  // Two of them, because the plugin that paces writes lets questions of the query language wait in
  // the same queue.
  const writing = createOctokit({ ...access, paced: options.paced ?? !isThisMachine(apiBase) });
  const limits = createLimits(now);
  const failed = (error: unknown, task: string, secrets: readonly string[] = []): CodeHostError =>
    limits.failed(toHostError(error, { task, token, secrets }, now()), error);
  const ask = async (
    octokit: HostOctokit,
    task: string,
    route: string,
    params: Readonly<Record<string, unknown>>,
    secrets: readonly string[] = [],
  ): Promise<Changed> => {
    limits.check(task);
    try {
      const answer: { readonly data: unknown; readonly headers: unknown } = await octokit.request(
        route,
        params,
      );
      limits.answered(answer.headers);
      return {
        kind: "fresh",
        data: plain(answer.data),
        link: textAt(answer.headers, "link") ?? "",
        tag: textAt(answer.headers, "etag"),
        date: textAt(answer.headers, "date"),
      };
    } catch (error) {
      const withheld = withheldIn(error);
      if (withheld !== null) throw withheld.cause;
      // Octokit makes an error of an answer that says that nothing has changed.
      if (numberAt(error, "status") !== 304) throw failed(error, task, secrets);
      limits.answered(at(error, "response", "headers"));
      return { kind: "unchanged", date: textAt(error, "response", "headers", "date") };
    }
  };
  const remembered = createRemembered();
  /**
   * What was read before is asked for with its tag; whatever the answer, the caller gets the
   * content.
   */
  const read = async (task: string, route: string, params: Parameters): Promise<Answer> => {
    const { url, headers } = reading.request.endpoint(route, params);
    const address = `${headers.accept ?? ""} ${url}`; // One address has several forms.
    const tag = remembered.tagOf(address);
    const answer = await ask(
      reading,
      task,
      route,
      tag === null ? params : { ...params, headers: { "if-none-match": tag } },
    );
    if (answer.kind === "fresh") {
      const { data, link } = answer;
      remembered.keep(address, answer.tag, { data, link });
      return { data, link };
    }
    const known = remembered.recall(address);
    if (known === null)
      throw new CodeHostError(
        "LOOP_E_HOST_REFUSED",
        `${task}: the host says that nothing has changed, but was not asked that`,
      );
    return known;
  };
  const write = async (
    task: string,
    route: string,
    params: Parameters,
    { secrets = [], beforeSending }: Care = {},
  ): Promise<Answer> => {
    const guarded =
      beforeSending === undefined
        ? {}
        : { request: { fetch: guardedFetch(beforeSending, options.fetch) } };
    const answer = await ask(writing, task, route, { ...params, ...guarded }, secrets);
    if (answer.kind === "fresh") return answer;
    throw new CodeHostError(
      "LOOP_E_HOST_REFUSED",
      `${task}: the host says that nothing has changed, but was not asked that`,
    );
  };
  return {
    token,
    queries: !isGiteaLike(options.dialect) && token !== null,
    get: (task, path, params = {}) => read(task, `GET ${path}`, params),
    getIfChanged: (task, path, tag) =>
      ask(reading, task, `GET ${path}`, tag === null ? {} : { headers: { "if-none-match": tag } }),
    async *pages(task, path, params = {}) {
      limits.check(task);
      try {
        for await (const page of reading.paginate.iterator(`GET ${path}`, params)) {
          limits.answered(page.headers);
          if (!Array.isArray(page.data))
            throw new CodeHostError("LOOP_E_HOST_REFUSED", `${task}: the answer is no list`);
          yield listAt(plain(page.data));
        }
      } catch (error) {
        throw failed(error, task);
      }
    },
    budget: limits.budget,
    post: (task, path, params, care) =>
      token === null
        ? Promise.reject(
            new CodeHostError("LOOP_E_HOST_NO_TOKEN", `${task}: there is no token to write with`),
          )
        : write(task, `POST ${path}`, params, care),
    async delete(task, path, params) {
      if (token === null)
        throw new CodeHostError("LOOP_E_HOST_NO_TOKEN", `${task}: there is no token to write with`);
      try {
        await write(task, `DELETE ${path}`, params);
      } catch (error) {
        if (!(error instanceof CodeHostError && error.missing)) throw error;
      }
    },
    async query(task, text, variables) {
      limits.check(task);
      try {
        return await (text.startsWith("mutation") ? writing : reading).graphql<unknown>(
          text,
          variables,
        );
      } catch (error) {
        throw failed(error, task);
      }
    },
    namesOf(ref) {
      if (ref.host !== null && ref.host !== options.host?.toLowerCase())
        throw new CodeHostError(
          "LOOP_E_HOST_REFUSED",
          `${ref.host} is not the configured code host`,
        );
      return { owner: ref.owner, repo: ref.repo };
    },
  };
}

/**
 * What the host said about limits. While it wants to be left alone nothing is sent: calls in such a
 * time make it longer.
 */
function createLimits(now: () => number): {
  readonly budget: () => Budget | null;
  readonly check: (task: string) => void;
  readonly answered: (headers: unknown) => void;
  readonly failed: (failure: CodeHostError, error: unknown) => CodeHostError;
} {
  let budget: Budget | null = null;
  let quietUntil = 0;
  const answered = (headers: unknown): void => void (budget = readBudget(headers, now()) ?? budget);
  return {
    budget: () => budget,
    answered,
    check(task) {
      if (quietUntil > now())
        throw new CodeHostError(
          "LOOP_E_HOST_LIMIT",
          `${task}: not asked, the host wants to be left alone until ${new Date(quietUntil).toISOString()}`,
          quietUntil - now(),
        );
    },
    failed(failure, error) {
      answered(at(error, "response", "headers"));
      if (failure.code === "LOOP_E_HOST_LIMIT" && failure.retryAfterMs !== null)
        quietUntil = Math.max(quietUntil, now() + Math.min(failure.retryAfterMs, longestQuietMs));
      return failure;
    },
  };
}

/**
 * A reset that lies further away than any host's window is a clock that is wrong, in milliseconds.
 */
const longestQuietMs = 60 * 60 * 1000;

function isThisMachine(apiBase: string): boolean {
  const { hostname } = new URL(apiBase);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}
