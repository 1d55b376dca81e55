export { undoFiles } from "./apply-plan.ts";
export { addCandidate, collect, type Queue, readQueue, removeCandidates } from "./candidates.ts";
export { carryOut, type Consolidation, planConsolidation, refuseGuest } from "./consolidation.ts";
export { readInjection } from "./inject.ts";
export { appendPending, type PendingFile, readPending } from "./pending-queue.ts";
export { type FileEdit } from "./plan-files.ts";
export { detailPath, indexPath, learningsFolder, readBook, type StandingBook, topicPath } from "./read-book.ts";
export { readRules } from "./rule-files.ts";
