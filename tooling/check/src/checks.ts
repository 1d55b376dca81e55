/** One thing that `npm test` checks by running a program; exit code 0 means all is well. */
export type Check = { readonly name: string; readonly argv: readonly [string, ...string[]] };

const fromSource = "--conditions=@loopwork/source";

/**
 * In this order, the cheapest to understand first. Each has a test that shows it can fail, here or
 * in its own suite.
 */
export const checks: readonly Check[] = [
  { name: "types of sources and tests", argv: ["tsc", "-p", "tsconfig.test.json"] },
  { name: "types of the dashboard", argv: ["tsc", "-p", "packages/control-plane/src/ui"] },
  { name: "format", argv: ["oxfmt", "--check"] },
  { name: "lint", argv: ["oxlint", "--type-aware", "--deny-warnings"] },
  {
    name: "boundaries between packages",
    argv: ["node", fromSource, "tooling/lint/src/boundaries.ts"],
  },
  {
    name: "rules of this repository",
    argv: ["node", fromSource, "tooling/lint/src/repository-rules.ts"],
  },
  { name: "unused files, exports and dependencies", argv: ["knip", "--no-progress"] },
  { name: "dependency versions", argv: ["sherif", "-r", "packages-without-package-json"] },
  { name: "packed packages", argv: ["node", fromSource, "tooling/publish/src/check-packed.ts"] },
  {
    name: "what people can use of each package",
    argv: ["node", fromSource, "tooling/publish/src/api/main.ts"],
  },
  { name: "sizes of the built packages", argv: ["size-limit"] },
];
