import { readdirSync, readFileSync } from "node:fs";

/**
 * Counts, while it is open, how many processes of the harness work in a session at once. Processes
 * of others are told apart by `folder`, which stands in their environment.
 */
export type Watch = { readonly livest: ReadonlyMap<string, number>; close(): void };

const lookEveryMs = 150;

export function watchProcesses(folder: string): Watch {
  const livest = new Map<string, number>();
  const timer = setInterval(() => {
    for (const [session, count] of countSessions(folder))
      livest.set(session, Math.max(count, livest.get(session) ?? 0));
  }, lookEveryMs);
  return { livest, close: () => clearInterval(timer) };
}

/**
 * Living processes by the session that their command line names. A process that is just being
 * started by another still has that one's command line.
 */
function countSessions(folder: string): ReadonlyMap<string, number> {
  const found = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => sessionOf(pid, folder) ?? []);
  const own = found.filter(
    ({ parent, session }) =>
      !found.some((other) => other.pid === parent && other.session === session),
  );
  const counts = new Map<string, number>();
  for (const { session } of own) counts.set(session, (counts.get(session) ?? 0) + 1);
  return counts;
}

type AtWork = { readonly pid: string; readonly parent: string; readonly session: string };

function sessionOf(pid: string, folder: string): AtWork | null {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const at = words.findIndex((word) => word === "--session-id" || word === "--resume");
    const session = at === -1 ? undefined : words[at + 1];
    if (session === undefined || !readFileSync(`/proc/${pid}/environ`, "utf8").includes(folder))
      return null;
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return { pid, parent: /^PPid:\t(\d+)$/m.exec(status)?.[1] ?? "", session };
  } catch {
    return null; // It has ended meanwhile.
  }
}
