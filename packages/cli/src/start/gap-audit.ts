import { parseRef } from "@loopwork/core/ports";
import type { AuditReport, RepositoryAudit } from "@loopwork/codehost/poller";
import { eventLine, type Runtime } from "@loopwork/runtime";
import type { Unwind } from "@loopwork/runtime/unwind";
import type { StartedConfig } from "../configuration/load-config.ts";
import { hostOptions, systemClock } from "./open.ts";

/**
 * How often the host's list of deliveries is compared with the inbox, in milliseconds; once at the
 * start, too.
 */
const everyMs = 60 * 60 * 1000;

/**
 * Looks for deliveries that the host sent while nobody took them, for the life of a process that
 * receives webhooks.
 */
export async function startGapAudit(
  loaded: StartedConfig,
  { parts, dispatcher }: Runtime,
  unwind: Unwind,
): Promise<void> {
  const { createGapAudit, startPollLoop } = await import("@loopwork/codehost/poller");
  const audit = createGapAudit(hostOptions(loaded), {
    inbox: parts.store,
    find: (id) => parts.store.log.find(id),
    cursors: parts.store.cursors,
    settings: () => auditSettings(parts),
    now: systemClock.now,
  });
  const failing = new Map<string, string>();
  const tell = async (report: AuditReport): Promise<void> => {
    if (report.repositories.some(({ gaps }) => gaps.length > 0)) dispatcher.poke();
    for (const each of report.repositories) {
      await tellGaps(each, parts);
      await tellChange(each, failing, parts);
    }
  };
  const loop = startPollLoop({
    poll: audit,
    intervalMs: () => everyMs,
    now: systemClock.now,
    onReport: tell,
    onFault: (error) =>
      parts.log(
        "error",
        `the gap audit met a fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      ),
  });
  unwind.defer("gap audit", () => loop.stop());
}

/**
 * What to compare with what, as the configuration says now: a changed file is taken up by the next
 * audit.
 */
export async function auditSettings(
  parts: Pick<Runtime["parts"], "settings" | "store" | "names">,
): Promise<{
  readonly repositories: readonly string[];
  readonly path: string;
  readonly events: readonly string[];
}> {
  const { path, events } = parts.settings().config.webhooks.hostWebhook;
  return { repositories: await repositoriesOf(parts), path, events };
}

/**
 * Those that are listed; where every repository is taken, those of which something is on record.
 */
async function repositoriesOf(
  parts: Parameters<typeof auditSettings>[0],
): Promise<readonly string[]> {
  const { repositories } = parts.settings().config.routing;
  if (repositories.length > 0) return repositories;
  const refs = (await parts.store.items.list()).flatMap(({ workItem }) =>
    workItem === null ? [] : (parseRef(workItem.ref) ?? []),
  );
  return [
    ...new Set(
      refs
        .filter(({ host }) => host === null)
        .map((ref) => parts.names.present(ref))
        .map(({ owner, repo }) => `${owner}/${repo}`),
    ),
  ];
}

/**
 * One line for each delivery that was missing: nobody has to wonder why something was worked on
 * late.
 */
async function tellGaps(
  { repository, gaps, notes }: RepositoryAudit,
  parts: Runtime["parts"],
): Promise<void> {
  for (const note of notes)
    parts.log("warn", `looking for lost deliveries of ${repository}: ${note}`);
  if (gaps.length === 0) return;
  parts.log(
    "warn",
    `${gaps.length} deliveries of ${repository} had not arrived: ${gaps.filter(({ recovery }) => recovery !== "lost").length} are here now or on their way`,
  );
  const lines = gaps.map(({ delivery, event, at, answer, recovery }) =>
    eventLine(parts, recovery === "lost" ? "delivery.lost" : "delivery.recovered", {
      level: recovery === "lost" ? "warn" : "info",
      delivery,
      reason: recovery,
      fields: { repository, event, sentAt: at, answer },
    }),
  );
  await parts.store.events.append(lines);
}

/**
 * A failure is told when it begins, when it becomes another one, and when it ends; not at each
 * audit.
 */
async function tellChange(
  { repository, failure }: RepositoryAudit,
  failing: Map<string, string>,
  parts: Runtime["parts"],
): Promise<void> {
  const before = failing.get(repository) ?? null;
  if ((failure?.code ?? null) === before) return;
  if (failure === null) failing.delete(repository);
  else failing.set(repository, failure.code);
  if (failure === null)
    parts.log("info", `lost deliveries of ${repository} can be looked for again`);
  else
    parts.log("warn", `lost deliveries of ${repository} cannot be looked for: ${failure.message}`);
  const line =
    failure === null
      ? eventLine(parts, "audit.recovered", { fields: { repository } })
      : eventLine(parts, "audit.failed", {
          level: "warn",
          reason: failure.code,
          fields: { repository, message: failure.message },
        });
  await parts.store.events.append([line]);
}
