/** Entry `@loopwork/core/config`: the only part of core that reaches `yaml`. */
export { defaultConfig } from "./config/defaults.ts";
export { documentedKeys, effectiveKeys } from "./config/document-keys.ts";
export {
  changedKeys,
  type ConfigAtStart,
  inForce,
  type TakesEffect,
  takesEffect,
} from "./config/in-force.ts";
export { configJsonSchema, type JsonSchema } from "./config/json-schema.ts";
export { parseConfig, type ParsedConfig } from "./config/parse.ts";
export type { DocumentLimits } from "./config/document.ts";
export { type PlainDocument, readPlainDocument } from "./config/plain-document.ts";
export { type PathOrigin, type Paths, resolveAgainst, resolvePaths } from "./config/paths.ts";
export { harnessBLabel, policyOf, settingsOf } from "./config/derive-policy.ts";
export {
  type ConfigCode,
  type ConfigProblem,
  formatProblem,
  type Position,
} from "./config/problem.ts";
export {
  changedPowerfulKeys,
  type ConfigPower,
  type PowerfulKey,
  powerOf,
} from "./config/power.ts";
export { refusedKeys } from "./config/refused-keys.ts";
export { type Config, configSchema, schemaKeys } from "./config/schema.ts";
export { checkRules, type EnvironmentFacts, plainFacts } from "./config/rules.ts";
export {
  readSecret,
  secretFault,
  type SecretReading,
  type SecretValue,
  shortestSecret,
} from "./config/secret-value.ts";
export { isLoopback } from "./config/loopback.ts";
