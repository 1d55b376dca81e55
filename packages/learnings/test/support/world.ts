import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Candidate } from "@loopwork/core/learnings";
import { onTestFinished } from "vitest";
import {
  addCandidate,
  carryOut,
  type Consolidation,
  planConsolidation,
  type Places,
} from "../../src/index.ts";

export const now = 1_800_000_000_000;
export const indexFile = "docs/learnings/learnings.md";

/** A repository that chose loop, with what belongs to it outside. */
export class World {
  readonly root: string;
  readonly places: Places;
  #runs = 0;

  constructor(guest = false) {
    const dir = mkdtempSync(join(tmpdir(), "loop-learnings-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    this.root = join(dir, "repository");
    const state = join(dir, "state");
    this.places = {
      queue: join(state, "pending"),
      journal: join(state, "journal"),
      ids: join(state, "last-id"),
      carried: null,
      isChosen: () => Promise.resolve(!guest),
    };
    mkdirSync(join(this.root, ".loop"), { recursive: true }); // The product's own state may lie there, and is no consent.
  }

  candidate(text: string, more: Partial<Candidate> = {}): Candidate {
    this.#runs += 1;
    return {
      id: `c-${String(this.#runs).padStart(4, "0")}`,
      text,
      category: "testing",
      signal: { kind: "test-fail", by: "check", ref: "" },
      severity: "medium",
      severityReason: null,
      workItem: "host:acme/shop#1",
      run: `r${this.#runs}`,
      harness: "A",
      instance: "default",
      at: now - 5000,
      evidence: "",
      ...more,
    };
  }

  async learn(...texts: readonly string[]): Promise<void> {
    for (const text of texts)
      for (let times = 0; times < 3; times += 1)
        await addCandidate(this.places.queue, this.candidate(text));
    await this.consolidate();
  }

  async consolidate(): Promise<void> {
    await carryOut(this.root, this.places, await planOf(this));
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  files(): readonly string[] {
    return readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name).slice(this.root.length + 1))
      .toSorted((one, other) => (one < other ? -1 : 1));
  }
}

export function planOf({ root, places }: Pick<World, "root" | "places">): Promise<Consolidation> {
  return planConsolidation(root, places, now);
}
