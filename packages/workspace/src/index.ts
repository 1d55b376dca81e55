export { createFixedWorkspace, type FixedOptions, refusalOfWorkdir } from "./fixed-folder.ts";
export { WorkspaceError } from "./failure.ts";
export { isInCheckout } from "./layout.ts";
export { ownBaseOf } from "./remote.ts";
export type { WorkspaceOptions } from "./parts.ts";
export { runGit } from "./run-git.ts";
export { createWorkspace } from "./workspace.ts";
