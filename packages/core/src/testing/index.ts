/**
 * Contracts of ports as rows of data, and builders of events, records and deliveries for tests.
 *
 * @example
 * Hold an inbox to its contract, with any test runner:
 *
 * ```ts
 * import { inboxContract, type InboxSubject } from "@loopwork/core/testing";
 *
 * export async function failures(open: () => Promise<InboxSubject>): Promise<readonly string[]> {
 *   const failed: string[] = [];
 *   for (const row of inboxContract) {
 *     const subject = await open();
 *     await row.run(subject).catch((error: unknown) => failed.push(`${row.id}: ${String(error)}`));
 *     await subject.close();
 *   }
 *   return failed;
 * }
 * ```
 */

export { type Condition, type Move, type Transition, transitions } from "../control/transitions.ts";
export {
  beginAttempt,
  type EndedAttempt,
  runAttempt,
  type RunningAttempt,
} from "./adapter/attempt.ts";
export { adapterContract } from "./adapter/index.ts";
export type { AdapterRow } from "./adapter/row.ts";
export {
  type AdapterStage,
  type Deed,
  limitResetsAt,
  type Script,
  type StagedChild,
} from "./adapter/stage.ts";
export { bytesOf, deliveryOf, digestOf, noon } from "./build-delivery.ts";
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
} from "./build-state.ts";
export { decidedAs } from "./decided-as.ts";
export { inboxContract, type InboxSubject, type StoredForTest } from "./inbox-contract.ts";
export { createMemoryInbox } from "./memory-inbox.ts";
export { has, holds, same, sameBytes } from "./same.ts";
export { secretOf } from "./secret.ts";
