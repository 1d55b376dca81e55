export type { CodeHostOptions } from "../client.ts";
export { type PollLoop, type PollLoopOptions, startPollLoop } from "./loop.ts";
export { createPoll, lastPoll, type PollerParts, type PollReport, type RepositoryReport } from "./poll-once.ts";
