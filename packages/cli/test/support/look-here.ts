import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { lookAtRepository } from "../../src/start/learnings-places.ts";

/** Git of this machine, in the environment of a tool. */
export const lookHere = lookAtRepository(
  join(tmpdir(), `loop-look-${process.pid}`),
  () => ChildEnvironment.tool(process.env).variables,
);
