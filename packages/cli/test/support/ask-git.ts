import { ChildEnvironment } from "../../src/runtime/child-environment.ts";
import { askGit } from "../../src/start/learnings-places.ts";
import { runGit } from "../../src/start/run-git.ts";

/** Git of this machine, in the environment of a tool. */
export const askGitHere = askGit(runGit, () => ChildEnvironment.tool(process.env).variables);
