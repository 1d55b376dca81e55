// Where work stands in its graph: for whoever only looks, so that a hook starts fast.
export { type FinishedIn, finishedIn } from "./graph/finished-in.ts";
export { graphFor, type GraphSettings, problemLine, readGraphs } from "./graph/load.ts";
export { type Looking, lookWith } from "./graph/observe.ts";
export { standingOf, workdirOf } from "./graph/standing.ts";
export { createWorkGate } from "./graph/work-gate.ts";
export type { GraphFiles } from "./graph/graph-files.ts";
