/** One kind of way in, and the test files that try it. Paths are relative to the root; a folder stands for all test files in it. */
export type AttackClass = { readonly name: string; readonly files: readonly string[] };

/**
 * The suites of `npm run test:attacks`. Every test in these files is one attempt; a test whose title begins with "control: " runs an
 * attempt with its guard off and passes when that gets in. A class without a control counts as failed.
 */
export const attackClasses: readonly AttackClass[] = [
  { name: "receiver", files: ["packages/receiver/test/hostile-input.test.ts", "packages/receiver/test/unsigned.test.ts", "packages/receiver/test/headers.test.ts", "packages/receiver/test/signature.test.ts"] },
  { name: "control plane", files: ["packages/control-plane/test/safety.test.ts", "packages/cli/test/start/token-file.test.ts"] },
];
