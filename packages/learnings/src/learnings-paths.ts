/** Where learnings stand in a repository (service.md 2.4). */
export const learningsFolder: string = "docs/learnings";
export const indexPath: string = `${learningsFolder}/learnings.md`;
