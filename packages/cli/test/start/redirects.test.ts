import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { sendCanary } from "../../src/canary/send.ts";
import { createExporter } from "../../src/tracing/exporter.ts";
import { parseOtlp } from "../../src/tracing/otlp.ts";
import { placeOfDelivery, type Span } from "../../src/tracing/span.ts";
import { connectRemote, operations } from "../../src/start/remote.ts";

const secret = "0123456789abcdef0123456789abcdef";

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return `http://127.0.0.1:${address.port}`;
}

/** A server that redirects whatever comes to another one, which would answer it. */
async function redirecting(status: number, body: string) {
  const came: string[] = [];
  const elsewhere = await serving((request, response) => {
    came.push(JSON.stringify([request.url, request.headers]));
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  const url = await serving((request, response) => {
    request.resume();
    response.writeHead(status, { location: `${elsewhere}${request.url}` }).end();
  });
  return { url, came };
}

describe.each([301, 302, 303, 307, 308])(
  "nothing that we send follows a redirect: %i",
  (status) => {
    test("a command for a remote service, with its token", async () => {
      const { url, came } = await redirecting(status, `{"status":"ok"}`);
      const remote = connectRemote(url, { LOOP_REMOTE_TOKEN: secret });
      const health = operations.find(({ name }) => name === "show-health");
      if (health === undefined) throw new Error("no such operation");
      await expect(remote.ask(health, {})).rejects.toMatchObject({ code: "LOOP_E_REMOTE" });
      expect(came).toEqual([]);
    });

    test("a canary, with its signature", async () => {
      const { url, came } = await redirecting(status, `{"status":"accepted"}`);
      const canary = { id: "c-1", body: "{}", secret, secretEnv: "SECRET" };
      const sent = await sendCanary(new URL(`${url}/host-webhook`), canary);
      expect([sent.outcome, came]).toEqual(["kept-back", []]);
    });

    test("spans for a collector, with its headers", async () => {
      const { url, came } = await redirecting(status, "{}");
      const settings = parseOtlp({
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_HEADERS: `key=${secret}`,
      });
      if (settings === null) throw new Error("no settings");
      const said: string[] = [];
      const exporter = createExporter(settings, (_level, text) => void said.push(text));
      const place = placeOfDelivery("default", "d");
      const span: Span = {
        ...place,
        parentId: null,
        name: "1",
        kind: "internal",
        start: 1,
        end: 1,
        failed: false,
        attributes: {},
        links: [],
      };
      exporter.take(span);
      await exporter.close();
      expect(said).toEqual([expect.stringContaining("traces do not reach the collector")]);
      expect(came).toEqual([]);
    });
  },
);

test("a receiver's health is not believed of another origin", async () => {
  const elsewhere = await serving((_request, response) => void response.end("ok"));
  const url = await serving((request, response) => {
    if (request.url === "/health")
      response.writeHead(302, { location: `${elsewhere}/health` }).end();
    else response.writeHead(404).end();
  });
  const canary = { id: "c-1", body: "{}", secret, secretEnv: "SECRET" };
  const sent = await sendCanary(new URL(`${url}/host-webhook`), canary);
  expect(sent.reports.map(({ link }) => link)).toEqual(["port"]);
});

test("control: a request that leaves redirects to fetch takes the token along", async () => {
  const { url } = await redirecting(302, "{}");
  const response = await fetch(url, { headers: { "x-token": secret } });
  expect(response.status).toBe(200);
});
