import { eventRows } from "./events.ts";
import { itemRows } from "./items.ts";
import { laneRows } from "./lanes.ts";
import { logRows } from "./log.ts";
import { outboxRows } from "./outbox.ts";
import type { StoreRow } from "./row.ts";

export type { OpenHandle, StoreRow } from "./row.ts";

/** What every driver of the store must do, the inbox contract of core aside. */
export const storeContract: readonly StoreRow[] = [...logRows, ...itemRows, ...laneRows, ...outboxRows, ...eventRows];
