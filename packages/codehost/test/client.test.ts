import { CodeHostError } from "@loopwork/core/ports";
import { secretOf } from "@loopwork/core/testing";
import { onTestFinished, describe, expect, test } from "vitest";
import { type Client, type CodeHostOptions, createClient } from "../src/client.ts";
import { createHostSetup } from "../src/index.ts";
import { type Asked, type Canned, serve } from "./server.ts";

const token = "tok-5ecret/12345+";

async function clientOf(
  answer: (asked: Asked, url: string) => Canned,
  more: Partial<CodeHostOptions> = {},
): Promise<{
  readonly client: Client;
  readonly asked: readonly Asked[];
  readonly url: string;
  readonly options: CodeHostOptions;
}> {
  const server = await serve((asked) => answer(asked, server.url));
  onTestFinished(server.stop);
  const options = { host: "example.org", apiBaseUrl: `${server.url}/api/v3`, token, ...more };
  return { client: createClient(options), asked: server.asked, url: server.url, options };
}

async function failureOf(call: Promise<unknown>): Promise<CodeHostError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof CodeHostError) return error;
  throw new Error(`expected a CodeHostError, got ${String(error)}`);
}

async function all(pages: AsyncIterable<readonly unknown[]>): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

describe("one call and the next", () => {
  test("each has its own time: what ends one call ends no other", async () => {
    const signals = new Set<AbortSignal | null | undefined>();
    const { client } = await clientOf(() => ({ body: {} }), {
      fetch: (input, init) => {
        signals.add(init?.signal);
        return fetch(input, init);
      },
    });
    await client.get("reading", "/x");
    await client.post("writing", "/x", { a: 1 });
    await client.get("reading", "/y");
    await client.query("asking", "query { viewer { login } }", {});
    expect([signals.size, signals.has(undefined)]).toEqual([4, false]);
  });

  test("a write that is not tried again leaves the reads after it as they are", async () => {
    const methods: string[] = [];
    const { client } = await clientOf(({ method }) => {
      methods.push(method);
      return method === "GET" && methods.filter((each) => each === "GET").length === 1
        ? { status: 502 }
        : { body: {} };
    });
    await client.post("writing", "/x", { a: 1 });
    await client.get("reading", "/y");
    expect(methods).toEqual(["POST", "GET", "GET"]);
  });
});

describe("trying again", () => {
  test("a read that met a failing server is tried once more", async () => {
    let calls = 0;
    const { client } = await clientOf(() =>
      ++calls === 1 ? { status: 502 } : { body: { fine: true } },
    );
    expect((await client.get("reading", "/x")).data).toEqual({ fine: true });
    expect(calls).toBe(2);
  });

  test("and not a third time", async () => {
    const { client, asked } = await clientOf(() => ({ status: 500 }));
    expect((await failureOf(client.get("reading", "/x"))).code).toBe("LOOP_E_HOST_SERVER");
    expect(asked).toHaveLength(2);
  });

  test("a write never: the first may have come through", async () => {
    const { client, asked } = await clientOf(() => ({ status: 502 }));
    await failureOf(client.post("posting", "/x", {}));
    await failureOf(client.query("asking", "query { x }", {}));
    expect(asked).toHaveLength(2);
  });

  test("nor what another try would not change", async () => {
    for (const status of [400, 401, 403, 404, 409, 410, 422]) {
      const { client, asked } = await clientOf(() => ({ status }));
      await failureOf(client.get("reading", "/x"));
      expect([status, asked.length]).toEqual([status, 1]);
    }
  });
});

describe("limits", () => {
  test("nobody sleeps in a call, and nothing is sent until the host's time is over", async () => {
    let now = 1_000_000;
    let limited = true;
    const { client, asked } = await clientOf(
      () => (limited ? { status: 429, headers: { "retry-after": "600" } } : {}),
      { now: () => now },
    );
    expect(await failureOf(client.get("reading", "/x"))).toMatchObject({
      code: "LOOP_E_HOST_LIMIT",
      retryAfterMs: 600_000,
    });
    now += 599_000;
    for (const call of [
      client.get("reading", "/x"),
      client.post("posting", "/x", {}),
      client.query("asking", "query { x }", {}),
      all(client.pages("listing", "/x")),
    ]) {
      expect(await failureOf(call)).toMatchObject({
        code: "LOOP_E_HOST_LIMIT",
        retryAfterMs: 1_000,
      });
    }
    expect(asked).toHaveLength(1);
    limited = false;
    now += 1_000;
    await client.get("reading", "/x");
    expect(asked).toHaveLength(2);
  });

  test("writes keep the distance that the host asks for; reads do not wait behind them", async () => {
    const reads = Promise.withResolvers<void>();
    const sent: number[] = [];
    const { client, asked } = await clientOf(() => ({ status: 201 }), {
      paced: true,
      fetch: async (input, init) => {
        if (String(input).endsWith("/reactions")) {
          sent.push(performance.now());
          await reads.promise;
        }
        return fetch(input, init);
      },
    });
    const react = (comment: number): Promise<unknown> =>
      client.post("reacting", `/repos/a/b/issues/comments/${comment}/reactions`, {});
    const writes = Promise.all([react(1), react(2)]);
    await client.get("reading", "/x");
    await client.query("asking", "query { x }", {});
    reads.resolve();
    await writes;
    expect((sent[1] ?? 0) - (sent[0] ?? 0)).toBeGreaterThanOrEqual(950);
    expect(asked).toHaveLength(4);
  });
});

describe("what was read before", () => {
  test("is asked for with its tag, and costs nothing while it has not changed", async () => {
    let version = 1;
    const { client, asked } = await clientOf(({ path, headers }) =>
      headers["if-none-match"] === `"${path}-${version}"`
        ? { status: 304 }
        : { body: { version }, headers: { etag: `"${path}-${version}"` } },
    );
    const read = async (path: string): Promise<unknown> => (await client.get("reading", path)).data;
    expect([await read("/x"), await read("/x"), await read("/y")]).toEqual([
      { version: 1 },
      { version: 1 },
      { version: 1 },
    ]);
    version = 2;
    expect([await read("/x"), await read("/x")]).toEqual([{ version: 2 }, { version: 2 }]);
    expect(asked.map(({ headers }) => headers["if-none-match"] ?? null)).toEqual([
      null,
      '"/api/v3/x-1"',
      null,
      '"/api/v3/x-1"',
      '"/api/v3/x-2"',
    ]);
  });

  test("is forgotten when much else was read since, and without a tag nothing is remembered", async () => {
    const { client, asked } = await clientOf(({ path }) =>
      path.endsWith("plain") ? {} : { headers: { etag: '"t"' } },
    );
    await client.get("reading", "/first");
    for (let n = 0; n < 200; n++) await client.get("reading", `/${n}`);
    await client.get("reading", "/first");
    await client.get("reading", "/plain");
    await client.get("reading", "/plain");
    expect(asked.slice(-3).map(({ headers }) => headers["if-none-match"] ?? null)).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe("lists", () => {
  test("page after page, as far as somebody goes on", async () => {
    const { client, asked } = await clientOf(({ path }, url) => {
      const page = Number(new URL(path, url).searchParams.get("page") ?? "1");
      return {
        body: [page],
        ...(page < 4
          ? { headers: { link: `<${url}/api/v3/x?page=${page + 1}>; rel="next"` } }
          : {}),
      };
    });
    expect(await all(client.pages("listing", "/x"))).toEqual([1, 2, 3, 4]);
    for await (const page of client.pages("listing", "/x")) if (page[0] === 2) break;
    expect(asked).toHaveLength(6);
  });

  test("a next page elsewhere is refused before the token travels there", async () => {
    const elsewhere = await serve(() => ({ body: [2] }));
    onTestFinished(elsewhere.stop);
    const { client } = await clientOf(() => ({
      body: [1],
      headers: { link: `<${elsewhere.url}/api/v3/x?page=2>; rel="next"` },
    }));
    expect(await failureOf(all(client.pages("listing", "/x")))).toMatchObject({
      code: "LOOP_E_HOST_REFUSED",
      message: expect.stringContaining("another host"),
    });
    expect(elsewhere.asked).toEqual([]);
  });

  test("what is no list is no empty list", async () => {
    const { client } = await clientOf(() => ({ body: { message: "hello" } }));
    expect((await failureOf(all(client.pages("listing", "/x")))).message).toBe(
      "listing: the answer is no list",
    );
  });
});

describe("P17: secrets show nowhere, by exact value", () => {
  const forms = [
    token,
    encodeURIComponent(token),
    Buffer.from(token).toString("base64"),
    JSON.stringify(token),
  ];
  const shown = (error: CodeHostError): string =>
    JSON.stringify([error.message, error.stack, String(error.cause)]);

  for (const status of [400, 401, 403, 404, 422, 500]) {
    test(`whatever the host echoes with ${status}`, async () => {
      const { client } = await clientOf(() => ({
        status,
        body: {
          message: forms.join(" "),
          errors: forms,
          documentation_url: `https://x/?t=${encodeURIComponent(token)}`,
        },
      }));
      for (const error of [
        await failureOf(client.get("reading", "/x")),
        await failureOf(client.post("posting", "/x", {})),
      ])
        for (const form of forms) expect(shown(error)).not.toContain(form);
    });
  }

  test("in an answer of the query language, in an address, and cut in the middle", async () => {
    const { client } = await clientOf(({ path }) =>
      path.includes("graphql")
        ? { body: { errors: [{ message: `no ${token}` }] } }
        : { status: 400, body: { message: `${"x".repeat(495)}${token}` } },
    );
    expect(shown(await failureOf(client.query("asking", "query { x }", {})))).not.toContain(token);
    expect(shown(await failureOf(client.get("reading", "/x")))).not.toContain(token.slice(0, 5));
    const lost = createClient({
      host: null,
      apiBaseUrl: "http://127.0.0.1:9",
      token,
      fetch: () =>
        Promise.reject(
          new TypeError("fetch failed", { cause: new Error(`header ${token} is odd`) }),
        ),
    });
    expect(shown(await failureOf(lost.get("reading", "/x")))).not.toContain(token);
  });

  test("the secret of a webhook that the host refuses", async () => {
    const { options } = await clientOf(({ method, body }) =>
      method === "GET" ? { body: [] } : { status: 422, body: { message: `odd: ${body}` } },
    );
    const error = await failureOf(
      createHostSetup(options).ensureWebhook(
        { host: null, owner: "a", repo: "b" },
        { url: "https://x", secret: secretOf("hush-hush-42"), events: [] },
      ),
    );
    expect(error.message).toContain("[redacted secret]");
    expect(shown(error)).not.toContain("hush-hush-42");
  });
});
