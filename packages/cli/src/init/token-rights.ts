/**
 * What a token of the code host must be allowed to do, in half a sentence; docs/operations.md says
 * what is missing without each.
 */
export const tokenRights =
  "issues and pull requests (read and write), contents, checks, commit statuses and actions (read), webhooks (read; write where loop is to make them)";
