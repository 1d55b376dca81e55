/**
 * What a file configures: `cli-config.yaml`, definitions of process graphs, and the manifest of what
 * an installation writes into a repository. With `./learnings` the only entry that loads `yaml`.
 *
 * @example
 * ```ts
 * import { formatProblem, parseConfig, policyOf } from "@loopwork/core/config";
 *
 * const text = "routing: { authorizedUsers: [ada] }";
 * const parsed = parseConfig(text, { file: "cli-config.yaml" });
 * if (parsed.ok) console.log(policyOf(parsed.config).authorizedUsers);
 * else for (const problem of parsed.errors) console.error(formatProblem(problem, "cli-config.yaml"));
 * ```
 */

export {
  baseCommit,
  baseRemote,
  type BranchFacts,
  configListing,
  consentListing,
  remotesIn,
  tracksConsent,
  usualBases,
} from "./manifest/repository-opt-in.ts";
export { checkManifest, type SeenFile } from "./manifest/drift.ts";
export { footprint, manifestPath } from "./manifest/footprint.ts";
export {
  covers,
  isManifestPath,
  type Manifest,
  type ManifestFile,
  type ParsedManifest,
  readManifest,
} from "./manifest/manifest.ts";
export { defaultConfig } from "./config/defaults.ts";
export { policyOf, settingsOf } from "./config/derive-policy.ts";
export { effectiveKeys } from "./config/document-keys.ts";
export type { DocumentLimits } from "./config/document.ts";
export { changedKeys, type ConfigAtStart, inForce, takesEffect } from "./config/in-force.ts";
export { configJsonSchema } from "./config/json-schema.ts";
export { parseConfig } from "./config/parse.ts";
export { type PathOrigin, type Paths, resolvePaths } from "./config/paths.ts";
export { readPlainDocument } from "./config/plain-document.ts";
export { changedPowerfulKeys, type ConfigPower, type PowerfulKey } from "./config/power.ts";
export { type ConfigProblem, formatProblem, type Position } from "./config/problem.ts";
export { checkRules, type EnvironmentFacts, plainFacts } from "./config/rules.ts";
export { type Config, schemaKeys } from "./config/schema.ts";
export { bundledGraphs } from "./graph/bundled-text.ts";
export { parseGraphs } from "./graph/parse.ts";
