import { createServer, request } from "node:http";
import { once } from "node:events";
import { createMemoryInbox } from "@loopwork/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { createReceiver } from "../src/index.ts";
import { temporaryFolder } from "./file-inbox/opening.ts";
import { startBin } from "./support/bin.ts";
import { deliveryBytes, receiving, send, serving, summary } from "./support/receiving.ts";
import { exchange } from "./support/raw-http.ts";

const refused = [401, "LOOP_E_UNSIGNED_FORWARDED"] as const;

/** The delivery, addressed to a host. */
const addressedTo = (host: string): Buffer =>
  Buffer.from(
    deliveryBytes({ signature: null })
      .toString("latin1")
      .replace("Host: 127.0.0.1", `Host: ${host}`),
    "latin1",
  );

describe("a receiver without a secret", () => {
  test.each([
    ["Forwarded", "for=203.0.113.7"],
    ["X-Forwarded-For", "203.0.113.7"],
    ["X-Forwarded-Host", "hooks.example.org"],
    ["X-Forwarded-Proto", "https"],
    ["x-forwarded-anything", ""],
    ["Via", "1.1 proxy"],
    ["X-Real-IP", "203.0.113.7"],
    ["CF-Connecting-IP", "203.0.113.7"],
    ["True-Client-IP", "203.0.113.7"],
    ["Origin", "https://evil.example"],
    ["Sec-Fetch-Site", "cross-site"],
    ["X-Forwarded", "for=203.0.113.7"],
    ["X-Original-Forwarded-For", "203.0.113.7"],
    ["X-Cluster-Client-Ip", "203.0.113.7"],
    ["X-Envoy-External-Address", "203.0.113.7"],
    ["X-Amzn-Trace-Id", "Root=1"],
    ["CDN-Loop", "cdn"],
    ["Fastly-Client-IP", "203.0.113.7"],
    ["X-Azure-ClientIP", "203.0.113.7"],
    ["Cookie", "a=b"],
    ["X-Request-Id", "1"],
  ])("refuses a request that carries %s", async (name, value) => {
    const { port, stored } = await receiving({ secrets: [] });
    expect(summary(await send(port, { signature: null, extra: [[name, value]] }))).toEqual(refused);
    expect(stored).toEqual([]);
  });

  test.each([
    "hooks.example.org",
    "hooks.example.org:8787",
    "10.0.0.5",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "[2001:db8::1]:8787",
    "[::1]x",
    "",
    "0.0.0.0",
  ])("refuses a request that is addressed to %j", async (host) => {
    const { port, stored } = await receiving({ secrets: [] });
    expect(summary(await exchange(port, addressedTo(host)))).toEqual(refused);
    expect(stored).toEqual([]);
  });

  test("refuses what a proxy sends on by HTTP/1.0, as nginx does unless it is told otherwise", async () => {
    const { port, stored } = await receiving({ secrets: [] });
    const bytes = Buffer.from(
      deliveryBytes({ signature: null })
        .toString("latin1")
        .replace(" HTTP/1.1\r\n", " HTTP/1.0\r\nConnection: close\r\n"),
      "latin1",
    );
    expect(summary(await exchange(port, bytes))).toEqual(refused);
    expect(stored).toEqual([]);
  });

  test("accepts what Node's own fetch and curl send", async () => {
    const { port } = await receiving({ secrets: [] });
    const sent = await fetch(`http://127.0.0.1:${port}/host-webhook`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-github-event": "issues",
        "x-github-delivery": "d-fetch",
      },
      body: "{}",
    });
    expect(sent.status).toBe(202);
    expect(
      (
        await send(port, {
          id: "d-curl",
          signature: null,
          extra: [
            ["User-Agent", "curl/8.5.0"],
            ["Accept", "*/*"],
          ],
        })
      ).status,
    ).toBe(202);
  });

  test.each(["localhost", "LOCALHOST:8787", "127.0.0.1:8787", "127.3.2.1", "[::1]:8787", "[::1]"])(
    "accepts a request of this machine that is addressed to %s",
    async (host) => {
      const { port, stored } = await receiving({ secrets: [] });
      expect((await exchange(port, addressedTo(host))).status).toBe(202);
      expect(stored).toMatchObject([{ verified: false }]);
    },
  );

  test("refuses what a reverse proxy forwards, and takes it once the operator insists", async () => {
    const outcomes: (number | undefined)[] = [];
    for (const allowUnsigned of [false, true]) {
      const { port } = await receiving({ secrets: [], allowUnsigned });
      const proxy = await serving((incoming, outgoing) => {
        const forwarded = request(
          {
            port,
            host: "127.0.0.1",
            method: "POST",
            path: incoming.url,
            headers: {
              ...incoming.headers,
              host: "hooks.example.org",
              "x-forwarded-for": "203.0.113.7",
            },
          },
          (answer) => {
            outgoing.writeHead(answer.statusCode ?? 0);
            answer.pipe(outgoing);
          },
        );
        incoming.pipe(forwarded);
      });
      outcomes.push((await send(proxy, { signature: null })).status);
    }
    expect(outcomes).toEqual([401, 202]);
  });

  test("control: with allowUnsigned, what carries X-Forwarded-For is stored", async () => {
    const { port, stored } = await receiving({ secrets: [], allowUnsigned: true });
    expect(
      (await send(port, { signature: null, extra: [["X-Forwarded-For", "203.0.113.7"]] })).status,
    ).toBe(202);
    expect(stored).toHaveLength(1);
  });

  test("mounted in an application that listens on every interface, takes no request of another machine", async () => {
    const inbox = createMemoryInbox();
    const { handler } = createReceiver({ inbox, secrets: [] });
    const server = createServer((incoming, outgoing) => {
      Object.defineProperty(incoming.socket, "remoteAddress", { value: "203.0.113.7" });
      handler(incoming, outgoing);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const address = server.address();
    expect(
      summary(
        await send(typeof address === "object" && address !== null ? address.port : 0, {
          signature: null,
        }),
      ),
    ).toEqual(refused);
    expect(inbox.stored).toEqual([]);
  });

  test("is not what a running receiver becomes: the last secret cannot be taken away", async () => {
    const { receiver, port } = await receiving();
    expect(() => receiver.useSecrets([])).toThrow(/cannot be switched off/);
    expect((await send(port, { signature: null })).status).toBe(401);
  });
});

describe("a secret that cannot be one", () => {
  test.each([
    "",
    " ",
    "0123456789abcdef0123\n",
    "\u{feff}0123456789abcdef",
    "with\u0000nul-0123456789",
  ])("%j is refused by the library", (secret) => {
    expect(() => createReceiver({ inbox: createMemoryInbox(), secrets: [secret] })).toThrow(
      /A secret/,
    );
  });

  test.each([
    ["", /LOOP_E_SECRET: MINE is set but empty/],
    ["0123456789abcdef0123\n", /LOOP_E_SECRET: MINE begins or ends with a blank/],
  ])("%j in the environment ends loop-receiver before it listens", async (value, message) => {
    const bin = startBin(["--inbox", temporaryFolder(), "--port", "0", "--secret-env", "MINE"], {
      env: { MINE: value },
    });
    expect((await bin.ended).code).toBe(2);
    expect(bin.log()).toMatch(message);
    expect(bin.log()).not.toContain("listening");
  });

  test("a short one is taken with a warning", async () => {
    const { warnings } = await receiving({ secrets: ["hunter2"], secretName: "MINE" });
    expect(warnings.join(" ")).toMatch(/MINE has fewer than 16 characters/);
    expect((await receiving({ secrets: ["0123456789abcdef"] })).warnings).toEqual([]);
  });
});
