import { defineProject } from "vitest/config";

const conditions = ["@loopwork/source", "module", "node", "development|production"];

export default defineProject({
  test: {
    name: "store-postgres",
    globalSetup: ["test/postgres-server.ts"],
    setupFiles: ["../../tooling/check/seed.ts"],
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
  },
  // Tests are resolved by the second, their global set-up by the first.
  environments: { __vitest__: { resolve: { conditions } } },
  ssr: { resolve: { conditions } },
});
