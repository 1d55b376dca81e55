import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import { freePort } from "@loopwork-tooling/practice-host";
import { describe, expect, onTestFinished, test } from "vitest";
import { createExporter, type Exporter } from "../../src/tracing/exporter.ts";
import { parseOtlp } from "../../src/tracing/otlp.ts";
import { placeOfDelivery, type Span } from "../../src/tracing/span.ts";
import { until } from "../support/until.ts";

const span = (n: number): Span => ({
  ...placeOfDelivery("default", `d${n}`),
  parentId: null,
  name: String(n),
  kind: "internal",
  start: n,
  end: n,
  failed: false,
  attributes: {},
  links: [],
});
const upTo = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, n) => from + n);

/**
 * A collector that takes as long over each request as the test wants: `answer` says how it ends.
 */
async function slowCollector(answer: (response: ServerResponse) => void): Promise<{
  readonly port: number;
  readonly names: () => readonly number[];
  readonly requests: () => number;
}> {
  const [port, names] = [await freePort(), new Array<number>()];
  let requests = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      requests += 1;
      names.push(...[...body.matchAll(/"name":"(\d+)"/g)].map(([, name]) => Number(name)));
      answer(response);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, names: () => names, requests: () => requests };
}

function exporterTo(port: number, said: string[] = []): Exporter {
  const settings = parseOtlp({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  if (settings === null) throw new Error("no settings");
  const exporter = createExporter(settings, (_level, text) => void said.push(text));
  onTestFinished(() => exporter.close());
  return exporter;
}

describe("spans that wait for the collector", () => {
  test(
    "are kept, the newest 4,096 of them, when more arrive while a batch is on its way",
    { timeout: 60_000 },
    async () => {
      const held: ServerResponse[] = [];
      let open = false;
      const collector = await slowCollector((response) =>
        open ? response.end("{}") : held.push(response),
      );
      const exporter = exporterTo(collector.port);
      for (const n of upTo(0, 512)) exporter.take(span(n));
      await until(() => held.length === 1, "the first batch");
      for (const n of upTo(512, 5_512)) exporter.take(span(n));
      open = true;
      held[0]?.end("{}");
      await until(
        () => collector.names().includes(5_511),
        "the last span",
        () => String(collector.names().length),
        30_000,
      );
      expect(collector.names()).toEqual([...upTo(0, 512), ...upTo(1_416, 5_512)]);
    },
  );

  test(
    "that a collector refuses for good are left, and said to be; those behind them arrive",
    { timeout: 60_000 },
    async () => {
      let refused = false;
      const collector = await slowCollector((response) => {
        response.writeHead(refused ? 200 : 400).end("{}");
        refused = true;
      });
      const said: string[] = [];
      const exporter = exporterTo(collector.port, said);
      for (const n of upTo(0, 600)) exporter.take(span(n));
      await until(
        () => collector.names().includes(599),
        "the last span",
        () => said.join("\n"),
        30_000,
      );
      expect(collector.names()).toEqual(upTo(0, 600));
      expect(said).toEqual([expect.stringMatching(/512 spans.*answered 400/)]);
    },
  );

  test("are asked for again where the collector is only busy", { timeout: 60_000 }, async () => {
    let answers = 0;
    const collector = await slowCollector((response) =>
      response.writeHead(answers++ === 0 ? 503 : 200).end("{}"),
    );
    const exporter = exporterTo(collector.port);
    exporter.take(span(1));
    await until(() => collector.requests() === 1, "the first request");
    await exporter.close();
    expect(collector.names()).toEqual([1, 1]);
  });
});

test("settings that would be told with the secret in them are complained of instead", () => {
  const complaint = (env: Readonly<Record<string, string>>): string | null =>
    parseOtlp({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example", ...env })?.complaint ??
    null;
  expect(complaint({})).toBeNull();
  expect(complaint({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://ada:hush@collector.example" })).toMatch(
    /user name.*OTEL_EXPORTER_OTLP_HEADERS/,
  );
  const token = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20hush" };
  expect(
    complaint({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318", ...token }),
  ).toMatch(/over plain HTTP/);
  for (const fine of [
    { OTEL_EXPORTER_OTLP_INSECURE: "true", ...token },
    { OTEL_EXPORTER_OTLP_TRACES_INSECURE: "true", ...token },
    {},
  ])
    expect(
      complaint({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318", ...fine }),
    ).toBeNull();
  expect(complaint({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", ...token })).toBeNull();
  const header = complaint({ OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20hush%0Ahush" });
  expect(header).toMatch(/a header of OTEL_EXPORTER_OTLP_HEADERS/);
  expect(header).not.toContain("hush");
});
