import type { ServiceReport } from "../detach/service-report.ts";
import { ago } from "../output/time.ts";
import { type Block, line, type Result } from "../output/result.ts";

/**
 * The same lines for start, stop, status and restart: one a service, truthful about what it does.
 */
export function servicesResult(
  reports: readonly ServiceReport[],
  wanted: (report: ServiceReport) => boolean,
  now: number,
): Result {
  const good = reports.every(wanted);
  return { exit: good ? 0 : 1, data: { services: reports }, view: servicesView(reports, now) };
}

export function servicesView(reports: readonly ServiceReport[], now: number): readonly Block[] {
  return reports
    .filter((report) => report.enabled || report.running)
    .map((report) =>
      line(
        `${mark(report)} ${report.name.padEnd(12)} ${report.detail}${place(report, now)}`,
        asEnabled(report) && report.running ? "good" : report.enabled ? "bad" : "dim",
      ),
    );
}

/**
 * A service is as the configuration wants it when it runs, answers and listens where it should
 * exactly if it is enabled.
 */
export function asEnabled(report: ServiceReport): boolean {
  return report.enabled
    ? report.running && report.answers !== false && report.notListeningAt.length === 0
    : true;
}

function mark(report: ServiceReport): string {
  if (!report.running) return report.enabled ? "✗" : "·";
  return report.answers === false || report.notListeningAt.length > 0 ? "!" : "●";
}

function place(report: ServiceReport, now: number): string {
  if (!report.running) return "";
  return ` (pid ${report.pid ?? "?"}${report.url === null ? "" : `, ${report.url.replace(/\/health$/, "")}`}, started ${report.startedAt === null ? "?" : ago(report.startedAt, now)})`;
}
