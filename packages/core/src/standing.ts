// Where work stands in its graph, without what moves it: `loop check` and the Stop gate must start
// fast.
export { maxReminders, unfinished } from "./turn/after-gate.ts";
export { bundledDefinitions } from "./graph/bundled.ts";
export { checkCritics, checkHooks } from "./graph/check.ts";
export { itemFinished } from "./graph/finished.ts";
export { graphNames } from "./graph/names.ts";
export { deriveProgress } from "./graph/progress.ts";
export { pullRequestsOf } from "./graph/pull-requests.ts";
export { filledHeadings } from "./graph/sections.ts";
