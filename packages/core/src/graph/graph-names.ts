/**
 * The graph of an issue, and that of a pull request that is a work item by itself. Every file has
 * the first.
 */
export const graphNames = { issue: "work-item", pullRequest: "pull-request" } as const;
