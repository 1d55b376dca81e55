export type { Clock, Ids } from "./clock.ts";
export { type CodeHost, CodeHostError } from "./code-host.ts";
export type { AttemptTrace, Denial, HarnessCapabilities, HarnessProbe, HarnessSignal, HookCall, HookReply, Hooks, Observed, Outcome, ReceiptEvidence, Trust, TrustResult, TurnPlan, TurnRequest, Turns } from "./harness.ts";
export { type Acceptance, type Inbox, InboxUnavailable } from "./inbox.ts";
export type { HeldLock, Lock } from "./lock.ts";
export type { ChildEnd, ProcessPlan, RunningChild, RunProcess } from "./run-process.ts";
export type { Decided, DecisionRow, DeliveryEntry, DeliveryLog, EventLog, EventQuery, Items, Lanes, Lease, MergeTurns, Outbox, OutboxEffect, OutboxEntry, PollCursors, Settled, Store, StoreOptions, StoreStats, TakenLane } from "./store.ts";
export type { CheckoutRequest, CheckoutResult, ReleaseResult, Workspace } from "./workspace.ts";
