// What a driver of its own package is made of: see `@loopwork/store-postgres`.
export { backlogFull, closedError, seenBeforeError, StoreError, unavailable } from "./errors.ts";
export type {
  MaintenanceDriver,
  ServerCheck,
  SourceOptions,
  TargetOptions,
} from "./maintenance/driver.ts";
export { type Finding, type FindingKind, found } from "./maintenance/finding.ts";
export {
  type Cell,
  type Cells,
  mostBytes,
  mostRows,
  type Reading,
  type Renaming,
  sizeOf,
  type Target,
  unfinished,
} from "./maintenance/side.ts";
export {
  derivedFrom,
  type Field,
  instanceColumns,
  ownedBy,
  type Table,
  tables,
} from "./maintenance/tables.ts";
export { type Migration, migrationsIn } from "./migrations.ts";
export { type Happened, mostCounted, stepsOf } from "./model/activity.ts";
export {
  heldFor,
  isBegun,
  itemsOf,
  lostSight,
  machineEffects,
  noteDecided,
  passLanes,
  turnedAway,
  underWay,
} from "./model/adopted.ts";
export { checkDecided, type QueuedDelivery, steeredOf } from "./model/decided.ts";
export {
  type Candidate,
  type Choice,
  choosingLane,
  holdLasts,
  type LaneRow,
  type LeaseRow,
  leaseLasts,
} from "./model/lane.ts";
export { defaultMaxBacklog, firstLookMs, maxShownTurns } from "./model/limits.ts";
export { elsewhere } from "./model/ownership.ts";
export {
  begun,
  dropNote,
  holdAfterResolve,
  mergedInputs,
  queued,
  resolved,
  settled,
  type TurnProgress,
} from "./model/turn.ts";
export {
  blob,
  document,
  documentOrNull,
  integer,
  integerOrNull,
  type Row,
  text,
  textOrNull,
  word,
} from "./rows.ts";
