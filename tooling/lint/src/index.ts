export { citationBreaches } from "./citations.ts";
export { cruise, judge, type Cruise } from "./boundaries.ts";
export { type Member, readMembers, referenceBreaches } from "./references.ts";
export {
  breaches,
  machineRule,
  rules,
  trackedFiles,
  type Rule,
  type TextFile,
} from "./repository-rules.ts";
