export { finishInterrupted, isInterrupted, lastWritten, undoFiles } from "./apply-plan.ts";
export {
  addCandidate,
  cameWithBranch,
  collect,
  type Collected,
  type Collecting,
  type Queue,
  readQueue,
} from "./candidates.ts";
export { bringBack } from "./unmerged-candidates.ts";
export {
  type Ask,
  carryOut,
  type Consolidation,
  planConsolidation,
  refuseGuest,
} from "./consolidation.ts";
export { appendPending, type PendingFile, readPending, type Refused } from "./pending-queue.ts";
export { trimQueue, trimRefused } from "./queue-bound.ts";
export { type FileEdit } from "./plan-files.ts";
export { type Places } from "./places.ts";
export { indexPath, learningsFolder } from "./learnings-paths.ts";
export { type Notes, readNotes } from "./index-for-session.ts";
export { detailPath, readBook, type StandingBook, topicPath } from "./read-book.ts";
export { readRules } from "./rule-files.ts";
