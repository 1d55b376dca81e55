/**
 * Variables with what collectors of OpenTelemetry are shown, a token as a rule ("OTLP Exporter
 * Configuration"): those of our own traces, and those that a harness would read for its own.
 */
export const collectorHeaders: readonly string[] = [
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
  "OTEL_EXPORTER_OTLP_METRICS_HEADERS",
  "OTEL_EXPORTER_OTLP_LOGS_HEADERS",
];

/** `name=value,name=value`, percent-encoded; what is no pair is left out. */
export function parsePairs(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const at = pair.indexOf("=");
      return at < 1 ? [] : [[decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))] as const];
    }),
  );
}

/** What of such a variable is secret: each value, also without the word for its kind. */
export function secretsOfHeaders(text: string): readonly string[] {
  return Object.values(parsePairs(text)).flatMap((value) => [
    ...new Set([value, value.replace(/^(?:Bearer|Basic) /i, "")]),
  ]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}
