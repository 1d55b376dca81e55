export type { Clock, Ids, Timers } from "./clock.ts";
export { type CodeHost, CodeHostError, type CodeHostFailure } from "./code-host.ts";
export type { AttemptTrace, Denial, HarnessCapabilities, HarnessProbe, HarnessSignal, HookCall, HookReply, Hooks, NewConversation, Observed, Outcome, ReceiptEvidence, Reported, TranscriptEntry, Trouble, Trust, TrustResult, TurnPlan, TurnRequest, Turns } from "./harness.ts";
export { type Acceptance, type Inbox, InboxUnavailable } from "./inbox.ts";
export type { HeldLock, Lock } from "./lock.ts";
export type { ChildEnd, ProcessPlan, RunningChild, RunProcess } from "./run-process.ts";
export type { Lanes, Lease, MergeTurns, Outbox, OutboxEffect, OutboxEntry, PendingEffect, Settled, TakenLane } from "./lanes.ts";
export type { Decided, DecisionRow, DeliveryEntry, DeliveryLog, EventLog, EventQuery, Items, PollCursors, RepositoryNames, Store, StoreOptions, StoreStats } from "./store.ts";
export type { CheckoutRequest, CheckoutResult, ReleaseResult, Salvage, UndoResult, Workspace } from "./workspace.ts";
