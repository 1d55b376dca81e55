/** Entry `@loopwork/core/config`: the only part of core that reaches `yaml`. */
export { defaultConfig } from "./defaults.ts";
export { parseConfig, type ParsedConfig } from "./parse.ts";
export { type PathOrigin, type Paths, resolveAgainst, resolvePaths } from "./paths.ts";
export { harnessBLabel, policyOf, settingsOf } from "./policy.ts";
export { type ConfigCode, type ConfigProblem, formatProblem, type Position } from "./problem.ts";
export { type Config, configSchema, removedKeys, schemaKeys } from "./schema.ts";
