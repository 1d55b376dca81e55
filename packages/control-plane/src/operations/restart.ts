import { z } from "zod";
import type { ScheduledRestart } from "../ports.ts";
import { defineOperation, type Operation } from "./operation.ts";

const scheduled: z.ZodType<ScheduledRestart> = z.object({ scheduled: z.boolean(), log: z.string().meta({ description: "file in which the restart says what it does" }) });

export const restart: Operation = defineOperation({
  name: "restart",
  summary: "stop all services and start them again, as `loop restart` does; nothing that was accepted is lost",
  kind: "write",
  destructive: true,
  idempotent: true,
  status: 202,
  route: { method: "post", path: "/restart" },
  tool: false,
  input: z.strictObject({}),
  output: scheduled,
  run: (_input, ports) => ports.restart(),
});
