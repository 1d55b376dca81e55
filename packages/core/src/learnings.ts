/**
 * What agents learned: candidates, their classification, and the plan that changes a repository's
 * files.
 *
 * @example
 * Plan what becomes of candidates, and write the index as it is afterwards:
 *
 * ```ts
 * import {
 *   applyPlan,
 *   type Candidate,
 *   consolidate,
 *   emptyBook,
 *   formatBlock,
 *   indexOf,
 * } from "@loopwork/core/learnings";
 *
 * export function indexAfter(candidates: readonly Candidate[], now: number): string {
 *   const facts = { candidates, rules: [], verdicts: new Map(), lastId: 0, now };
 *   const plan = consolidate({ ...facts, book: emptyBook });
 *   return formatBlock(indexOf(applyPlan(emptyBook, plan), now));
 * }
 * ```
 */

export { restsOn } from "./learnings/already-counted.ts";
export { type BlockFile, formatBlock, hasBlock, idText, type Section } from "./learnings/block.ts";
export { type Book, emptyBook, indexOf, topicsOf } from "./learnings/book.ts";
export { mostBytes, mostLines, sizeOfText } from "./learnings/budget.ts";
export {
  type Candidate,
  formatCandidate,
  occurrenceOf,
  parseCandidate,
  severities,
  severityReasons,
  signalKinds,
  whyUnfit,
} from "./learnings/candidate.ts";
export { capture, isUntouched, leftOut, type SeenTurn } from "./learnings/capture.ts";
export {
  type Classification,
  classify,
  compare,
  type Fact,
} from "./learnings/classify-against-facts.ts";
export { applyPlan, consolidate } from "./learnings/consolidate.ts";
export {
  bodyOf,
  type Detail,
  detailAfter,
  formatDetail,
  parseDetail,
} from "./learnings/detail-file.ts";
export { featureNames } from "./learnings/features.ts";
export { truncate } from "./learnings/fitted.ts";
export {
  isEndedByPerson,
  type Learning,
  learningOf,
  lineTakenOut,
  statuses,
} from "./learnings/learning.ts";
export { type Operation, operations, type Weights } from "./learnings/model.ts";
export type { ConsolidationFacts, LearningChange, Plan } from "./learnings/plan.ts";
export {
  classifierPrompt,
  classifierSchema,
  type ClassifierVerdict,
  parseClassifierVerdict,
  type Unsure,
} from "./learnings/question.ts";
export { candidateOf, type Said, type SaidIn, type Speaker } from "./learnings/signal.ts";
export { categories, oneLine } from "./learnings/vocabulary.ts";
export { clustersOf, opensAt } from "./learnings/write-gate.ts";
