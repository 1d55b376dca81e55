export { type Condition, type Move, type Transition, transitions } from "../control/transitions.ts";
export {
  activityEvent,
  alice,
  carol,
  ciEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoon,
  hostNoonMs,
  issueOf,
  labelEvent,
  mallory,
  pullRequestOf,
  repository,
  someBot,
} from "./build-event.ts";
export {
  authorsOf,
  issueRef,
  itemOf,
  laneOf,
  linkOf,
  policyOf,
  pullRef,
  sessionOf,
  stateOf,
  targetOf,
} from "./build-state.ts";
export { decidedAs } from "./decided-as.ts";
export { type Given, given, type Outcome } from "./given.ts";
export { bytesOf, deliveryOf, digestOf, noon } from "./build-delivery.ts";
export {
  inboxContract,
  type InboxRow,
  type InboxSubject,
  type StoredForTest,
} from "./inbox-contract.ts";
export { createMemoryInbox, memoryInboxSubject } from "./memory-inbox.ts";
export {
  type EndedAttempt,
  type RunningAttempt,
  beginAttempt,
  runAttempt,
} from "./adapter/attempt.ts";
export { adapterContract, adapterRows } from "./adapter/index.ts";
export type { AdapterRow } from "./adapter/row.ts";
export {
  type AdapterStage,
  type Deed,
  limitResetsAt,
  type Place,
  type ProgramRecord,
  type Script,
  type StagedChild,
} from "./adapter/stage.ts";
export { secretOf } from "./secret.ts";
export { differs, has, holds, same, sameBytes } from "./same.ts";
