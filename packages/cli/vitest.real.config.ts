import { defineConfig } from "vitest/config";

/** Tests that need more than Node, npm and git; `npm run test:real` runs them. */
export default defineConfig({
  test: {
    name: "cli-real",
    root: import.meta.dirname,
    include: ["real/**/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 180_000,
  },
  ssr: {
    resolve: { conditions: ["@loopwork/source", "module", "node", "development|production"] },
  },
});
