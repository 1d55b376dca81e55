// The engine of the daemon, over ports.
export { classifyUnsure } from "./classify-unsure.ts";
export type { Dispatcher } from "./dispatcher.ts";
export { eventLine } from "./event-line.ts";
export { criticRound } from "./graph/judge.ts";
export { observed } from "./observe-store.ts";
export type {
  BroughtUpToDate,
  Marks,
  Redact,
  RuntimeParts,
  RuntimeSettings,
  TeamLearnings,
} from "./parts.ts";
export { keepForgettingSaved } from "./retention.ts";
export { createRuntime, type Runtime, type RuntimeOptions, stopGraceMs } from "./runtime.ts";
export { maxOutputBytes, type TurnFiles } from "./turn/turn-files.ts";
export type { CommandEnd, CommandPlan, SmallPrograms } from "./small-programs.ts";
export type { Checked, TurnAnswer, TurnRequestBody } from "./turn/requests.ts";
