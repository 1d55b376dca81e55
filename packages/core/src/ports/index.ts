/**
 * What the other packages implement, and what passes through their hands: ports, records, references,
 * accounts, messages, errors, and where work stands in its graph. It starts fast: nothing here loads
 * YAML or reads the text of comments, so hooks and small programs import values from here only.
 *
 * @example
 * An inbox that keeps deliveries in memory, and refuses more than it has room for:
 *
 * ```ts
 * import { type Inbox, InboxUnavailable, type NewDelivery } from "@loopwork/core/ports";
 *
 * export function smallInbox(room: number): Inbox {
 *   const kept: NewDelivery[] = [];
 *   return {
 *     async append(delivery) {
 *       if (kept.some(({ id }) => id === delivery.id))
 *         return { kind: "duplicate", why: "id", of: delivery.id };
 *       if (kept.length === room) throw new InboxUnavailable("LOOP_E_BACKLOG_FULL", "full");
 *       return { kind: "accepted", seq: kept.push(delivery) };
 *     },
 *   };
 * }
 * ```
 */

export { createConnectionRoom } from "../serving/connection-room.ts";
export { ago } from "../text/ago.ts";
export { countHidden, escapeHidden, escapeInline } from "../text/hidden-characters.ts";
export {
  type Account,
  accountName,
  foldLogin,
  isListed,
  isLogin,
  loginSet,
  namesTyped,
  personCalled,
  sameAccount,
} from "../accounts/account.ts";
export { foldName, sameLabel } from "../accounts/fold-name.ts";
export {
  formatRef,
  isDomain,
  isOwnerName,
  isRepositoryName,
  parseRef,
  type Ref,
  refPrefix,
  refSlug,
  type RefText,
  sameName,
  sameRef,
  toRefText,
} from "../ref/ref.ts";
export { parseTypedRef } from "../ref/typed-ref.ts";
export { joinMessages, Message, say, trustedWords } from "../message/message.ts";
export { outside } from "../message/outside-text.ts";
export { formatPlain } from "../message/plain.ts";
export { formatPost, type PostText, sealed, verbatimPost, withMessage } from "../message/post.ts";
export { promptJson, promptText, type PromptText } from "../message/prompt-text.ts";
export {
  type EventKind,
  eventKinds,
  type EventLevel,
  type EventLine,
  type StoredEvent,
} from "../event-log/event-line.ts";
export {
  type DeliverySource,
  type IgnoredAtDoor,
  type NewDelivery,
  replayWindowMs,
  type StoredDelivery,
} from "../event/delivery.ts";
export { hostEventName, hostEventNames } from "../event/host-events.ts";
export { type JsonObject, parsePayload } from "../event/parse-payload.ts";
export {
  type KnownAs,
  type NamedRepository,
  recognise,
  renameRefs,
} from "../event/repository-names.ts";
export type { HarnessId, Runner } from "../config/harness.ts";
export { isLoopback } from "../config/loopback.ts";
export {
  readSecret,
  secretFault,
  type SecretReading,
  type SecretValue,
  shortestSecret,
} from "../config/secret-value.ts";
export type { GraphRecord, GraphSignal, GraphWaits, Judgement } from "../work-item/graph-record.ts";
export {
  type CiAttempt,
  type Collaborator,
  type ControlRecord,
  type ControlStatus,
  emptyItemState,
  type Hold,
  type HoldReason,
  isEmptyItem,
  type ItemState,
  type LaneState,
  type PullRequestLink,
  type Revocation,
  type Session,
  type Spend,
  type WorkItem,
} from "../work-item/records.ts";
export {
  awayAfterMs,
  heartbeatMs,
  type InstanceLife,
  type InstanceRow,
  type InstanceScope,
  instanceStatus,
} from "../control/instance-life.ts";
export type { Decided, DecisionRow } from "../decide/decision-row.ts";
export { type GateAnswer, maxReminders, unfinishedPrompt } from "../turn/after-work-gate.ts";
export type { MergeTurns } from "../turn/coalesce.ts";
export { isEndingEffect } from "../turn/ends.ts";
export type { OutboxEffect, OutboxEntry, PendingEffect } from "../turn/outbox-entry.ts";
export type { Denial, Outcome, ReceiptEvidence } from "../turn/outcome.ts";
export type {
  Attempt,
  AttemptKind,
  ChildIdentity,
  Turn,
  TurnInput,
  TurnState,
} from "../turn/turn.ts";
export { bundledDefinitions } from "../graph/bundled.ts";
export { checkCritics, checkHooks } from "../graph/check.ts";
export { type FinishedCheck, itemFinished } from "../graph/may-end-turn.ts";
export type { GraphDefinition, GraphNode } from "../graph/model.ts";
export { graphNames } from "../graph/graph-names.ts";
export {
  type ConfiguredGraph,
  deriveProgress,
  type GraphProgress,
  type ObservedWork,
  type SeenArtifact,
} from "../graph/progress.ts";
export { pullRequestsOf } from "../graph/pull-requests.ts";
export type { GraphProblem } from "../graph/read-node.ts";
export { filledHeadings } from "../graph/sections.ts";
export { parseBlock } from "../learnings/block.ts";
export { endOfNotes, injection } from "../learnings/inject.ts";
export { absolutePath, withAbsolutePath } from "./absolute-path.ts";
export {
  allowedEnvironment,
  copiesOfSecrets,
  isGitTransport,
  operatorEnvironment,
  type Variables,
} from "./child-environment.ts";
export { chosenArguments } from "./chosen-arguments.ts";
export type { Clock, Ids, Timers } from "./clock.ts";
export { type CodeHost, CodeHostError } from "./code-host.ts";
export type {
  AttemptTrace,
  HarnessCapabilities,
  HarnessProbe,
  HarnessSignal,
  NewConversation,
  Observed,
  SandboxFiles,
  TranscriptEntry,
  Trouble,
  TurnPlan,
  TurnRequest,
  Turns,
} from "./harness.ts";
export type { HookCall, HookReply, Hooks } from "./hooks.ts";
export { type Acceptance, type Inbox, InboxUnavailable } from "./inbox.ts";
export type { Adopted, Adoption, Instances } from "./instances.ts";
export type { Lanes, Lease, Outbox, Settled, TakenLane } from "./lanes.ts";
export type { HeldLock, Lock } from "./lock.ts";
export { LoopError } from "./loop-error.ts";
export { isBrokerLost, knownEnd } from "./lost-broker.ts";
export type {
  OneShotAnswer,
  OneShotPlace,
  OneShotPlan,
  OneShotRequest,
  OneShots,
} from "./one-shots.ts";
export { GitLost, type GitPlan, type RunGit } from "./run-git.ts";
export type { ChildEnd, ProcessPlan, RunningChild, RunProcess } from "./run-process.ts";
export type { Sandbox, SandboxOrder, SandboxPlace } from "./sandbox.ts";
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
export type { Terminal, TerminalPlan, Terminals } from "./terminals.ts";
export type { Trust, TrustCheck, TrustResult } from "./trust.ts";
export type { WorkGate } from "./work-gate.ts";
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
