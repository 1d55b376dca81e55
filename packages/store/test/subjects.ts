import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@loopwork/core/ports";
import { noon } from "@loopwork/core/testing";
import type { OpenHandle } from "../src/contract/index.ts";
import { openStore } from "../src/index.ts";
import { createMemoryData } from "../src/memory/data.ts";
import { createMemoryStore } from "../src/memory/store.ts";

/** A driver under test: `fresh` makes an empty store that can be opened several times. */
export type Driver = {
  readonly name: string;
  fresh(): Promise<{ readonly open: OpenHandle; close(): Promise<void> }>;
};

const defaults = { instance: "default", now: (): number => noon };

export const memoryDriver: Driver = {
  name: "memory",
  fresh: async () => {
    const data = createMemoryData();
    return tracked(
      async (over) => createMemoryStore({ ...defaults, ...over }, data),
      () => {},
    );
  },
};

export const sqliteDriver: Driver = {
  name: "sqlite",
  fresh: async () => {
    const folder = mkdtempSync(join(tmpdir(), "loop-store-"));
    return tracked(
      (over) => openStore(`sqlite:${join(folder, "loop.db")}`, { ...defaults, ...over }),
      () => rmSync(folder, { recursive: true, force: true }),
    );
  },
};

export const drivers: readonly Driver[] = [memoryDriver, sqliteDriver];

function tracked(
  open: OpenHandle,
  clean: () => void,
): { readonly open: OpenHandle; close(): Promise<void> } {
  const stores: Store[] = [];
  return {
    open: async (over) => {
      const store = await open(over);
      stores.push(store);
      return store;
    },
    close: async () => {
      for (const store of stores) await store.close();
      clean();
    },
  };
}
