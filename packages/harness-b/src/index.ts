export { capabilities } from "./capabilities.ts";
export { createHarnessB, type HarnessB } from "./create.ts";
export type { HarnessBOptions } from "./options.ts";
