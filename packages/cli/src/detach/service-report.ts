import type { Place } from "./ports.ts";
import { type DaemonKind, type PidRecord, readLivePidfile } from "./pidfile.ts";

/**
 * What one service is doing, truthfully: its process, its answer, its progress. Times are
 * milliseconds since 1970.
 */
export type ServiceReport = {
  readonly name: DaemonKind;
  readonly enabled: boolean;
  readonly running: boolean;
  /** It answers on its health address; null for a daemon without one, or one that does not run. */
  readonly answers: boolean | null;
  readonly pid: number | null;
  readonly startedAt: number | null;
  readonly version: string | null;
  readonly url: string | null;
  /** Where it listens only after a restart: the configuration was changed since it began. */
  readonly notListeningAt: readonly string[];
  /** One sentence. */
  readonly detail: string;
};

/** A machine that is busy takes seconds to answer; what hangs does not answer in any time. */
const answerWithinMs = 5_000;

/** Looks at its pidfile, and asks it how it is. */
export async function reportOf(
  {
    kind,
    enabled,
    pidfile,
    listens,
  }: {
    readonly kind: DaemonKind;
    readonly enabled: boolean;
    readonly pidfile: string;
    readonly listens: readonly Place[];
  },
  stateRoot: string,
): Promise<ServiceReport> {
  const record = readLivePidfile(pidfile, stateRoot);
  const answers = record?.healthUrl ? await answersOk(record.healthUrl) : null;
  const notListeningAt = enabled && record !== null ? missingPlaces(listens, record) : [];
  return {
    name: kind,
    enabled,
    running: record !== null,
    answers,
    pid: record?.identity.pid ?? null,
    startedAt: record?.startedAt ?? null,
    version: record?.version ?? null,
    url: record?.healthUrl ?? null,
    notListeningAt,
    detail: detailOf(enabled, record, answers, notListeningAt),
  };
}

function detailOf(
  enabled: boolean,
  record: PidRecord | null,
  answers: boolean | null,
  notListeningAt: readonly string[],
): string {
  if (record === null) return enabled ? "not running (run `loop start`)" : "not enabled";
  if (record.stopping) return "stopping, waiting for running turns";
  if (answers === false) return "running, but not responding";
  if (notListeningAt.length > 0)
    return `running, but not listening on ${notListeningAt.join(" and ")} (run \`loop restart\`)`;
  return enabled ? "running" : "running, but no longer enabled (run `loop restart` to stop it)";
}

/**
 * A daemon of an older version does not say where it listens; it is then taken at the
 * configuration's word.
 */
function missingPlaces(wanted: readonly Place[], { listens }: PidRecord): readonly string[] {
  if (listens === undefined) return [];
  return wanted
    .filter(
      ({ host, port }) => !listens.some((place) => place.host === host && place.port === port),
    )
    .map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`);
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const response = await fetch(url, { redirect: "error", signal });
    return response.status === 200 && (await response.text()).trim() === "ok";
  } catch {
    return false;
  }
}
