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
  Denial,
  HarnessCapabilities,
  HarnessProbe,
  HarnessSignal,
  NewConversation,
  Observed,
  Outcome,
  ReceiptEvidence,
  Reported,
  SandboxFiles,
  TranscriptEntry,
  Trouble,
  TurnPlan,
  TurnRequest,
  Turns,
} from "./harness.ts";
export { type PromptText, promptText } from "../outside/prompt-text.ts";
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
export type {
  Lanes,
  Lease,
  MergeTurns,
  Outbox,
  OutboxEffect,
  OutboxEntry,
  PendingEffect,
  Settled,
  TakenLane,
} from "./lanes.ts";
export type {
  ActivityStep,
  Decided,
  DecisionRow,
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
export type { GateAnswer, WorkGate } from "./work-gate.ts";
// What goes through the ports in words: messages, and what may be posted.
export { joined, Message, say } from "../outside/message.ts";
export { OutsideText, outside } from "../outside/outside-text.ts";
export { formatPlain, type PlainText } from "../outside/plain.ts";
export { type PostText, sealed, verbatimPost } from "../outside/post.ts";
