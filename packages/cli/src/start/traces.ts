import type { RuntimeParts } from "@loopwork/runtime";
import type { Unwind } from "@loopwork/runtime/unwind";
import type { Io } from "../io/io.ts";
import type { Log } from "../output/log.ts";

const wanted = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] as const;

/**
 * What puts traces in front of the parts, where the standard variables of OpenTelemetry ask for
 * them; else the parts stay as they are, and nothing of tracing is loaded.
 */
export async function openTraces(
  env: Io["env"],
  version: string,
  log: Log,
  unwind: Unwind,
): Promise<(parts: RuntimeParts) => RuntimeParts> {
  if (wanted.every((name) => !env[name])) return (parts) => parts;
  const [{ parseOtlp }, { createExporter }, { traced }] = await Promise.all([
    import("../tracing/otlp.ts"),
    import("../tracing/exporter.ts"),
    import("../tracing/traced.ts"),
  ]);
  const settings = parseOtlp(env);
  if (settings === null) return (parts) => parts;
  if (settings.complaint !== null) {
    log.say("warn", `no traces: ${settings.complaint}`);
    return (parts) => parts;
  }
  const exporter = createExporter(
    { ...settings, resource: { "service.version": version, ...settings.resource } },
    log.say,
  );
  unwind.defer("traces", () => exporter.close());
  return (parts) => traced(parts, exporter.take);
}
