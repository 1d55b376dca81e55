export { carryGraph, type GraphFacts } from "./graph/advance.ts";
export { bundledDefinitions } from "./graph/bundled.ts";
export { bundledGraphs } from "./graph/bundled-text.ts";
export { checkCritics, checkGraph, checkHooks, type GraphFinding } from "./graph/check.ts";
export {
  type CriticReport,
  findingSentence,
  foldRound,
  isBlocking,
  parseVerdict,
} from "./graph/critic.ts";
export type { CriticFinding, Severity, StandingFinding } from "./work-item/graph-record.ts";
export { criticPrompt, unfenced, verdictSchema } from "./graph/critic-prompt.ts";
export { dataOf } from "./message/prompt-text.ts";
export {
  type Change,
  criticScope,
  type CriticScope,
  diffLimits,
  unseenReports,
} from "./graph/critic-scope.ts";
export { type Finished, itemFinished, nodeFinished } from "./graph/finished.ts";
export { type GateAnswer, mayAnswer, readAnswer, type Speaker } from "./graph/gate.ts";
export {
  type ArtifactRule,
  type GraphDefinition,
  type GraphEdge,
  type GraphNode,
  type NodeHook,
  nodeOf,
  type Persona,
  personas,
} from "./graph/model.ts";
export { orderOf } from "./graph/order.ts";
export { graphNames } from "./graph/names.ts";
export { type ParsedGraphs, parseGraphs } from "./graph/parse.ts";
export {
  answerSubjectOf,
  type ConfiguredGraph,
  criticsOf,
  deriveProgress,
  type Lack,
  type LackKind,
  type NodeProgress,
  type Observed,
  type Progress,
  progressAt,
  reworkNode,
  type SeenArtifact,
  subjectOf,
} from "./graph/progress.ts";
export { pullRequestsOf } from "./graph/pull-requests.ts";
export type { GraphProblem } from "./graph/read-node.ts";
export {
  type Announcement,
  emptyGraphRecord,
  type GraphRecord,
  type GraphWaits,
  type Judgement,
  type Signal,
  seriesOf,
  signalOf,
  withSignal,
} from "./work-item/graph-record.ts";
export { comparable, filledHeadings } from "./graph/sections.ts";
export { refuseRequest } from "./graph/refuse.ts";
export type { RequestRefusal } from "./control/reason.ts";
export { type ArtifactFolder, nodeTask } from "./graph/task.ts";
