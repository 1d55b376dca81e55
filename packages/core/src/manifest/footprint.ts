/** Where the manifest itself lies, from the root of the repository. */
export const manifestPath = ".loop/manifest.yaml";

/**
 * One place in a user's repository where the product, or an agent on its behalf, writes; folders
 * end with a slash and stand for everything below them.
 */
export type FootprintEntry = {
  readonly path: string;
  readonly role: string;
  readonly owner: "loop" | "project";
  readonly what: string;
};

/**
 * Every place in a user's repository where anything of the product writes
 * (docs/specification.md#plugin-and-guests), with the folders as they are by default. Folders that
 * hold what is never committed ignore themselves by a `.gitignore` of their own, so that no line is
 * added to the project's.
 */
export const footprint: readonly FootprintEntry[] = [
  {
    path: manifestPath,
    role: "manifest",
    owner: "loop",
    what: "this list, written by `loop manifest add` and `loop manifest remove`",
  },
  {
    path: ".loop/harness-config.yaml",
    role: "harness-config",
    owner: "project",
    what: "what agents should know about the repository; agents alone read and write it",
  },
  {
    path: ".loop/learnings-pending/",
    role: "learnings-queue",
    owner: "loop",
    what: "candidates of learnings, with a .gitignore that ignores them all",
  },
  {
    path: "docs/learnings/",
    role: "learnings",
    owner: "project",
    what: "index, details and topics of what was learned",
  },
  {
    path: "docs/specs/",
    role: "artifacts",
    owner: "project",
    what: "artifacts of work items, a folder each",
  },
];

/**
 * Files by which the people of a repository choose loop, where its base branch tracks one
 * (`Workspace.hasChosenLoop`).
 */
export const consentPaths: readonly string[] = footprint
  .filter(({ role }) => role === "manifest" || role === "harness-config")
  .map(({ path }) => path);
