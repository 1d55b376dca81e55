import type { Row } from "./row.ts";
import { openScene } from "./scene.ts";
import type { Subject } from "./subject.ts";

export type RowResult = {
  readonly id: string;
  readonly title: string;
  readonly ms: number;
  readonly failure: string | null;
};

/** Runs one row in a place of its own. */
export async function runRow(row: Row, subject: Subject): Promise<RowResult> {
  const scene = openScene(subject);
  const started = performance.now();
  try {
    await row.run(scene);
    return {
      id: row.id,
      title: row.title,
      ms: Math.round(performance.now() - started),
      failure: null,
    };
  } catch (error) {
    return {
      id: row.id,
      title: row.title,
      ms: Math.round(performance.now() - started),
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  } finally {
    scene.close();
  }
}

/** More failures than this are no matter of a slow machine. */
const most = 4;

/**
 * Rows that failed, once more and with nothing beside them (ADR 0003); as they were where many
 * failed. `say` is told of each.
 */
export async function lookAgain(
  rows: readonly Row[],
  results: readonly RowResult[],
  subject: Subject,
  say: (text: string) => void,
): Promise<readonly RowResult[]> {
  const failures = new Map(
    results.flatMap(({ id, failure }) => (failure === null ? [] : [[id, failure] as const])),
  );
  if (failures.size > most) return results;
  const seen = new Map<string, RowResult>();
  for (const row of rows) {
    const first = failures.get(row.id);
    if (first === undefined) continue;
    const second = await runRow(row, subject);
    seen.set(row.id, second);
    say(
      `ONCE MORE ${row.id}, ${subject.name}: ${second.failure === null ? "failed beside the others, passed alone" : "failed again"}; at first:\n     ${shortened(first).join("\n     ")}\n`,
    );
  }
  return results.map((result) => seen.get(result.id) ?? result);
}

/** What went wrong, and the newest of what led to it. */
export function shortened(failure: string): readonly string[] {
  const lines = failure.split("\n").map((line) => line.slice(0, 500));
  return lines.length <= 40 ? lines : [...lines.slice(0, 4), "…", ...lines.slice(-35)];
}
