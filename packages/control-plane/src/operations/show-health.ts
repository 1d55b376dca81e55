import { z } from "zod";
import type { Health } from "../ports.ts";
import { defineOperation, type Operation } from "./operation.ts";

const health: z.ZodType<Health> = z.object({
  status: z
    .enum(["ok", "degraded"])
    .meta({ description: "`degraded`: a service that is enabled does not run" }),
  version: z.string(),
  configFile: z.string().nullable(),
  stateRoot: z.string(),
  services: z
    .array(
      z.object({
        name: z.string(),
        enabled: z.boolean(),
        running: z.boolean(),
        detail: z.string(),
      }),
    )
    .readonly(),
});

export const showHealth: Operation = defineOperation({
  name: "show-health",
  summary: "what runs, as the configuration wants it",
  kind: "read",
  route: { method: "get", path: "/health" },
  tool: true,
  input: z.strictObject({}),
  output: health,
  run: (_input, ports) => ports.health(),
});
