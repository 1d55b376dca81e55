import type { Ref } from "@loopwork/core";
import { CodeHostError } from "@loopwork/core/ports";
import { Octokit } from "@octokit/core";
import { apiBaseOf, type Dialect, isGiteaLike } from "./address.ts";
import { type Budget, readBudget } from "./budget.ts";
import { at, numberAt, textAt } from "./fields.ts";
import { toHostError } from "./failure.ts";

export type CodeHostOptions = {
  /** Domain of the host; the default one when null. */
  readonly host: string | null;
  /** Base of its interface; derived from host and dialect when missing. */
  readonly apiBaseUrl?: string | null;
  readonly dialect?: Dialect;
  /** From the environment only (decisions.md 2). Without it the host can be read as far as it is public. */
  readonly token: string | null;
  readonly fetch?: typeof globalThis.fetch;
  readonly userAgent?: string;
  readonly now?: () => number;
};

/** Calls to one host, with failures already told apart. `task` names the call in errors. */
export interface Client {
  readonly token: string | null;
  /** Whether the host answers the query language. */
  readonly queries: boolean;
  get(task: string, path: string, params?: Parameters): Promise<Answer>;
  /** Asks with the tag of an earlier answer: what has not changed since comes without content, and counts against no limit. */
  getIfChanged(task: string, path: string, tag: string | null): Promise<Changed>;
  /** What the host said last about how much may still be asked; null while it has said nothing. */
  budget(): Budget | null;
  post(task: string, path: string, params: Parameters): Promise<Answer>;
  query(task: string, text: string, variables: Parameters): Promise<unknown>;
  /** The names in the path of a repository's addresses. Refuses refs of other hosts: the token must not travel there. */
  namesOf(ref: Pick<Ref, "host" | "owner" | "repo">): { readonly owner: string; readonly repo: string };
}

export type Parameters = Readonly<Record<string, Parameter>>;
type Parameter = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;
export type Answer = { readonly data: unknown; readonly link: string };
/** `date` is the host's clock as its header says it. */
export type Changed = { readonly kind: "unchanged"; readonly date: string | null } | ({ readonly kind: "fresh"; readonly tag: string | null; readonly date: string | null } & Answer);

/** Longest that one call may take, in milliseconds. */
const patienceMs = 20_000;

export function createClient(options: CodeHostOptions): Client {
  const { token } = options;
  const now = options.now ?? Date.now;
  const octokit = new Octokit({ baseUrl: apiBaseOf(options), userAgent: options.userAgent ?? "loop", ...(token === null ? {} : { auth: token }), ...(options.fetch === undefined ? {} : { request: { fetch: options.fetch } }) });
  let budget: Budget | null = null;
  const ask = async (task: string, route: string, params: Readonly<Record<string, unknown>>): Promise<Changed> => {
    try {
      const answer: { readonly data: unknown; readonly headers: unknown } = await octokit.request(route, { ...params, request: { signal: AbortSignal.timeout(patienceMs) } });
      budget = readBudget(answer.headers) ?? budget;
      return { kind: "fresh", data: answer.data, link: textAt(answer.headers, "link") ?? "", tag: textAt(answer.headers, "etag"), date: textAt(answer.headers, "date") };
    } catch (error) {
      const headers = at(error, "response", "headers");
      budget = readBudget(headers) ?? budget;
      // Octokit makes an error of an answer that says that nothing has changed.
      if (numberAt(error, "status") === 304) return { kind: "unchanged", date: textAt(headers, "date") };
      throw toHostError(error, task, token, now());
    }
  };
  const call = async (task: string, route: string, params: Parameters): Promise<Answer> => {
    const answer = await ask(task, route, params);
    if (answer.kind === "fresh") return answer;
    throw new CodeHostError("LOOP_E_HOST_REFUSED", `${task}: the host says that nothing has changed, but was not asked that`);
  };
  return {
    token,
    queries: !isGiteaLike(options.dialect) && token !== null,
    get: (task, path, params = {}) => call(task, `GET ${path}`, params),
    getIfChanged: (task, path, tag) => ask(task, `GET ${path}`, tag === null ? {} : { headers: { "if-none-match": tag } }),
    budget: () => budget,
    post: (task, path, params) => (token === null ? Promise.reject(new CodeHostError("LOOP_E_HOST_NO_TOKEN", `${task}: there is no token to write with`)) : call(task, `POST ${path}`, params)),
    async query(task, text, variables) {
      try {
        return await octokit.graphql<unknown>(text, { ...variables, request: { signal: AbortSignal.timeout(patienceMs) } });
      } catch (error) {
        throw toHostError(error, task, token, now());
      }
    },
    namesOf(ref) {
      if (ref.host !== null && ref.host !== options.host?.toLowerCase()) throw new CodeHostError("LOOP_E_HOST_REFUSED", `${ref.host} is not the configured code host`);
      return { owner: ref.owner, repo: ref.repo };
    },
  };
}
