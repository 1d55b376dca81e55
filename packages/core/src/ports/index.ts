export { absolutePath, withAbsolutePath } from "./absolute-path.ts";
export type { Clock, Ids, Timers } from "./clock.ts";
export {
  allowedEnvironment,
  copiesOfSecrets,
  isGitTransport,
  operatorEnvironment,
  type Variables,
  type Withheld,
} from "./child-environment.ts";
export { chosenArguments } from "./chosen-arguments.ts";
export { type CodeHost, CodeHostError, type CodeHostFailure } from "./code-host.ts";
export type {
  AttemptTrace,
  HarnessCapabilities,
  HarnessProbe,
  HarnessSignal,
  NewConversation,
  Observed,
  Reported,
  SandboxFiles,
  TranscriptEntry,
  Trouble,
  TurnPlan,
  TurnRequest,
  Turns,
} from "./harness.ts";
export type { Denial, Outcome, ReceiptEvidence } from "../turn/outcome.ts";
export { type PromptText, promptText } from "../message/prompt-text.ts";
export type { HookCall, HookReply, Hooks } from "./hooks.ts";
export type {
  OneShotAnswer,
  OneShotPlace,
  OneShotPlan,
  OneShotRequest,
  OneShots,
} from "./one-shots.ts";
export type { Trust, TrustCheck, TrustResult } from "./trust.ts";
export { type Acceptance, type Inbox, InboxUnavailable } from "./inbox.ts";
export type { Adopted, Adoption, Instances } from "./instances.ts";
export type { HeldLock, Lock } from "./lock.ts";
export { isBrokerLost, knownEnd } from "./lost-broker.ts";
export { GitLost, type GitPlan, type RunGit } from "./run-git.ts";
export type { ChildEnd, ProcessPlan, RunningChild, RunProcess } from "./run-process.ts";
export type { Lanes, Lease, Outbox, Settled, TakenLane } from "./lanes.ts";
export type { MergeTurns } from "../turn/coalesce.ts";
export type { OutboxEffect, OutboxEntry, PendingEffect } from "../turn/outbox-entry.ts";
export type {
  ActivityStep,
  DeliveryEntry,
  DeliveryLog,
  EventLog,
  EventQuery,
  ItemQuery,
  Items,
  LogQuery,
  PollCursors,
  RepositoryNames,
  Store,
  StoreOptions,
  StoreStats,
} from "./store.ts";
export type { Decided, DecisionRow } from "../decide/decision-row.ts";
export type {
  AskGit,
  CheckoutRequest,
  CheckoutResult,
  CopyResult,
  ReleaseResult,
  Salvage,
  UndoResult,
  Workspace,
} from "./workspace.ts";
export type { Sandbox, SandboxOrder, SandboxPlace } from "./sandbox.ts";
export type { Terminal, TerminalPlan, Terminals } from "./terminals.ts";
export type { WorkGate } from "./work-gate.ts";
export type { GateAnswer } from "../turn/after-gate.ts";
// What goes through the ports in words: messages, and what may be posted.
export { joined, Message, say } from "../message/message.ts";
export { OutsideText, outside } from "../message/outside-text.ts";
export { formatPlain, type PlainText } from "../message/plain.ts";
export { type PostText, sealed, verbatimPost } from "../message/post.ts";
