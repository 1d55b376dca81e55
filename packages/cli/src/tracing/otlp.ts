import { isLoopback } from "@loopwork/core/ports";
import { parsePairs } from "../configuration/collector-headers.ts";
import type { Span, SpanPlace } from "./span.ts";

/**
 * How spans are exported, as the standard variables of OpenTelemetry say; `complaint` is what of
 * them is not understood here.
 */
export type OtlpSettings = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly resource: Readonly<Record<string, string>>;
  readonly complaint: string | null;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Null where nothing is to be exported: no endpoint, `OTEL_SDK_DISABLED=true` or
 * `OTEL_TRACES_EXPORTER=none`.
 */
export function parseOtlp(env: Environment): OtlpSettings | null {
  const value = (name: string): string => env[name]?.trim() ?? "";
  const [own, shared] = [
    value("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"),
    value("OTEL_EXPORTER_OTLP_ENDPOINT"),
  ];
  // The shared endpoint is a base; the one for traces is used as it is (OpenTelemetry, "OTLP
  // Exporter Configuration").
  const url = own !== "" ? own : shared === "" ? "" : `${shared.replace(/\/$/, "")}/v1/traces`;
  const exporter = value("OTEL_TRACES_EXPORTER");
  if (
    url === "" ||
    value("OTEL_SDK_DISABLED").toLowerCase() === "true" ||
    (exporter !== "" && exporter !== "otlp")
  )
    return null;
  const protocol =
    value("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") || value("OTEL_EXPORTER_OTLP_PROTOCOL");
  const headers = headersOf(env);
  const timeout = Number(
    value("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT") || value("OTEL_EXPORTER_OTLP_TIMEOUT"),
  );
  return {
    url,
    headers,
    timeoutMs: Number.isFinite(timeout) && timeout > 0 ? timeout : 10_000,
    resource: {
      "service.name": "loop",
      ...parsePairs(value("OTEL_RESOURCE_ATTRIBUTES")),
      ...(value("OTEL_SERVICE_NAME") === "" ? {} : { "service.name": value("OTEL_SERVICE_NAME") }),
    },
    complaint: complaintOf(
      url,
      protocol,
      headers,
      [value("OTEL_EXPORTER_OTLP_TRACES_INSECURE"), value("OTEL_EXPORTER_OTLP_INSECURE")].some(
        (word) => word.toLowerCase() === "true",
      ),
    ),
  };
}

/** What goes along with each export; a token for the collector as a rule. */
function headersOf(env: Environment): Readonly<Record<string, string>> {
  return {
    ...parsePairs(env["OTEL_EXPORTER_OTLP_HEADERS"] ?? ""),
    ...parsePairs(env["OTEL_EXPORTER_OTLP_TRACES_HEADERS"] ?? ""),
  };
}

/** Said here, because whoever sends says it with the secret in it. */
function complaintOf(
  url: string,
  protocol: string,
  headers: Readonly<Record<string, string>>,
  insecure: boolean,
): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    return "the endpoint of OTEL_EXPORTER_OTLP_ENDPOINT is no http address";
  if (parsed.username !== "" || parsed.password !== "")
    return "the endpoint of OTEL_EXPORTER_OTLP_ENDPOINT holds a user name or password, which belong into OTEL_EXPORTER_OTLP_HEADERS as authorization";
  if (
    parsed.protocol === "http:" &&
    !isLoopback(parsed.hostname) &&
    Object.keys(headers).length > 0 &&
    !insecure
  )
    return `OTEL_EXPORTER_OTLP_HEADERS would go to ${parsed.hostname} over plain HTTP, which others can read; use https, or set OTEL_EXPORTER_OTLP_INSECURE=true`;
  if (!canBeSent(headers))
    return "a header of OTEL_EXPORTER_OTLP_HEADERS has a name or value that no request may have";
  return protocol === "grpc"
    ? "traces are sent by OTLP over HTTP, and OTEL_EXPORTER_OTLP_PROTOCOL asks for grpc"
    : null;
}

function canBeSent(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) instanceof Headers;
  } catch {
    return false;
  }
}

const kinds = { internal: 1, consumer: 5 } as const;

/** The body of one export, as OTLP/HTTP has it in JSON. */
export function otlpBody(
  spans: readonly Span[],
  resource: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributes(resource) },
        scopeSpans: [{ scope: { name: "loop" }, spans: spans.map(otlpSpan) }],
      },
    ],
  });
}

function otlpSpan({
  traceId,
  spanId,
  parentId,
  name,
  kind,
  start,
  end,
  failed,
  attributes: given,
  links,
}: Span): object {
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nano(start),
    endTimeUnixNano: nano(end),
    attributes: attributes(given),
    status: failed ? { code: 2 } : {},
    ...(links.length === 0
      ? {}
      : {
          links: links.map((link: SpanPlace) => ({ traceId: link.traceId, spanId: link.spanId })),
        }),
  };
}

function attributes(of: Readonly<Record<string, string | number>>): readonly object[] {
  return Object.entries(of).map(([key, value]) => ({
    key,
    value:
      typeof value === "number" ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }));
}

function nano(ms: number): string {
  return `${Math.round(ms)}000000`;
}
