import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "store",
    setupFiles: ["../../tooling/check/seed.ts"],
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
  },
  ssr: {
    resolve: { conditions: ["@loopwork/source", "module", "node", "development|production"] },
  },
});
