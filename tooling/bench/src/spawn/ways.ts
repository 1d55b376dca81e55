import { type StartChild, startChild, type StartPlan } from "@loopwork/cli/processes/start-child";
import { openBroker } from "@loopwork/cli/start/launch-broker";

/**
 * How children are started: by the large process itself, or by a small one that it asks (ADR 0021).
 */
export const ways: Readonly<Record<string, () => { readonly start: StartChild; close(): void }>> = {
  direct: () => ({ start: startChild, close: () => {} }),
  broker: () => openBroker(),
};

/** A child that does nothing. */
export const nothing: StartPlan = {
  argv: ["true"],
  cwd: "/",
  env: { PATH: process.env["PATH"] ?? "" },
  stdoutFile: "/dev/null",
  stderrFile: "/dev/null",
};
