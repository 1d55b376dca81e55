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

/** What went wrong, and the newest of what led to it. */
export function shortened(failure: string): readonly string[] {
  const lines = failure.split("\n").map((line) => line.slice(0, 500));
  return lines.length <= 40 ? lines : [...lines.slice(0, 4), "…", ...lines.slice(-35)];
}
