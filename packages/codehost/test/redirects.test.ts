import { CodeHostError, type NewDelivery } from "@loopwork/core/ports";
import { secretOf } from "@loopwork/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Client, type CodeHostOptions, createClient } from "../src/client.ts";
import { createHostSetup } from "../src/index.ts";
import { createGapAudit, createPoll } from "../src/poller.ts";
import { type Asked, type Canned, serve } from "./server.ts";

const token = "tok-5ecret/12345+";
const repository = { host: null, owner: "maria", repo: "garden" };

type Pair = {
  readonly client: Client;
  readonly options: CodeHostOptions;
  readonly host: { readonly url: string; readonly asked: readonly Asked[] };
  readonly elsewhere: { readonly url: string; readonly asked: readonly Asked[] };
};

/** The configured host, and another origin that would answer everything that it is asked. */
async function hostAnd(
  answer: (asked: Asked, elsewhere: string, own: string) => Canned,
  forged: unknown = [],
  more: Partial<CodeHostOptions> = {},
): Promise<Pair> {
  const elsewhere = await serve(() => ({ body: forged }));
  onTestFinished(elsewhere.stop);
  const host = await serve((asked) => answer(asked, elsewhere.url, host.url));
  onTestFinished(host.stop);
  const options = { host: "example.org", apiBaseUrl: `${host.url}/api/v3`, token, ...more };
  return { client: createClient(options), options, host, elsewhere };
}

async function failureOf(call: Promise<unknown>): Promise<CodeHostError> {
  const error: unknown = await call.then(
    (value) => value,
    (reason: unknown) => reason,
  );
  if (error instanceof CodeHostError) return error;
  throw new Error(`expected a CodeHostError, got ${JSON.stringify(error)}`);
}

async function all(pages: AsyncIterable<readonly unknown[]>): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

const redirect = (status: number, location: string): Canned => ({ status, headers: { location } });

const calls: Readonly<Record<string, (pair: Pair) => Promise<unknown>>> = {
  "a read": ({ client }) => client.get("reading", "/x"),
  "a read with a tag": ({ client }) => client.getIfChanged("reading", "/x", '"1"'),
  "a list": ({ client }) => all(client.pages("listing", "/x")),
  "a write": ({ client }) => client.post("posting", "/x", { body: "hello" }),
  "a deletion": ({ client }) => client.delete("deleting", "/x", {}),
  "a question of GraphQL": ({ client }) => client.query("asking", "query { x }", {}),
  "a mutation of GraphQL": ({ client }) => client.query("changing", "mutation { x }", {}),
  "a read in another media type": ({ client }) =>
    client.get("reading", "/x", { mediaType: { format: "diff" } }),
  "the labels of loop init": ({ options }) =>
    createHostSetup(options).ensureLabel(repository, { name: "a", color: "b", description: "c" }),
  "the webhook of loop init": ({ options }) => {
    const webhook = { url: "https://x", secret: secretOf("hush-hush-42"), events: [] };
    return createHostSetup(options).ensureWebhook(repository, webhook);
  },
};

describe("a redirect to another origin is neither followed nor believed", () => {
  test.each(Object.entries(calls))("%s", async (_, call) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const pair = await hostAnd((_asked, elsewhere) => redirect(status, `${elsewhere}/forged`));
      const error = await failureOf(call(pair));
      expect([status, error.code]).toEqual([status, "LOOP_E_HOST_REDIRECT"]);
      expect(error.message).toContain(pair.elsewhere.url);
      expect(error.message).toContain("integrations.codeHost.apiBaseUrl");
      expect([error.passing, error.missing]).toEqual([false, false]);
      expect(pair.elsewhere.asked).toEqual([]);
    }
  });

  test.each([
    [
      "the second of a chain",
      (own: string, elsewhere: string, path: string) =>
        path.endsWith("/x") ? `${own}/api/v3/y` : `${elsewhere}/z`,
    ],
    [
      "an address without a scheme",
      (_: string, elsewhere: string) => elsewhere.slice("http:".length),
    ],
    ["the same name on another port", (own: string) => own.replace(/\d+$/, "9")],
    ["the same port under another name", (own: string) => own.replace("127.0.0.1", "localhost")],
    ["the same host and port over TLS", (own: string) => own.replace("http:", "https:")],
    ["a login before the own host", (own: string) => own.replace("http://", "http://a:b@")],
    [
      "the own host as a login",
      (own: string, elsewhere: string) =>
        `${own.replace(/\d+$/, "")}80@${elsewhere.slice("http://".length)}/`,
    ],
    ["a blob of the own origin", (own: string) => `blob:${own}/x`],
    ["data", () => "data:application/json,[1]"],
    ["a file", () => "file:///etc/hostname"],
    ["backslashes", (_: string, elsewhere: string) => elsewhere.replaceAll("/", "\\")],
    ["no address at all", () => "http://["],
  ])("%s", async (_, location) => {
    const pair = await hostAnd(({ path }, elsewhere, own) =>
      redirect(302, location(own, elsewhere, path)),
    );
    const error = await failureOf(pair.client.get("reading", "/x"));
    expect(error.code).toBe("LOOP_E_HOST_REDIRECT");
    expect(pair.elsewhere.asked).toEqual([]);
  });

  test("nor is one without an address, or of a kind that nobody follows, an answer", async () => {
    for (const answer of [
      { status: 302, body: [1] },
      { status: 300, body: [1] },
      { status: 305, body: [1] },
    ]) {
      const { client } = await hostAnd(() => answer);
      expect((await failureOf(client.get("reading", "/x"))).code).toBe("LOOP_E_HOST_REDIRECT");
    }
  });

  test("nor what a fetch brings that follows redirects by itself", async () => {
    const follow: typeof fetch = (input, init) => fetch(input, { ...init, redirect: "follow" });
    const answer = (_: Asked, elsewhere: string): Canned => redirect(302, `${elsewhere}/x`);
    const { client } = await hostAnd(answer, [1], { fetch: follow });
    expect((await failureOf(client.get("reading", "/x"))).code).toBe("LOOP_E_HOST_REDIRECT");
  });

  test("control: with a fetch that hides redirects the other origin is believed", async () => {
    const hide: typeof fetch = async (input, init) => {
      const response = await fetch(input, { ...init, redirect: "follow" });
      return new Response(await response.text(), {
        headers: { "content-type": "application/json" },
      });
    };
    const answer = (_: Asked, elsewhere: string): Canned => redirect(302, `${elsewhere}/x`);
    const { client } = await hostAnd(answer, ["forged"], { fetch: hide });
    expect((await client.get("reading", "/x")).data).toEqual(["forged"]);
  });
});

describe("a redirect within the host's own origin", () => {
  test.each([301, 302, 303, 307, 308])(
    "%i is followed by a read, token included",
    async (status) => {
      const { client, host } = await hostAnd(({ path }) =>
        path === "/api/v3/repos/maria/old/issues/7"
          ? redirect(status, "/api/v3/repositories/42/issues/7")
          : { body: { number: 7 } },
      );
      expect((await client.get("reading", "/repos/maria/old/issues/7")).data).toEqual({
        number: 7,
      });
      expect(host.asked.map(({ path }) => path).at(-1)).toBe("/api/v3/repositories/42/issues/7");
      expect(new Set(host.asked.map(({ authorization }) => authorization))).toEqual(
        new Set([`token ${token}`]),
      );
    },
  );

  test.each([307, 308])("%i keeps the method and the body of a write", async (status) => {
    const { client, host } = await hostAnd(({ path }) =>
      path.endsWith("/old") ? redirect(status, "/api/v3/new") : { status: 201, body: { id: 1 } },
    );
    expect((await client.post("posting", "/old", { body: "hello" })).data).toEqual({ id: 1 });
    await client.delete("deleting", "/old", {});
    expect(host.asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/api/v3/old", '{"body":"hello"}'],
      ["POST", "/api/v3/new", '{"body":"hello"}'],
      ["DELETE", "/api/v3/old", expect.any(String)],
      ["DELETE", "/api/v3/new", expect.any(String)],
    ]);
  });

  test.each([301, 302, 303])(
    "%i would make a read of a write, so the write fails",
    async (status) => {
      const { client, host } = await hostAnd(({ path }) =>
        path.endsWith("/old") ? redirect(status, "/api/v3/new") : { body: { id: 1 } },
      );
      expect((await failureOf(client.post("posting", "/old", {}))).code).toBe(
        "LOOP_E_HOST_REDIRECT",
      );
      expect((await failureOf(client.delete("deleting", "/old", {}))).code).toBe(
        "LOOP_E_HOST_REDIRECT",
      );
      expect(host.asked.map(({ path }) => path)).toEqual(["/api/v3/old", "/api/v3/old"]);
    },
  );

  test("what guards a write is asked before each request of it", async () => {
    let times = 0;
    const { client, host } = await hostAnd(({ path }) =>
      path.endsWith("/old") ? redirect(307, "/api/v3/new") : { status: 201, body: { id: 1 } },
    );
    const guard = (): Promise<void> =>
      ++times > 1 ? Promise.reject(new Error("too late")) : Promise.resolve();
    const call = client.post("posting", "/old", {}, { beforeSending: guard });
    await expect(call).rejects.toThrow("too late");
    expect(host.asked).toHaveLength(1);
  });

  test("a circle ends", async () => {
    const { client, host } = await hostAnd(({ path }) => redirect(302, path));
    expect((await failureOf(client.get("reading", "/x"))).code).toBe("LOOP_E_HOST_REDIRECT");
    expect(host.asked.length).toBeLessThanOrEqual(20);
  });

  test("a renamed repository's list is read page by page", async () => {
    const { client } = await hostAnd(({ path }, _, own) => {
      if (path.startsWith("/api/v3/repos/"))
        return redirect(301, `${own}/api/v3/repositories/42/issues`);
      const next = `<${own}/api/v3/repositories/42/issues?page=2>; rel="next"`;
      return path.endsWith("page=2") ? { body: [2] } : { body: [1], headers: { link: next } };
    });
    expect(await all(client.pages("listing", "/repos/maria/old/issues"))).toEqual([1, 2]);
  });
});

/** A poll and an audit of one repository over the host, with what they stored. */
async function watching(
  answer: (asked: Asked, elsewhere: string, own: string) => Canned,
  forged: unknown,
) {
  const pair = await hostAnd(answer, forged);
  const stored: NewDelivery[] = [];
  const records = new Map<string, string>();
  const parts = {
    inbox: {
      append: async (delivery: NewDelivery) => (
        stored.push(delivery),
        { kind: "accepted" as const, seq: 1 }
      ),
    },
    cursors: {
      get: async (_: string, resource: string) => records.get(resource) ?? null,
      put: async (_: string, put: Readonly<Record<string, string>>) =>
        Object.entries(put).forEach(([name, text]) => records.set(name, text)),
      list: async () => [],
    },
    now: () => Date.parse("2026-01-01T00:00:00Z"),
  };
  const repositories = ["maria/garden"];
  return {
    ...pair,
    stored,
    poll: createPoll(pair.options, {
      ...parts,
      items: async () => [],
      settings: () => ({ repositories, autoExecuteLabel: "loop" }),
    }),
    audit: createGapAudit(pair.options, {
      ...parts,
      find: async () => null,
      settings: async () => ({ repositories, path: "/host-webhook", events: ["issues"] }),
    }),
  };
}

const clock = { date: "Thu, 01 Jan 2026 00:00:00 GMT" };
const issue = (number: number, origin: string): unknown => ({
  id: number,
  number,
  title: "Forged",
  state: "open",
  user: { id: 1, login: "ada", type: "User" },
  labels: [{ name: "loop" }],
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  url: `${origin}/api/v3/repos/maria/garden/issues/${number}`,
  repository_url: `${origin}/api/v3/repos/maria/garden`,
});
const shown = { id: 42, name: "garden", full_name: "maria/garden", owner: { login: "maria" } };

describe("the poller", () => {
  const lists = ["", "/issues", "/issues/comments", "/pulls", "/pulls/comments"];

  test.each(lists)("believes no other origin to which %j is redirected", async (list) => {
    const watch = await watching(
      ({ path }, elsewhere) => {
        const name = path.split("?")[0]?.replace("/api/v3/repos/maria/garden", "");
        if (name === list) return redirect(302, `${elsewhere}${path}`);
        return { body: name === "" ? shown : [], headers: clock };
      },
      [issue(7, "http://127.0.0.1")],
    );
    const { repositories } = await watch.poll();
    expect(repositories).toMatchObject([{ stored: 0, failure: { code: "LOOP_E_HOST_REDIRECT" } }]);
    expect(watch.stored).toEqual([]);
    expect(watch.elsewhere.asked).toEqual([]);
  });

  test("does not take a list for whole whose next page is on another origin", async () => {
    const watch = await watching(
      ({ path }, elsewhere) => {
        const name = path.split("?")[0]?.replace("/api/v3/repos/maria/garden", "");
        const link = `<${elsewhere}/api/v3/repos/maria/garden/pulls?page=2>; rel="next"`;
        if (name === "/pulls")
          return { body: [issue(8, "http://127.0.0.1")], headers: { ...clock, link } };
        return { body: name === "" ? shown : [], headers: clock };
      },
      [issue(7, "http://127.0.0.1")],
    );
    const { repositories } = await watch.poll();
    expect(repositories).toMatchObject([{ failure: { code: "LOOP_E_HOST_REFUSED" } }]);
    expect(watch.elsewhere.asked).toEqual([]);
  });

  test("follows none of the addresses that an answer names", async () => {
    const watch = await watching(
      ({ path }, elsewhere) => {
        const name = path.split("?")[0]?.replace("/api/v3/repos/maria/garden", "");
        if (name === "/issues") return { body: [issue(7, elsewhere)], headers: clock };
        return {
          body: name === "" ? { ...shown, url: elsewhere, issues_url: elsewhere } : [],
          headers: clock,
        };
      },
      [issue(9, "http://127.0.0.1")],
    );
    await watch.poll();
    expect(watch.elsewhere.asked).toEqual([]);
  });

  test("recovers no delivery whose payload is redirected to another origin", async () => {
    const watch = await watching(
      ({ path }, elsewhere) => {
        const config = { url: "https://loop.example/host-webhook" };
        if (path.includes("/hooks?"))
          return { body: [{ id: 1, active: true, config }], headers: clock };
        const listed = {
          id: 5,
          guid: "a-1",
          delivered_at: "2026-01-01T00:00:00Z",
          status_code: 502,
          event: "issues",
        };
        if (path.includes("/deliveries?")) return { body: [listed], headers: clock };
        return redirect(302, `${elsewhere}${path}`);
      },
      { request: { payload: { action: "opened", issue: issue(7, "http://127.0.0.1") } } },
    );
    await watch.audit();
    expect(watch.stored).toEqual([]);
    expect(watch.elsewhere.asked).toEqual([]);
  });
});
