/** Names of the code host's events that are understood. */
export const hostEventNames = [
  "issues",
  "issue_comment",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "workflow_run",
  "check_run",
  "check_suite",
  "status",
] as const;

export type HostEventName = (typeof hostEventNames)[number];

const names: ReadonlyMap<string, HostEventName> = new Map(
  hostEventNames.map((name) => [name, name]),
);

/** The event name if it is one of the nine; null else. */
export function hostEventName(name: string): HostEventName | null {
  return names.get(name) ?? null;
}
