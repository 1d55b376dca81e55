import type { Store, StoreOptions } from "@loopwork/core/ports";

/**
 * One store under test: each call opens another handle on the same data, as another process would.
 */
export type OpenHandle = (
  over?: Partial<StoreOptions> & { readonly maxBacklog?: number },
) => Promise<Store>;

/**
 * A rule of the store port. `run` rejects with a plain error that names what differs; it gets a
 * fresh, empty store.
 */
export type StoreRow = {
  readonly id: string;
  readonly title: string;
  run(open: OpenHandle): Promise<void>;
};

/** Rows of one part of the port, numbered in their order. */
export function rowsOf(
  part: string,
  rows: readonly (readonly [title: string, run: (open: OpenHandle) => Promise<void>])[],
): readonly StoreRow[] {
  return rows.map(([title, run], n) => ({
    id: `${part}-${String(n + 1).padStart(2, "0")}`,
    title,
    run,
  }));
}

/** The code of the error that the promise rejects with; throws when it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error && "code" in error && typeof error.code === "string"
      ? error.code
      : String(error);
  }
  throw new Error("expected a rejection, got a result");
}
