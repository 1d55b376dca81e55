export type { EventKind, EventLevel, EventLine, StoredEvent } from "./audit/event-kinds.ts";
export { eventKinds } from "./audit/event-kinds.ts";
export { eventSentence, eventSummary } from "./audit/event-sentence.ts";
export {
  type Canary,
  canaryBody,
  canaryEvent,
  canaryId,
  canaryPurpose,
  canaryWords,
  parseCanary,
} from "./canary/canary.ts";
export { clockReport, type ClockFacts } from "./canary/clock.ts";
export {
  allLinks,
  type CanaryLink,
  canaryLinks,
  formatLinkReport,
  linkName,
  type LinkReport,
  parseLinkReport,
} from "./canary/links.ts";
export { authorityOf, type Pinned, type Standing } from "./control/authority.ts";
export { ago } from "./audit/ago.ts";
export { countHidden, escapeHidden, inline } from "./audit/hidden.ts";
export { type Notice, type NoticeKind, noticeOf } from "./audit/notice.ts";
export { formatLine, parseLine } from "./audit/line.ts";
export { createRedactor, redactedShape, type Secret } from "./audit/redact.ts";
export type { Authority } from "./control/authority-type.ts";
export { adoptedBy } from "./control/adopt.ts";
export { type Import, importRecord, type ImportTerms } from "./control/import-record.ts";
export type { UnownedStart } from "./control/unowned-start.ts";
export {
  awayAfterMs,
  heartbeatMs,
  type InstanceLife,
  type InstanceRow,
  type InstanceScope,
  type InstanceStanding,
  standingOf,
} from "./control/instance-life.ts";
export { type ManagedBy, type ManagedItem, managedItems, outOfScope } from "./control/instance.ts";
export { type ControlReading, controlSpans, readControl } from "./control/keyword.ts";
export { foldName, sameLabel } from "./accounts/fold-name.ts";
export { isGrantOf, type NamedAccount, namedByLogin } from "./accounts/named-account.ts";
export {
  type Account,
  accountName,
  foldLogin,
  isLogin,
  namesTyped,
  personCalled,
  sameAccount,
} from "./accounts/account.ts";
export { decide } from "./decide/decide.ts";
export type { Decision, Verdict } from "./decide/decision.ts";
export type { CommentTarget, DecidedFact, Effect, Recorded } from "./decide/effect.ts";
export { decidedFact, evolve, initialItemState } from "./decide/evolve.ts";
export { type Explained, effectSentence, explain } from "./decide/explain.ts";
export { openSentence } from "./decide/explain-replay.ts";
export { instantOf } from "./decide/instant.ts";
export { keyOfCreation } from "./decide/repetition.ts";
export { asksForEdits, type TextEdit, type TextEdits } from "./decide/text-edits.ts";
export { pullRequestOf } from "./decide/on-ci.ts";
export {
  asksForOwn,
  type Found,
  type Guests,
  mayBeHeard,
  noGuests,
  ownActivity,
  type OwnEvidence,
  ownOfNobody,
} from "./decide/found.ts";
export { asksForGrant, type Grantee, granteeOf } from "./decide/grant.ts";
export { closedMeanwhile, leavesNoRecord, mayBeOvertaken } from "./decide/unrecorded.ts";
export type { Policy } from "./decide/policy.ts";
export type { Reason } from "./decide/reason.ts";
export { standingSentences } from "./decide/standing.ts";
export {
  defaultWords,
  keywordText,
  reasons,
  remedyOf,
  sentenceOf,
  type Words,
} from "./decide/sentences.ts";
export { isRepetition, keyOfNth, maybeAgain } from "./decide/repetition.ts";
export { type OpenQuestion, redecide, type Replayed } from "./decide/replay.ts";
export { wantsConfirming } from "./decide/situation.ts";
export type {
  AgentAtWork,
  OwnBy,
  Provenance,
  State,
  Target,
  UnansweredQuestion,
} from "./decide/state.ts";
export { stillDue } from "./decide/still-due.ts";
export { type JsonObject, type ParsedPayload, parsePayload } from "./delivery/admit.ts";
export { isLoopback } from "./config/loopback.ts";
export {
  type Delivery,
  type DeliverySource,
  type IgnoredAtDoor,
  type NewDelivery,
  replayWindowMs,
  type StoredDelivery,
} from "./delivery/delivery.ts";
export { breakerHold, isHuman } from "./dispatch/breaker.ts";
export { budgetHold, withInFlight } from "./dispatch/budget.ts";
export { endAgainAfterMs, isEnd, isStuck, leftUndone, triesUntilStuck } from "./dispatch/ends.ts";
export {
  afterGate,
  endedAs,
  lackOf,
  maxReminders,
  remindersOf,
  unfinished,
} from "./dispatch/after-gate.ts";
export { failedTries } from "./dispatch/failed-tries.ts";
export {
  type HarnessLane,
  harnessOf,
  isHarnessWide,
  lanesOfHarness,
  spreadHold,
  waitsWithOthers,
} from "./dispatch/harness-hold.ts";
export { mergeTurns } from "./dispatch/coalesce.ts";
export { afterLeaving, attachedOver, coveredBy } from "./dispatch/attached.ts";
export { headOf, isOpen, outranks, resumeOpens, strongerHold } from "./dispatch/lane.ts";
export type { LaneFacts, LineDraft, Next } from "./dispatch/next.ts";
export { type Prompt, type PromptRequest, renderPrompt } from "./dispatch/prompt.ts";
export {
  decideSandbox,
  type SandboxDecision,
  type SandboxFacts,
  type SandboxMode,
} from "./dispatch/sandbox.ts";
export { afterCrash, afterOutcome, needsEvidence } from "./dispatch/retry.ts";
export type {
  BreakerSettings,
  BudgetSettings,
  CoalesceSettings,
  DispatchSettings,
  RetrySettings,
} from "./dispatch/settings.ts";
export type { InteractionMode } from "./dispatch/task.ts";
export type {
  Attempt,
  AttemptKind,
  ChildIdentity,
  Turn,
  TurnInput,
  TurnState,
} from "./dispatch/turn.ts";
export { type OnRecord, type Waiting, waitingOf, waitingReasons } from "./dispatch/waiting.ts";
export type { Authors } from "./dispatch/words.ts";
export { LoopError } from "./errors.ts";
export {
  settle,
  settleCanary,
  settleForgotten,
  settleRejected,
  turnedAway,
  understand,
} from "./flow.ts";
export { type ControlPayload, controlVerbs } from "./normalise/control.ts";
export type * from "./normalise/event.ts";
export { hostEventName, hostEventNames } from "./normalise/host-events.ts";
export { normalise } from "./normalise/normalise.ts";
export { type ToolUseEnd } from "./own-writing/host-call.ts";
export { openedBy, pullRequestAt } from "./own-writing/opened.ts";
export { type OwnPost, postAt, postsOf } from "./own-writing/posted.ts";
export { type Overheard, isAgentsAccount, quietUntil } from "./own-writing/quiet.ts";
export type { ReferenceScope } from "./work-item/closing-grammar.ts";
export { closingReferences } from "./work-item/closing-keywords.ts";
export { closedByText } from "./work-item/links.ts";
export { chooseHead, type HeadChoice, type HeadPolicy, type PullFacts } from "./work-item/head.ts";
export type { Candidate } from "./work-item/links.ts";
export {
  formatPortableRecord,
  type ParsedRecord,
  parsePortableRecord,
  type PortableRecord,
  type RecordProblem,
} from "./work-item/portable-record.ts";
export type * from "./work-item/records.ts";
export { emptyItemState, isEmptyItem } from "./work-item/records.ts";
export {
  formatRef,
  isDomain,
  isOwnerName,
  isRepositoryName,
  parseRef,
  type Ref,
  refGrammar,
  refPrefix,
  refSlug,
  type RefText,
  sameName,
  sameRef,
  toRefText,
} from "./work-item/ref.ts";
export { type AgentPostRules, formatAgentPost } from "./outside/agent-post.ts";
export { joined, Message, person, say, trustedWords } from "./outside/message.ts";
export { OutsideText, outside } from "./outside/outside-text.ts";
export { formatPlain, type PlainText, plainLine } from "./outside/plain.ts";
export { formatPost, type PostText, sealed, verbatimPost, withMessage } from "./outside/post.ts";
export {
  type KnownAs,
  type NamedRepository,
  recognise,
  type Recognition,
  renaming,
  type RepositoryName,
} from "./work-item/repository-names.ts";
export type { Familiarity } from "./decide/telling.ts";
export { type Questions, questionsOf } from "./work-item/questions.ts";
export {
  type Answers,
  authorIn,
  noAnswers,
  refsToLoad,
  resolve,
  wantsAuthor,
} from "./work-item/resolve.ts";
export { isVouchedFor, type KnownAuthor, type PullOrigin } from "./work-item/vouched.ts";
