import { z } from "zod";
import { sent } from "../shapes/sent.ts";
import { refInput } from "../shapes/words.ts";
import { defineOperation, type Operation } from "./operation.ts";

const instance = z
  .string()
  .max(40)
  .meta({ description: "only the instance of this name takes it" })
  .optional();

/** Agents may not release a checkout: `cleanup` is for people. */
export const controlWorkItem: Operation = defineOperation({
  name: "control-work-item",
  summary: "start, pause, resume, stop or clean up, as the keyword in a comment would",
  kind: "write",
  destructive: true,
  route: { method: "post", path: "/work-items/{ref}/control" },
  tool: z.strictObject({
    ref: refInput,
    verb: z.enum(["start", "pause", "resume", "stop"]),
    instance,
  }),
  input: z.strictObject({
    ref: refInput,
    verb: z.enum(["start", "pause", "resume", "stop", "cleanup"]),
    instance,
  }),
  output: sent,
  async run({ ref, verb, instance: named }, { steering, policy }) {
    const { name, scope } = policy().instance;
    // Whoever starts something here means this instance, which in scope `addressed` must be named.
    const own = verb === "start" && scope === "addressed" ? name : null;
    return steering.control(await steering.ref(ref), { verb, login: null, instance: named ?? own });
  },
});
