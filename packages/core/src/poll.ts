export {
  changeHappening,
  closedHappening,
  editedHappening,
  goneHappening,
  type ListedChange,
  type ListedPush,
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
  firstCursor,
  formatCursor,
  lookBackMs,
  newerOf,
  overlapMs,
  type PageMark,
  parseCursor,
  type PollCursor,
  type PollStream,
  pollStreams,
  reconcileEveryMs,
  sinceOf,
} from "./poll/cursor.ts";
export { counts, type FirstSight, isArmed } from "./poll/first-sight.ts";
export {
  accountedUntil,
  type Gap,
  type GapCursor,
  gapsOf,
  gapsSince,
  type ListedAttempt,
  parseGapCursor,
  readAttempt,
} from "./poll/missed-deliveries.ts";
export { type Happening, inOrder, type Subject } from "./poll/happening.ts";
export { missingFrom, type OpenListing, type Tracked, trackedIn } from "./poll/reconcile-closed.ts";
export { formatInstant, instantOf, isBefore } from "./text/instant.ts";
export { type TextEdit, type TextEdits } from "./decide/text-edits.ts";
export { listedField } from "./event/read-item.ts";
export { type Change, type Moment, rewind } from "./poll/item-as-of.ts";
export {
  commentHappening,
  type Editor,
  type ListedComment,
  readComment,
  readReview,
  settleEdit,
} from "./poll/comments.ts";
