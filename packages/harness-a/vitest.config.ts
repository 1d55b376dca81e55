import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "harness-a",
    setupFiles: ["../../tooling/check/seed.ts"],
    include: ["test/**/*.test.ts"],
  },
  ssr: {
    resolve: { conditions: ["@loopwork/source", "module", "node", "development|production"] },
  },
});
