import type { RefText } from "@loopwork/core/ports";
import { z } from "zod";
import { refInput } from "../shapes/words.ts";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

const closed: z.ZodType<{ readonly closed: boolean; readonly endpoint: RefText }> = z.object({
  closed: z.boolean().meta({ description: "false: no session was open" }),
  endpoint: refText,
});

export const closeSession: Operation = defineOperation({
  name: "close-session",
  summary: "end the registration of a session; the checkout stays",
  kind: "write",
  destructive: true,
  idempotent: true,
  route: { method: "post", path: "/work-items/{ref}/close" },
  tool: false,
  input: z.strictObject({ ref: refInput }),
  output: closed,
  run: async ({ ref }, { steering }) => steering.closeSession(await steering.ref(ref)),
});
