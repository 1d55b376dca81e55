import type { HarnessId, RefText } from "@loopwork/core/ports";
import { z } from "zod";
import { refInput } from "../shapes/words.ts";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

type Registered = {
  readonly workItem: RefText;
  readonly endpoint: RefText;
  readonly harness: HarnessId;
  readonly harnessSessionId: string;
};

const registered: z.ZodType<Registered> = z.object({
  workItem: refText,
  endpoint: refText,
  harness: z.enum(["A", "B"]),
  harnessSessionId: z.string(),
});

export const registerSession: Operation = defineOperation({
  name: "register-session",
  summary: "bind a conversation that somebody began to a work item or pull request",
  kind: "write",
  idempotent: true,
  route: { method: "post", path: "/work-items/{ref}/sessions" },
  tool: false,
  input: z.strictObject({
    ref: refInput,
    harness: z.enum(["A", "B"]).default("A"),
    harnessSessionId: z.string().min(1).max(128),
    workdir: z
      .string()
      .max(4_096)
      .regex(/^\//, "must be an absolute path")
      .meta({ description: "absolute directory in which it works, on the service's machine" }),
  }),
  output: registered,
  run: async ({ ref, ...session }, { steering }) =>
    steering.register({ endpoint: await steering.ref(ref), ...session }),
});
