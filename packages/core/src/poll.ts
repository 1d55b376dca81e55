export { changeHappening, closedHappening, goneHappening, type ListedChange, openedHappening, pushHappening, readChange } from "./poll/changes.ts";
export { checkHappening, statusHappening } from "./poll/checks.ts";
export { firstCursor, formatCursor, formatInstant, lookBackMs, newerOf, overlapMs, type PageMark, parseCursor, type PollCursor, type PollStream, pollStreams, reconcileEveryMs, sinceOf } from "./poll/cursor.ts";
export { counts, type FirstSight } from "./poll/first-sight.ts";
export { type Happening, inOrder, type Subject } from "./poll/happening.ts";
export { missingFrom, type OpenListing, type Tracked, trackedIn } from "./poll/reconcile-closed.ts";
export { instantOf } from "./decide/instant.ts";
export { type Change, type Moment, rewind } from "./poll/rewind.ts";
export { commentHappening, type Editor, type ListedComment, readComment, reviewHappening, settleEdit } from "./poll/said.ts";
