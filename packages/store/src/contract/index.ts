import { adoptedLogRows } from "./adopted-log.ts";
import { adoptionRows } from "./adoption.ts";
import { cursorRows } from "./cursors.ts";
import { decisionRows } from "./decisions.ts";
import { eventRows } from "./events.ts";
import { instanceRows } from "./instances.ts";
import { itemRows } from "./items.ts";
import { laneRows } from "./lanes.ts";
import { leaseRows } from "./leases.ts";
import { logRows } from "./log.ts";
import { outboxRows } from "./outbox.ts";
import { repositoryRows } from "./repositories.ts";
import type { StoreRow } from "./row.ts";
import { turnRows } from "./turns.ts";

export type { OpenHandle, StoreRow } from "./row.ts";

/** What every driver of the store must do, the inbox contract of core aside. */
export const storeContract: readonly StoreRow[] = [
  ...logRows,
  ...decisionRows,
  ...itemRows,
  ...laneRows,
  ...leaseRows,
  ...turnRows,
  ...outboxRows,
  ...eventRows,
  ...cursorRows,
  ...repositoryRows,
  ...instanceRows,
  ...adoptionRows,
  ...adoptedLogRows,
];
