import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "control-plane",
    include: ["test/**/*.test.ts"],
    expect: { poll: { timeout: 10_000 } },
  },
  ssr: {
    resolve: { conditions: ["@loopwork/source", "module", "node", "development|production"] },
  },
});
