export {
  type AuditParts,
  type AuditReport,
  createGapAudit,
  gapAuditOver,
  lastAudit,
  type RepositoryAudit,
} from "./audit/gap-audit.ts";
export type { CodeHostOptions } from "./client.ts";
export { type PollLoop, type PollLoopOptions, startPollLoop } from "./poller/loop.ts";
export {
  createPoll,
  lastPoll,
  pollOver,
  type PollerParts,
  type PollReport,
  type RepositoryReport,
} from "./poller/poll-once.ts";
