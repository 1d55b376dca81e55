import { defineProject } from "vitest/config";

export default defineProject({
  test: { name: "runtime", include: ["test/**/*.test.ts"], testTimeout: 60_000 },
  ssr: {
    resolve: { conditions: ["@loopwork/source", "module", "node", "development|production"] },
  },
});
