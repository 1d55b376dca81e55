// What the records tell of the past and of what waits.
export type { QuietWait } from "./quiet-waits.ts";
export {
  type ChangedDecision,
  replayLog,
  type ReplayReport,
  type UnknownDecision,
} from "./replay-log.ts";
export { unownedStarts } from "./unowned-starts.ts";
export { waitingNow } from "./waiting-now.ts";
export {
  quietSentence,
  tell,
  type Told,
  waitsOf,
  whyDelivery,
  type WhyDelivery,
  type WhyFacts,
} from "./why-delivery.ts";
