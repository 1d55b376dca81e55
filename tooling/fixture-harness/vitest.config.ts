import { defineProject } from "vitest/config";

export default defineProject({
  test: { name: "fixture-harness", include: ["test/**/*.test.ts"] },
  ssr: {
    resolve: { conditions: ["@loopwork/source", "module", "node", "development|production"] },
  },
});
