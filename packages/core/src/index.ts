export type { EventKind, EventLevel, EventLine, StoredEvent } from "./event-log/event-line.ts";
export { eventKinds } from "./event-log/event-line.ts";
export { eventSentence, eventSummary } from "./explain/event-sentence.ts";
export {
  type Canary,
  canaryBody,
  canaryEvent,
  canaryId,
  canaryPurpose,
  canaryWords,
  parseCanary,
} from "./canary/canary-delivery.ts";
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
export { ago } from "./text/ago.ts";
export { countHidden, escapeHidden, inline } from "./text/hidden-characters.ts";
export { type Notice, type NoticeKind, noticeOf } from "./explain/notice.ts";
export { formatLine, parseLine } from "./event-log/format-line.ts";
export { createRedactor, redactedShape, type Secret } from "./redaction/redact.ts";
export type { Authority } from "./control/authority-type.ts";
export { adoptedBy } from "./work-item/adopted-item.ts";
export { type Import, importRecord, type ImportTerms } from "./work-item/import-record.ts";
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
export { isGrantOf, type NamedAccount, namedByLogin } from "./work-item/named-account.ts";
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
export { type Explained, effectSentence, explain } from "./explain/explain-decision.ts";
export { openSentence } from "./explain/open-question.ts";
export { instantOf } from "./text/instant.ts";
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
} from "./decide/lookup-facts.ts";
export { asksForGrant, type Grantee, granteeOf } from "./decide/grant.ts";
export { closedMeanwhile, leavesNoRecord, mayBeOvertaken } from "./decide/unrecorded.ts";
export type { Policy } from "./config/policy.ts";
export type { Reason } from "./control/reason.ts";
export { standingSentences } from "./explain/item-status.ts";
export {
  defaultWords,
  keywordText,
  reasons,
  remedyOf,
  sentenceOf,
  type Words,
} from "./control/reason-sentences.ts";
export { isRepetition, keyOfNth, maybeAgain } from "./decide/repetition.ts";
export { type OpenQuestion, redecide, type Replayed } from "./decide/replay.ts";
export { wantsConfirming } from "./decide/lifecycle-facts.ts";
export type { AgentAtWork, OwnBy, State, UnansweredQuestion } from "./decide/state.ts";
export type { Provenance, Target } from "./linking/target.ts";
export { stillDue } from "./decide/still-due.ts";
export { type JsonObject, type ParsedPayload, parsePayload } from "./event/parse-payload.ts";
export { isLoopback } from "./config/loopback.ts";
export {
  type Delivery,
  type DeliverySource,
  type IgnoredAtDoor,
  type NewDelivery,
  replayWindowMs,
  type StoredDelivery,
} from "./event/delivery.ts";
export { breakerHold, isHuman } from "./turn/breaker.ts";
export { budgetHold, withInFlight } from "./turn/budget.ts";
export { endAgainAfterMs, isEnd, isStuck, leftUndone, triesUntilStuck } from "./turn/ends.ts";
export {
  afterGate,
  endedAs,
  lackOf,
  maxReminders,
  remindersOf,
  unfinished,
} from "./turn/after-gate.ts";
export { failedTries } from "./turn/failed-tries.ts";
export {
  type HarnessLane,
  harnessOf,
  lanesOfHarness,
  spreadHold,
  waitsWithOthers,
} from "./turn/harness-hold.ts";
export { isHarnessWide } from "./work-item/hold.ts";
export { mergeTurns } from "./turn/coalesce.ts";
export { afterLeaving, attachedOver, coveredBy } from "./turn/attached.ts";
export { headOf } from "./turn/lane.ts";
export { isOpen, outranks, resumeOpens, strongerHold } from "./work-item/hold.ts";
export type { LaneFacts, LineDraft, Next } from "./turn/next.ts";
export { type Prompt, type PromptRequest, renderPrompt } from "./turn/prompt.ts";
export {
  decideSandbox,
  type SandboxDecision,
  type SandboxFacts,
  type SandboxMode,
} from "./turn/sandbox.ts";
export { afterCrash, afterOutcome, needsEvidence } from "./turn/retry.ts";
export type {
  BreakerSettings,
  BudgetSettings,
  CoalesceSettings,
  DispatchSettings,
  RetrySettings,
} from "./config/turn-settings.ts";
export type { InteractionMode } from "./turn/task.ts";
export type {
  Attempt,
  AttemptKind,
  ChildIdentity,
  Turn,
  TurnInput,
  TurnState,
} from "./turn/turn.ts";
export { type OnRecord, type Waiting, waitingOf, waitingReasons } from "./explain/waiting.ts";
export type { Authors } from "./turn/authored-text.ts";
export { LoopError } from "./ports/loop-error.ts";
export {
  settle,
  settleCanary,
  settleForgotten,
  settleRejected,
  turnedAway,
  understand,
} from "./flow.ts";
export { type ControlPayload, controlVerbs } from "./event/control.ts";
export type * from "./event/event.ts";
export { hostEventName, hostEventNames } from "./event/host-events.ts";
export { normalise } from "./event/normalise.ts";
export { type ToolUseEnd } from "./own-writing/host-call.ts";
export { openedBy, pullRequestAt } from "./own-writing/opened.ts";
export { type OwnPost, postAt, postsOf } from "./own-writing/posted.ts";
export { type Overheard, isAgentsAccount, quietUntil } from "./own-writing/quiet.ts";
export type { ReferenceScope } from "./linking/closing-grammar.ts";
export { closingReferences } from "./linking/closing-keywords.ts";
export { closedByText } from "./linking/links.ts";
export {
  chooseHead,
  type HeadChoice,
  type HeadPolicy,
  type PullFacts,
} from "./turn/choose-head.ts";
export type { Candidate } from "./linking/lookups.ts";
export {
  formatPortableRecord,
  type ParsedRecord,
  parsePortableRecord,
  type PortableRecord,
  type RecordProblem,
} from "./work-item/portable-record.ts";
export type { HarnessId, Runner } from "./config/harness.ts";
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
} from "./ref/ref.ts";
export { type AgentPostRules, formatAgentPost } from "./own-writing/agent-post.ts";
export { joined, Message, person, say, trustedWords } from "./message/message.ts";
export { OutsideText, outside } from "./message/outside-text.ts";
export { formatPlain, type PlainText, plainLine } from "./message/plain.ts";
export { formatPost, type PostText, sealed, verbatimPost, withMessage } from "./message/post.ts";
export {
  type KnownAs,
  type NamedRepository,
  recognise,
  type Recognition,
  renaming,
  type RepositoryName,
} from "./event/repository-names.ts";
export type { Familiarity } from "./control/relevance.ts";
export { questionsOf } from "./linking/questions.ts";
export type { Questions } from "./linking/lookups.ts";
export { authorIn, noAnswers, refsToLoad, resolve, wantsAuthor } from "./linking/resolve.ts";
export type { Answers } from "./linking/lookups.ts";
export { isVouchedFor, type PullOrigin } from "./linking/vouched.ts";
export type { KnownAuthor } from "./linking/lookups.ts";
