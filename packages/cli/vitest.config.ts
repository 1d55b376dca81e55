import { defineProject } from "vitest/config";

export default defineProject({
  // Most of these tests wait for processes, so more of them run at once than there are processors.
  test: { name: "cli", include: ["test/**/*.test.ts"], maxWorkers: 4, testTimeout: 60_000 },
  ssr: {
    resolve: { conditions: ["@loopwork/source", "module", "node", "development|production"] },
  },
});
