import { z } from "zod";
import type { ScheduledRestart } from "../ports.ts";
import { defineOperation, type Operation } from "./operation.ts";

const scheduled: z.ZodType<ScheduledRestart> = z.object({
  scheduled: z.boolean(),
  log: z.string().meta({ description: "file in which the restart says what it does" }),
});

export const restart: Operation = defineOperation({
  name: "restart",
  summary:
    "let new processes take over from all services, as `loop restart` does; nothing that was accepted is lost",
  kind: "write",
  destructive: true,
  idempotent: true,
  status: 202,
  route: { method: "post", path: "/restart" },
  tool: false,
  input: z.strictObject({
    withUpgrade: z
      .boolean()
      .optional()
      .meta({ description: "install the newest version first; a failed upgrade changes nothing" }),
  }),
  output: scheduled,
  run: ({ withUpgrade }, ports) => ports.restart(withUpgrade === true),
});
