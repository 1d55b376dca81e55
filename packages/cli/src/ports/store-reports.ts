import type { Store } from "@loopwork/core/ports";

/** What the service recorded of work items, for what must start fast. */
export type Records = {
  readonly items: Pick<Store["items"], "load" | "list">;
  readonly repositories: Pick<Store["repositories"], "list">;
};

/** What was copied and compared; `damaged` are deliveries whose bodies were left out. */
export type Migrated = {
  readonly from: string;
  readonly to: string;
  /** Names of the instances whose decisions and sessions it holds. */
  readonly instances: readonly string[];
  /** A part of it was there from an earlier run. */
  readonly resumed: boolean;
  readonly tables: readonly {
    readonly table: string;
    readonly rows: number;
    readonly sha256: string;
  }[];
  readonly damaged: readonly number[];
};

export type BackedUp = {
  readonly from: string;
  /** Path of the file; large bodies stand in the folder `<file>-bodies` beside it. */
  readonly to: string;
  readonly deliveries: number;
  /** Deliveries whose bodies are damaged in the store itself. */
  readonly damaged: readonly number[];
};

export type Checked = {
  readonly place: string;
  /** What is wrong, with the numbers of the deliveries that it is about. */
  readonly findings: readonly {
    readonly kind: string;
    readonly sentence: string;
    readonly deliveries: readonly number[];
  }[];
  /** What could not be looked at, and why. */
  readonly notes: readonly string[];
  /** Rows of each table. */
  readonly counted: Readonly<Record<string, number>>;
};
