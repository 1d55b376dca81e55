import { defineProject } from "vitest/config";

export default defineProject({
  test: { name: "receiver", include: ["test/**/*.test.ts"], testTimeout: 30_000, expect: { poll: { timeout: 10_000 } } },
  ssr: { resolve: { conditions: ["@loopwork/source", "module", "node", "development|production"] } },
});
