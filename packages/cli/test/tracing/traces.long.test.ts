import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { freePort } from "@loopwork-tooling/practice-host";
import { describe, expect, onTestFinished, test } from "vitest";
import { otlpBody, parseOtlp } from "../../src/tracing/otlp.ts";
import { placeBelow, placeOfDelivery, type Span } from "../../src/tracing/span.ts";
import { openTraces } from "../../src/start/traces.ts";
import { createUnwind } from "@loopwork/runtime/unwind";
import { loop, startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

type Sent = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: string };
  }[];
};
type Export = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Sent["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly Sent[] }[];
  }[];
};
type Collector = {
  readonly spans: Sent[];
  readonly resources: Sent["attributes"][];
  readonly headers: IncomingHttpHeaders[];
  readonly paths: string[];
  listen(): Promise<void>;
};

/** A collector of OTLP over HTTP on loopback; until it listens nobody answers there. */
function collectorAt(port: number): Collector {
  const [spans, resources, headers, paths]: [
    Sent[],
    Sent["attributes"][],
    IncomingHttpHeaders[],
    string[],
  ] = [[], [], [], []];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const sent = JSON.parse(body) as Export;
      headers.push(request.headers);
      paths.push(request.url ?? "");
      for (const { resource, scopeSpans } of sent.resourceSpans) {
        resources.push(resource.attributes);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  onTestFinished(() => void server.close());
  return {
    spans,
    resources,
    headers,
    paths,
    async listen() {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
  };
}

const value = (span: Sent | undefined, key: string): string | undefined => {
  const found = span?.attributes.find((each) => each.key === key)?.value;
  return found?.stringValue ?? found?.intValue;
};

describe("traces of the real service", () => {
  test(
    "a delivery is one trace to the end of its turn, and a collector that comes late misses nothing",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld();
      const port = await freePort();
      const collector = collectorAt(port);
      Object.assign(world.scene.env, {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
        OTEL_EXPORTER_OTLP_HEADERS: "x-team=garden%20one",
        OTEL_SERVICE_NAME: "loop-of-the-garden",
      });
      const service = await startService(world);
      const number = world.startIssue("Mind the roses. {{stub:text watered}}");
      await until(
        async () =>
          JSON.stringify((await service.get("/api/v1/turns?state=done")).body).includes('"id":1'),
        "the turn, while nobody collects",
      );
      await collector.listen();
      await loop(world, "stop");

      const turn = collector.spans.find(({ name }) => name === "turn");
      const trace = collector.spans.filter(({ traceId }) => traceId === turn?.traceId);
      const root = trace.find(({ parentSpanId }) => parentSpanId === undefined);
      expect(trace.map(({ name }) => name).toSorted()).toEqual([
        "decide",
        "deliver issue_comment",
        "turn",
        "wait",
      ]);
      for (const span of trace.filter((each) => each !== root))
        expect(span.parentSpanId).toBe(root?.spanId);
      expect(new Set(trace.map(({ spanId }) => spanId)).size).toBe(4);
      expect(Number(turn?.endTimeUnixNano)).toBeGreaterThan(Number(root?.startTimeUnixNano));
      expect([
        value(turn, "loop.work_item"),
        value(turn, "loop.state"),
        value(turn, "loop.turn"),
      ]).toEqual([world.ref(number), "done", "1"]);
      expect(
        value(
          trace.find(({ name }) => name === "decide"),
          "loop.reason",
        ),
      ).toBe("start-requested");
      const whole = JSON.stringify(collector.spans);
      expect(whole).not.toContain("roses");
      expect(whole).toContain("deliver issues");
      expect(collector.paths[0]).toBe("/v1/traces");
      expect(collector.headers[0]).toMatchObject({
        "x-team": "garden one",
        "content-type": "application/json",
      });
      expect(collector.resources[0]).toContainEqual({
        key: "service.name",
        value: { stringValue: "loop-of-the-garden" },
      });
    },
  );

  test("where the variables are not set nothing stands before the parts", async () => {
    const said: string[] = [];
    const log = { say: (_level: string, text: string) => void said.push(text) };
    const world = await createWorld();
    const { parts } = await world.start();
    const open = async (env: Readonly<Record<string, string>>): Promise<boolean> =>
      (
        await openTraces(
          env,
          "1",
          log,
          createUnwind(() => {}),
        )
      )(parts) === parts;
    expect(await open({})).toBe(true);
    expect(
      await open({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_SDK_DISABLED: "true" }),
    ).toBe(true);
    expect(said).toEqual([]);
    expect(
      await open({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      }),
    ).toBe(true);
    expect(await open({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" })).toBe(true);
    expect(said).toEqual([
      expect.stringContaining("grpc"),
      expect.stringContaining("no http address"),
    ]);
    expect(
      await open({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }),
      "so that this can fail",
    ).toBe(false);
  });
});

describe("the standard variables", () => {
  test.each([
    [{}, null],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" },
      {
        url: "http://c:4318/v1/traces",
        timeoutMs: 10_000,
        headers: {},
        resource: { "service.name": "loop" },
        complaint: null,
      },
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318/otlp/" },
      { url: "http://c:4318/otlp/v1/traces" },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://c",
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://d/own",
      },
      { url: "https://d/own" },
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_TRACES_EXPORTER: "none" }, null],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://c",
        OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=%20x, =no,c",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=2",
      },
      { headers: { a: "2", b: " x" } },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://c",
        OTEL_EXPORTER_OTLP_TIMEOUT: "250",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=a,team=b",
      },
      { timeoutMs: 250, resource: { "service.name": "a", team: "b" } },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://c",
        OTEL_SERVICE_NAME: "s",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=a",
      },
      { resource: { "service.name": "s" } },
    ],
  ])("%j", (env, settings) => {
    const parsed = parseOtlp(env);
    if (settings === null) expect(parsed).toBeNull();
    else expect(parsed).toMatchObject(settings);
  });

  test("a span has the form of the protocol, and its place follows from the delivery alone", () => {
    const root = placeOfDelivery("default", "d1");
    expect(root).toEqual(placeOfDelivery("default", "d1"));
    expect(placeOfDelivery("other", "d1").traceId).not.toBe(root.traceId);
    expect([
      root.traceId.length,
      root.spanId.length,
      placeBelow(root, "turn 1").spanId.length,
    ]).toEqual([32, 16, 16]);
    const span: Span = {
      ...placeBelow(root, "turn 1"),
      parentId: root.spanId,
      name: "turn",
      kind: "internal",
      start: 1_000,
      end: 2_500,
      failed: true,
      attributes: { a: "x", n: 3 },
      links: [placeOfDelivery("default", "d2")],
    };
    const sent = (JSON.parse(otlpBody([span], {})) as Export).resourceSpans[0]?.scopeSpans[0]
      ?.spans[0];
    expect(sent).toMatchObject({
      parentSpanId: root.spanId,
      kind: 1,
      startTimeUnixNano: "1000000000",
      endTimeUnixNano: "2500000000",
      status: { code: 2 },
      attributes: [
        { key: "a", value: { stringValue: "x" } },
        { key: "n", value: { intValue: "3" } },
      ],
      links: [placeOfDelivery("default", "d2")],
    });
  });
});
