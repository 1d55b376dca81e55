import type { Span, SpanPlace } from "./span.ts";

/** How spans are exported, as the standard variables of OpenTelemetry say; `complaint` is what of them is not understood here. */
export type OtlpSettings = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly timeoutMs: number; readonly resource: Readonly<Record<string, string>>; readonly complaint: string | null };

type Environment = Readonly<Record<string, string | undefined>>;

/** Null where nothing is to be exported: no endpoint, `OTEL_SDK_DISABLED=true` or `OTEL_TRACES_EXPORTER=none`. */
export function parseOtlp(env: Environment): OtlpSettings | null {
  const value = (name: string): string => env[name]?.trim() ?? "";
  const [own, shared] = [value("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), value("OTEL_EXPORTER_OTLP_ENDPOINT")];
  // The shared endpoint is a base; the one for traces is used as it is (OpenTelemetry, "OTLP Exporter Configuration").
  const url = own !== "" ? own : shared === "" ? "" : `${shared.replace(/\/$/, "")}/v1/traces`;
  const exporter = value("OTEL_TRACES_EXPORTER");
  if (url === "" || value("OTEL_SDK_DISABLED").toLowerCase() === "true" || (exporter !== "" && exporter !== "otlp")) return null;
  const protocol = value("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") || value("OTEL_EXPORTER_OTLP_PROTOCOL");
  const timeout = Number(value("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT") || value("OTEL_EXPORTER_OTLP_TIMEOUT"));
  return {
    url,
    headers: { ...pairs(value("OTEL_EXPORTER_OTLP_HEADERS")), ...pairs(value("OTEL_EXPORTER_OTLP_TRACES_HEADERS")) },
    timeoutMs: Number.isFinite(timeout) && timeout > 0 ? timeout : 10_000,
    resource: { "service.name": "loop", ...pairs(value("OTEL_RESOURCE_ATTRIBUTES")), ...(value("OTEL_SERVICE_NAME") === "" ? {} : { "service.name": value("OTEL_SERVICE_NAME") }) },
    complaint: complaintOf(url, protocol),
  };
}

function complaintOf(url: string, protocol: string): string | null {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return "the endpoint of OTEL_EXPORTER_OTLP_ENDPOINT is no http address";
  return protocol === "grpc" ? "traces are sent by OTLP over HTTP, and OTEL_EXPORTER_OTLP_PROTOCOL asks for grpc" : null;
}

/** `name=value,name=value`, percent-encoded; what is no pair is left out. */
function pairs(text: string): Record<string, string> {
  return Object.fromEntries(text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))] as const];
  }));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}

const kinds = { internal: 1, consumer: 5 } as const;

/** The body of one export, as OTLP/HTTP has it in JSON. */
export function otlpBody(spans: readonly Span[], resource: Readonly<Record<string, string>>): string {
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: attributes(resource) }, scopeSpans: [{ scope: { name: "loop" }, spans: spans.map(otlpSpan) }] }] });
}

function otlpSpan({ traceId, spanId, parentId, name, kind, start, end, failed, attributes: given, links }: Span): object {
  return { traceId, spanId, ...(parentId === null ? {} : { parentSpanId: parentId }), name, kind: kinds[kind], startTimeUnixNano: nano(start), endTimeUnixNano: nano(end), attributes: attributes(given), status: failed ? { code: 2 } : {}, ...(links.length === 0 ? {} : { links: links.map((link: SpanPlace) => ({ traceId: link.traceId, spanId: link.spanId })) }) };
}

function attributes(of: Readonly<Record<string, string | number>>): readonly object[] {
  return Object.entries(of).map(([key, value]) => ({ key, value: typeof value === "number" ? { intValue: String(Math.round(value)) } : { stringValue: value } }));
}

function nano(ms: number): string {
  return `${Math.round(ms)}000000`;
}
