import { formatLinkReport, type LinkReport } from "@loopwork/core";
import type { StoredDelivery } from "@loopwork/core/ports";
import { eventLine, type RuntimeParts } from "@loopwork/runtime";
import { inspectDisk, inspectGit, inspectHarness, inspectNothing } from "./inspect.ts";

/**
 * The service's half of `loop canary`: once the delivery is decided, what a turn would need is
 * looked at from here, with this process's environment and rights, and written into the event log.
 * Nothing of it is about a work item, and no host is asked.
 */
export function answerCanaries(parts: RuntimeParts): (delivery: StoredDelivery) => void {
  return (delivery) =>
    void answer(delivery, parts).catch((error: unknown) =>
      parts.log(
        "error",
        `Can't answer test delivery ${delivery.id}: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
}

async function answer(delivery: StoredDelivery, parts: RuntimeParts): Promise<void> {
  const looks = [
    inspectNothing(delivery.id, parts),
    inspectGit(parts),
    inspectHarness(parts),
    inspectDisk(parts),
  ];
  const reports: readonly LinkReport[] = (await Promise.all(looks)).flat();
  const broken = reports.some(({ state }) => state === "broken");
  const fields = Object.fromEntries(
    reports.map((report) => [report.link, formatLinkReport(report)]),
  );
  await parts.store.events.append([
    eventLine(parts, "canary.answered", {
      level: broken ? "warn" : "info",
      delivery: delivery.id,
      fields,
    }),
  ]);
}
