/** Where learnings stand in a repository. */
export const learningsFolder: string = "docs/learnings";
export const indexPath: string = `${learningsFolder}/learnings.md`;
