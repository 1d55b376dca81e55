/**
 * Routing and scope: what a delivery means, which work item it belongs to, what follows from it, and
 * how its turns go on. Pure functions over plain data; it loads neither YAML nor learnings.
 *
 * @example
 * Find the work item of a delivery:
 *
 * ```ts
 * import { noAnswers, type Policy, questionsOf, resolve, understand } from "@loopwork/core";
 * import type { Ref } from "@loopwork/core/ports";
 *
 * export function workItemOf(body: string, policy: Policy): Ref | null {
 *   const delivery = { id: "727d327b", source: "webhook", event: "issues" } as const;
 *   const understood = understand(delivery, body, policy);
 *   if (!understood.ok) return null;
 *   const questions = questionsOf(understood.event, policy);
 *   return resolve(understood.event, noAnswers, policy, questions)?.workItem ?? null;
 * }
 * ```
 */

export { createRedactor, redactedShape } from "./redaction/redact.ts";
export { formatInstant, instantOf, isBefore } from "./text/instant.ts";
export { accountId, readActor } from "./event/actor.ts";
export type { ControlPayload } from "./event/control.ts";
export type {
  Actor,
  CommentEvent,
  ControlRequest,
  InboundEvent,
  Item,
  Normalised,
  Repository,
} from "./event/event.ts";
export { normalise } from "./event/normalise.ts";
export { listedField } from "./event/read-item.ts";
export type { Policy } from "./config/policy.ts";
export type { DispatchSettings } from "./config/turn-settings.ts";
export { adoptedBy } from "./work-item/adopted-item.ts";
export { emptyGraphRecord, seriesOf, withSignal } from "./work-item/graph-record.ts";
export { isHarnessWide, isOpen, strongerHold } from "./work-item/hold.ts";
export { importRecord, type ImportResult } from "./work-item/import-record.ts";
export { isGrantOf, type NamedAccount, namedByLogin } from "./work-item/named-account.ts";
export {
  formatPortableRecord,
  parsePortableRecord,
  type PortableRecord,
  type RecordProblem,
} from "./work-item/portable-record.ts";
export type { Authority } from "./control/authority-type.ts";
export type { Pinned } from "./control/authority.ts";
export { type ManagedItem, managedItems } from "./control/instance.ts";
export {
  defaultWords,
  reasons,
  remedyOf,
  sentenceOf,
  type Words,
} from "./control/reason-sentences.ts";
export type { Reason, RequestRefusal } from "./control/reason.ts";
export type { Familiarity } from "./control/relevance.ts";
export type { UnownedStart } from "./control/unowned-start.ts";
export { formatAgentPost } from "./own-writing/agent-post.ts";
export { openedBy } from "./own-writing/opened-pull-requests.ts";
export { type OwnPost, postsOf } from "./own-writing/posted-comments.ts";
export { isAgentsAccount, quietUntil } from "./own-writing/quiet-period.ts";
export { closedByText } from "./linking/links.ts";
export type { KnownAuthor, LookupAnswers, LookupQuestions } from "./linking/lookups.ts";
export { questionsOf } from "./linking/questions.ts";
export { authorIn, noAnswers, refsToLoad, resolve, wantsAuthor } from "./linking/resolve.ts";
export type { Target } from "./linking/target.ts";
export { isVouchedFor } from "./linking/vouched.ts";
export { decide } from "./decide/decide.ts";
export type { Decision, Verdict } from "./decide/decision.ts";
export type { CommentTarget, Effect, Recorded } from "./decide/effect.ts";
export { turnedAway } from "./decide/event-filter.ts";
export { decidedFact, evolve } from "./decide/evolve.ts";
export { asksForGrant, granteeOf } from "./decide/grant.ts";
export { wantsConfirming } from "./decide/lifecycle-facts.ts";
export {
  asksForOwn,
  type Guests,
  type LookedUp,
  mayBeHeard,
  noGuests,
  ownActivity,
  type OwnEvidence,
  ownOfNobody,
} from "./decide/lookup-facts.ts";
export { pullRequestOf } from "./decide/on-ci.ts";
export { isRepetition, keyOfCreation, keyOfNth, maybeAgain } from "./decide/repetition.ts";
export { type OpenQuestion, redecide } from "./decide/replay.ts";
export type { AgentAtWork, OwnBy, State, UnansweredQuestion } from "./decide/state.ts";
export { stillDue } from "./decide/still-due.ts";
export { asksForEdits, type TextEdit, type TextEdits } from "./decide/unauthorized-edits.ts";
export { closedMeanwhile, leavesNoRecord, mayBeOvertaken } from "./decide/unrecorded-closing.ts";
export { afterGate, endedAs, lackOf, remindersOf } from "./turn/after-work-gate.ts";
export { afterLeaving, attachedOver, coveredBy } from "./turn/attached.ts";
export type { Authors } from "./turn/authored-text.ts";
export { breakerHold, isHuman } from "./turn/breaker.ts";
export { budgetHold, withInFlight } from "./turn/budget.ts";
export { chooseHead, type HeadChoice, type PullFacts } from "./turn/choose-head.ts";
export { mergeTurns } from "./turn/coalesce.ts";
export { endAgainAfterMs, leftUndone, triesUntilStuck } from "./turn/ends.ts";
export { failedTries } from "./turn/failed-tries.ts";
export {
  type HarnessLane,
  harnessOf,
  lanesOfHarness,
  spreadHold,
  waitsWithOthers,
} from "./turn/harness-hold.ts";
export type { LaneFacts, NextStep } from "./turn/next.ts";
export { type PromptRequest, renderPrompt } from "./turn/prompt.ts";
export { afterCrash, afterOutcome, needsEvidence } from "./turn/retry.ts";
export { decideSandbox, type SandboxDecision, type SandboxFacts } from "./turn/sandbox.ts";
export { carryGraph, type GraphFacts } from "./graph/advance.ts";
export { criticPrompt, verdictSchema, withoutFence } from "./graph/critic-prompt.ts";
export {
  type CriticScope,
  criticScope,
  type PullRequestChange,
  unseenReports,
} from "./graph/critic-scope.ts";
export { type CriticReport, findingSentence, foldRound, parseVerdict } from "./graph/critic.ts";
export { mayAnswer } from "./graph/gate.ts";
export { nodeOf } from "./graph/model.ts";
export { orderOf } from "./graph/order.ts";
export { criticsOf, subjectOf } from "./graph/progress.ts";
export { refuseRequest } from "./graph/refuse.ts";
export { comparable } from "./graph/sections.ts";
export { nodeTask } from "./graph/task.ts";
export { eventSentence, eventSummary } from "./explain/event-sentence.ts";
export { effectSentence, explain } from "./explain/explain-decision.ts";
export { standingSentences } from "./explain/item-status.ts";
export { type Notice, noticeOf } from "./explain/notice.ts";
export { openSentence } from "./explain/open-question.ts";
export { type Waiting, waitingOf, waitingReasons } from "./explain/waiting.ts";
export {
  changeHappening,
  closedHappening,
  editedHappening,
  goneHappening,
  type ListedChange,
  openedHappening,
  pushHappenings,
  readChange,
  readPush,
} from "./poll/changes.ts";
export {
  checkHappening,
  statusHappening,
  suiteHappening,
  workflowHappening,
} from "./poll/checks.ts";
export {
  commentHappening,
  type LastEditor,
  type ListedComment,
  readComment,
  readReview,
  settleEdit,
} from "./poll/comments.ts";
export {
  firstCursor,
  formatCursor,
  newerOf,
  type PageMark,
  parseCursor,
  type PollCursor,
  type PollStream,
  pollStreams,
  reconcileEveryMs,
  sinceOf,
} from "./poll/cursor.ts";
export { countsAtFirstSight, type FirstSight, isOpenWithLabel } from "./poll/first-sight.ts";
export { type Happening, type PolledItem, sortHappenings } from "./poll/happening.ts";
export {
  accountedUntil,
  type GapCursor,
  gapsSince,
  type ListedAttempt,
  missedDeliveries,
  type MissedDelivery,
  parseGapCursor,
  readAttempt,
} from "./poll/missed-deliveries.ts";
export { missingFromListing, trackedIn, type TrackedItems } from "./poll/reconcile-closed.ts";
export {
  type Canary,
  canaryBody,
  canaryEvent,
  canaryId,
  canaryPurpose,
  canaryWords,
  parseCanary,
} from "./canary/canary-delivery.ts";
export { clockReport } from "./canary/clock.ts";
export {
  allLinks,
  type CanaryLink,
  canaryLinks,
  formatLinkReport,
  linkName,
  type LinkReport,
  parseLinkReport,
} from "./canary/links.ts";
export { settle, settleCanary, settleForgotten, settleRejected, understand } from "./flow.ts";
