import { once } from "node:events";
import { createServer } from "node:http";
import { CodeHostError, verbatimPost } from "@loopwork/core/ports";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { createCodeHost, createMarks } from "../src/index.ts";
import { type Asked, type Canned, serve } from "./server.ts";

const thread = { host: null, owner: "maria", repo: "garden", number: 7 };
const token = "tok-5ecret-12345";
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of open.splice(0)) await stop();
});

async function hostThat(
  answer: (asked: Asked) => Canned,
  more: { readonly token?: string | null; readonly paced?: boolean } = {},
) {
  const server = await serve(answer);
  open.push(server.stop);
  const host = createCodeHost({
    host: "example.org",
    apiBaseUrl: `${server.url}/api/v3/`,
    token: more.token === undefined ? token : more.token,
    now: () => 1_000_000,
    paced: more.paced ?? false,
  });
  return { host, asked: server.asked };
}

async function failureOf(call: Promise<unknown>): Promise<CodeHostError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof CodeHostError) return error;
  throw new Error(`expected a CodeHostError, got ${String(error)}`);
}

describe("a guard that is asked before a comment leaves", () => {
  test(
    "is asked right before the request, after all waiting for a turn to write",
    { timeout: 60_000 },
    async () => {
      const order: string[] = [];
      const { host } = await hostThat(
        ({ body }) => (order.push(`sent ${body}`), { body: { id: 1 } }),
        { paced: true },
      );
      const post = (text: string): Promise<unknown> =>
        host.comment(thread, verbatimPost(text), async () => void order.push(`asked for ${text}`));
      await Promise.all([post("a"), post("b")]);
      expect(order).toEqual([
        "asked for a",
        'sent {"body":"a"}',
        "asked for b",
        'sent {"body":"b"}',
      ]);
    },
  );

  test("and what it rejects with the call rejects with: nothing is sent, and it is no failure of the host", async () => {
    const { host, asked } = await hostThat(() => ({ body: { id: 1 } }));
    const notOurs = new Error("another one has it");
    await expect(
      host.comment(thread, verbatimPost("hello"), () => Promise.reject(notOurs)),
    ).rejects.toBe(notOurs);
    expect(asked).toEqual([]);
  });
});

describe("failures are told apart", () => {
  const rows: readonly (readonly [string, Canned, string, number | null])[] = [
    ["404", { status: 404 }, "LOOP_E_HOST_NOT_FOUND", null],
    ["410", { status: 410 }, "LOOP_E_HOST_GONE", null],
    ["401", { status: 401 }, "LOOP_E_HOST_UNAUTHORIZED", null],
    ["403", { status: 403 }, "LOOP_E_HOST_FORBIDDEN", null],
    ["422 of a write", { status: 422 }, "LOOP_E_HOST_REFUSED", null],
    [
      "403 with nothing left of the hour",
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1060" } },
      "LOOP_E_HOST_LIMIT",
      60_000,
    ],
    [
      "403 of the second kind",
      { status: 403, body: { message: "You have exceeded a secondary rate limit" } },
      "LOOP_E_HOST_LIMIT",
      60_000,
    ],
    [
      "429 that says how long",
      { status: 429, headers: { "retry-after": "7" } },
      "LOOP_E_HOST_LIMIT",
      7_000,
    ],
    ["429 that does not", { status: 429 }, "LOOP_E_HOST_LIMIT", 60_000],
    ["502", { status: 502 }, "LOOP_E_HOST_SERVER", 30_000],
  ];
  for (const [name, canned, code, wait] of rows) {
    test(name, async () => {
      const { host } = await hostThat(() => canned);
      const error = await failureOf(host.comment(thread, verbatimPost("hello")));
      expect([error.code, error.retryAfterMs]).toEqual([code, wait]);
    });
  }

  test("nobody listens", async () => {
    const host = createCodeHost({ host: null, apiBaseUrl: "http://127.0.0.1:9", token });
    expect((await failureOf(host.comment(thread, verbatimPost("hello")))).code).toBe(
      "LOOP_E_HOST_UNREACHABLE",
    );
  });

  test("what answers speaks no TLS: one line that a person can read", async () => {
    const server = createServer((_request, response) => response.end("plain")).listen(
      0,
      "127.0.0.1",
    );
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("no port");
    const host = createCodeHost({
      host: null,
      apiBaseUrl: `https://127.0.0.1:${address.port}`,
      token,
    });
    const { code, message } = await failureOf(host.comment(thread, verbatimPost("hello")));
    expect(code).toBe("LOOP_E_HOST_UNREACHABLE");
    // The words are those of the OpenSSL that Node carries: the second ones come from Node 24.
    expect(message).toMatch(/SSL routines: (?:wrong version number|packet length too long)/);
    expect(message).not.toMatch(/\n|openssl|:error:/);
  });

  test("no token: writing is refused before anything is sent, reading says what is missing", async () => {
    const { host, asked } = await hostThat(() => ({ status: 401 }), { token: null });
    expect((await failureOf(host.comment(thread, verbatimPost("hello")))).code).toBe(
      "LOOP_E_HOST_NO_TOKEN",
    );
    expect(asked).toEqual([]);
    expect((await failureOf(host.pullRequest(thread))).code).toBe("LOOP_E_HOST_NO_TOKEN");
    expect(await host.ownAccount()).toBeNull();
    expect(await host.findComment(thread, "x", () => false)).toBeNull();
    expect(await host.closingReferences(thread)).toEqual([]);
  });

  test("a ref of another host is refused before the token travels anywhere", async () => {
    const { host, asked } = await hostThat(() => ({}));
    expect(
      (await failureOf(host.comment({ ...thread, host: "elsewhere.org" }, verbatimPost("hello"))))
        .code,
    ).toBe("LOOP_E_HOST_REFUSED");
    expect(asked).toEqual([]);
  });
});

describe("P17: no token shows", () => {
  test("not in an error, whatever the host echoes", async () => {
    const { host } = await hostThat(() => ({
      status: 400,
      body: { message: `bad header: token ${token}` },
    }));
    const error = await failureOf(host.comment(thread, verbatimPost("hello")));
    expect(error.message).toContain("[redacted token]");
    expect(JSON.stringify([error.message, error.stack, String(error.cause)])).not.toContain(token);
  });

  test("not foreign ones in an error either", async () => {
    const { host } = await hostThat(() => ({
      status: 400,
      body: { message: `odd: gh${"p_"}${"aB3".repeat(12)}` },
    }));
    expect((await failureOf(host.comment(thread, verbatimPost("hello")))).message).toContain(
      "odd: [redacted]",
    );
  });
});

test("a comment is posted word for word, because its marker is bound to the words", async () => {
  const { host, asked } = await hostThat(() => ({ status: 201, body: { id: 5 } }));
  await host.comment(thread, verbatimPost(`signed: ${token}`));
  expect(asked[0]?.body).toBe(JSON.stringify({ body: `signed: ${token}` }));
  expect(asked[0]?.authorization).toBe(`token ${token}`);
});

test("names with odd characters cannot change the address that is called", async () => {
  const { host, asked } = await hostThat(() => ({ status: 404 }));
  await failureOf(host.comment({ ...thread, repo: "../../user?x=#" }, verbatimPost("hello")));
  expect(asked[0]?.path).toBe("/api/v3/repos/maria/..%2F..%2Fuser%3Fx%3D%23/issues/7/comments");
});

test("our newest comment is looked for from the last page backwards, at most ten pages", async () => {
  const mine = { id: 900, body: "x <!-- loop:effect-1:h -->", user: { login: "Loop-Bot" } };
  const foreign = { id: 901, body: "x <!-- loop:effect-1:h -->", user: { login: "mallory" } };
  const { host, asked } = await hostThat(({ path }) => {
    if (path.endsWith("/user")) return { body: { login: "loop-bot" } };
    const page = Number(new URL(path, "http://x").searchParams.get("page"));
    return {
      body: page === 19 ? [mine, foreign] : [foreign],
      headers: { link: '<http://x/?page=20>; rel="last"' },
    };
  });
  expect(await host.findComment(thread, "<!-- loop:effect-1:", () => false)).toBe("900");
  expect(asked.map(({ path }) => new URL(path, "http://x").searchParams.get("page"))).toEqual([
    null,
    "1",
    "20",
    "19",
  ]);
  expect(await host.findComment(thread, "<!-- loop:effect-2:", () => false)).toBeNull();
  expect(asked.length).toBe(4 + 11);
});

test("a token that may not ask whose it is: its post is known by the key of its marker, and a copy of another's is none", async () => {
  const marks = createMarks(Buffer.alloc(32, 1));
  const [signed, forged] = [
    marks.sign(verbatimPost("hello"), "turn-1-a"),
    `mine ${marks.marker("turn-1-b")}forged -->`,
  ];
  const { host } = await hostThat(({ path }) =>
    path.endsWith("/user")
      ? { status: 403 }
      : {
          body: [
            { id: 900, body: signed, user: { login: "app[bot]" } },
            { id: 901, body: forged, user: { login: "mallory" } },
          ],
        },
  );
  expect(await host.findComment(thread, marks.marker("turn-1-a"), marks.isOurs)).toBe("900");
  expect(await host.findComment(thread, marks.marker("turn-1-b"), marks.isOurs)).toBeNull();
  expect(await host.findComment(thread, marks.marker("turn-1-c"), marks.isOurs)).toBeNull();
});

test("a host that is away while it is asked whose token it is says nothing about a post", async () => {
  const { host } = await hostThat(({ path }) =>
    path.endsWith("/user") ? { status: 502 } : { body: [] },
  );
  expect((await failureOf(host.findComment(thread, "x", () => true))).code).toBe(
    "LOOP_E_HOST_SERVER",
  );
});

test("the login is asked once, and again after a failure", async () => {
  let calls = 0;
  const { host } = await hostThat(() =>
    ++calls === 1 ? { status: 401 } : { body: { login: "maria" } },
  );
  expect((await failureOf(host.ownAccount())).code).toBe("LOOP_E_HOST_UNAUTHORIZED");
  expect([await host.ownAccount(), await host.ownAccount(), calls]).toMatchObject([
    { login: "maria" },
    { login: "maria" },
    2,
  ]);
});

test("a review whose host has no query language gets no reaction, and that is no failure", async () => {
  const { host } = await hostThat(({ path }) =>
    path.includes("graphql") ? { status: 404 } : { body: { node_id: "n1" } },
  );
  await expect(
    host.react({ thread, surface: "review", commentId: "3" }, "eyes"),
  ).resolves.toBeUndefined();
});
