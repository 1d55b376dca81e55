import type { Scene } from "./scene.ts";

/**
 * A promise of ours about harness A; `run` rejects with what differs. The same rows run against
 * every subject.
 */
export type Row = { readonly id: string; readonly title: string; run(scene: Scene): Promise<void> };

export function row(id: string, title: string, run: Row["run"]): Row {
  return { id, title, run };
}

export { has, holds, same } from "@loopwork/core/testing";
