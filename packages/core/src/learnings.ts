export {
  type BlockFile,
  emptyIndex,
  formatBlock,
  hasBlock,
  idText,
  type Line,
  parseBlock,
  type ParsedBlock,
  type Section,
} from "./learnings/block.ts";
export { type Book, emptyBook, indexOf, topicsOf } from "./learnings/book.ts";
export { mostBytes, mostLines, score, type Size, sizeOfText } from "./learnings/budget.ts";
export {
  type Candidate,
  formatCandidate,
  occurrenceOf,
  parseCandidate,
  type ParsedCandidate,
  severities,
  type Severity,
  type SeverityReason,
  severityReasons,
  type SignalKind,
  signalKinds,
  unfit,
  type Voucher,
} from "./learnings/candidate.ts";
export {
  type Classification,
  classify,
  compare,
  type Comparison,
  type Fact,
  reviewBelow,
  safeOperation,
} from "./learnings/classify.ts";
export { applied, consolidate } from "./learnings/consolidate.ts";
export { type Change, type ConsolidationFacts, type Plan } from "./learnings/plan.ts";
export {
  bodyOf,
  type Detail,
  detailAfter,
  formatDetail,
  parseDetail,
  type ParsedDetail,
} from "./learnings/detail-file.ts";
export { rests } from "./learnings/already-counted.ts";
export { isEndedByPerson } from "./learnings/learning.ts";
export { featureNames, type Features } from "./learnings/features.ts";
export {
  type Learning,
  learningOf,
  lineTakenOut,
  type Source,
  type Status,
  statuses,
} from "./learnings/learning.ts";
export { type Operation, operations, type Weights } from "./learnings/model.ts";
export {
  type NormalForm,
  normalForm,
  type Token,
  type TokenKind,
} from "./learnings/normal-form.ts";
export { type Cluster, clustersOf, type Gate, opensAt, writeGate } from "./learnings/write-gate.ts";
export { cut, type LeftOut } from "./learnings/fitted.ts";
export { candidateOf, type Said, type SaidIn, type Speaker } from "./learnings/signal.ts";
export { type Category, categories, longestLearning, oneLine } from "./learnings/vocabulary.ts";
export { capture, isUntouched, leftOut, type SeenTurn } from "./learnings/capture.ts";
export {
  classifierPrompt,
  classifierSchema,
  type ClassifierVerdict,
  parseClassifierVerdict,
  type Unsure,
} from "./learnings/question.ts";
