import type { HarnessCapabilities } from "@loopwork/core/ports";

/**
 * What harness B can do by its documents. Its conversations are made beforehand by `create-chat`,
 * and it knows no receipts.
 */
export const capabilities: HarnessCapabilities = {
  presetSessionId: false,
  receipts: false,
  headless: true,
  interactive: true,
  stopGateInHeadless: false,
  promptVia: "stdin",
  tells: ["overloaded", "rate-limited", "unreachable", "usage-limit", "logged-out", "key-refused"],
  reports: [],
};

/** Programs that harness B installs itself as, the less ambiguous first. */
export const programNames: readonly [string, string] = ["cursor-agent", "agent"];
