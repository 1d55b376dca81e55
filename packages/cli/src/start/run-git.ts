import type { RunGit } from "@loopwork/core/ports";

/**
 * Git as a child of this very process; the package that knows it is loaded with the first command.
 */
export const runGit: RunGit = async (plan) => (await import("@loopwork/workspace")).runGit(plan);
