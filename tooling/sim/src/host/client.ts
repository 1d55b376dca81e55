import type { Client } from "@loopwork/codehost";
import { CodeHostError } from "@loopwork/core/ports";
import { answerCall } from "@loopwork-tooling/practice-host/world";
import type { Random } from "../random.ts";
import type { Life } from "../world/life.ts";
import { agentToken, type Host, origin } from "./host.ts";

/** How often the host fails a call; shares from 0 to 1. */
export type HostTrouble = {
  /** It cannot be reached, and nothing happened there. */
  readonly unreachable: number;
  /** It does what it was asked, and the answer never comes. */
  readonly answerLost: number;
  /** It asks to wait. */
  readonly limited: number;
  /** Milliseconds that a call may take. */
  readonly slowestMs: number;
};

/** What the host has sent, and sending it again. */
export type Sent = NonNullable<Parameters<typeof answerCall>[2]["sent"]>;

type Reply = {
  readonly status: number;
  readonly data: unknown;
  readonly link: string;
  readonly tag: string | null;
};

/**
 * The code host's client over the host in memory: what is real above it is `@loopwork/codehost`.
 */
export function createSimulatedClient(
  host: Host,
  life: Life,
  random: Random,
  sent: Sent,
  trouble: () => HostTrouble,
): Client {
  const user = host.state.users.find(({ token }) => token === agentToken) ?? null;
  const date = (): string => new Date(host.state.clock.now()).toUTCString();
  const answer = async (
    method: string,
    address: string,
    body: Readonly<Record<string, unknown>>,
    tag: string | null,
  ): Promise<Reply> => {
    const url = new URL(address.startsWith("http") ? address : `${origin.apiUrl}${address}`);
    const path = url.pathname.startsWith("/api/v3/")
      ? url.pathname.slice("/api/v3".length)
      : url.pathname;
    const commit = /^\/repos\/[^/]+\/[^/]+\/commits\/([0-9a-f]+)\/pulls$/.exec(path)?.[1];
    if (commit !== undefined)
      return { status: 200, data: pullsOf(host, commit), link: "", tag: null };
    const call = {
      state: host.state,
      origin,
      url,
      body,
      user,
      announceOf: () => host.announce,
      aim: () => {},
      sent,
    };
    const made = await answerCall(method, path, call, tag ?? undefined);
    return {
      status: made.status,
      data: made.body,
      link: made.headers?.["link"] ?? "",
      tag: made.headers?.["etag"] ?? null,
    };
  };
  const ask = async (
    task: string,
    method: string,
    path: string,
    body: Readonly<Record<string, unknown>>,
    tag: string | null,
    beforeSending?: () => Promise<void>,
  ): Promise<Reply> => {
    const { unreachable, answerLost, limited, slowestMs } = trouble();
    await life.wait(random.int(1, slowestMs));
    if (random.chance(unreachable))
      return fail(`${task}: unreachable`, "LOOP_E_HOST_UNREACHABLE", 1_000);
    if (random.chance(limited))
      return fail(`${task}: the host asks to wait`, "LOOP_E_HOST_LIMIT", 5_000);
    await beforeSending?.();
    const reply = await life.call(
      `host ${method} ${path.split("?")[0]}`,
      () => answer(method, path, body, tag),
      () => JSON.stringify(body),
    );
    await life.wait(random.int(1, slowestMs));
    if (random.chance(answerLost))
      return fail(`${task}: the answer was lost`, "LOOP_E_HOST_UNREACHABLE", 1_000);
    if (reply.status === 404) return fail(`${task}: not found`, "LOOP_E_HOST_NOT_FOUND", null);
    if (reply.status >= 400)
      return fail(`${task}: ${JSON.stringify(reply.data)}`, "LOOP_E_HOST_REFUSED", null);
    return reply;
  };
  return {
    token: agentToken,
    queries: true,
    get: async (task, path, params = {}) => ask(task, "GET", withQuery(path, params), {}, null),
    async getIfChanged(task, path, tag) {
      const reply = await ask(task, "GET", path, {}, tag);
      if (reply.status === 304) return { kind: "unchanged", date: date() };
      return { kind: "fresh", data: reply.data, link: reply.link, tag: reply.tag, date: date() };
    },
    async *pages(task, path, params = {}) {
      let address: string | null = withQuery(path, params);
      while (address !== null) {
        const reply: Reply = await ask(task, "GET", address, {}, null);
        yield Array.isArray(reply.data) ? reply.data : [];
        address = /<([^>]+)>; rel="next"/.exec(reply.link)?.[1] ?? null;
      }
    },
    budget: () => null,
    post(task, path, params, care) {
      const { path: filled, rest } = fill(path, params);
      return ask(task, "POST", filled, rest, null, care?.beforeSending);
    },
    async delete(task, path, params) {
      const { path: filled, rest } = fill(path, params);
      await ask(task, "DELETE", filled, rest, null);
    },
    async query(task, text, variables) {
      const { data } = await ask(
        task,
        "POST",
        "https://code.example/api/graphql",
        { query: text, variables },
        null,
      );
      return typeof data === "object" && data !== null && "data" in data ? data.data : null;
    },
    namesOf: ({ owner, repo }) => ({ owner, repo }),
  };
}

async function fail(
  detail: string,
  code: CodeHostError["code"],
  retryAfterMs: number | null,
): Promise<never> {
  throw new CodeHostError(code, detail, retryAfterMs);
}

function pullsOf(host: Host, commit: string): readonly unknown[] {
  return host.repository.items
    .filter(({ open, pull }) => open && pull?.head.sha === commit)
    .map(({ number }) => ({ number, state: "open" }));
}

/** The address with its names filled in, and what is left of the parameters. */
function fill(
  path: string,
  params: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly rest: Readonly<Record<string, unknown>> } {
  let filled = path;
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(params)) {
    if (filled.includes(`{${name}}`))
      filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    else rest[name] = value;
  }
  return { path: filled, rest };
}

function withQuery(path: string, params: Readonly<Record<string, unknown>>): string {
  const { path: filled, rest } = fill(path, params);
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
  ).toString();
  return query === "" ? filled : `${filled}${filled.includes("?") ? "&" : "?"}${query}`;
}
