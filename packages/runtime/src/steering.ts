// What the engine and those who steer it agree upon.
export { foreignPull, isForeignPull } from "./foreign-pull-request.ts";
export { notOnHost } from "./not-on-host.ts";
export { openRepositoryNames, underPresentNames } from "./repository-names.ts";
export { repositoryOf } from "./turn/note-candidate.ts";
export { decisionForNew } from "./turn/sandbox.ts";
