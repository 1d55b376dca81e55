import type { Move } from "../control/transitions.ts";

/** How a legal move of the lifecycle is decided: verdict and reason. */
export const decidedAs: Readonly<Record<Move, string>> = {
  start: "started: start-requested",
  pause: "paused: pause-requested",
  resume: "resumed: resume-requested",
  stop: "stopped: stop-requested",
  cleanup: "cleaned-up: cleanup-requested",
  close: "closed: closed-by-authorized",
  defer: "close-deferred: closed-by-unauthorized",
  reopen: "reopened: reopened",
};
