import type { HarnessCapabilities } from "@loopwork/core/ports";

/** What harness A can do, as the runtime asks for it. */
export const capabilities: HarnessCapabilities = {
  presetSessionId: true,
  receipts: true,
  headless: true,
  interactive: true,
  stopGateInHeadless: true,
  promptVia: "stdin",
  tells: [
    "overloaded",
    "server-error",
    "rate-limited",
    "unreachable",
    "usage-limit",
    "logged-out",
    "key-refused",
    "forbidden",
    "no-credit",
    "prompt-too-long",
    "refused-request",
  ],
  reports: ["denials", "spend", "reset-time"],
};

/**
 * Versions whose receipts, transcript and exit codes passed the contract suite (`npm run
 * test:real`).
 */
export const testedVersions: readonly string[] = ["2.1.329", "2.1.332"];
