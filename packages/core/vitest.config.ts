import { defineProject } from "vitest/config";

export default defineProject({
  // Pure functions leave nothing behind that the next file could meet, so that one worker can run
  // many.
  test: {
    name: "core",
    setupFiles: ["../../tooling/check/seed.ts"],
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    isolate: false,
  },
  ssr: {
    resolve: { conditions: ["@loopwork/source", "module", "node", "development|production"] },
  },
});
