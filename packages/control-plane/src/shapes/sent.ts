import { z } from "zod";
import type { Sent } from "../ports.ts";
import { refText } from "./work-item.ts";

export const sent: z.ZodType<Sent> = z.object({
  workItem: refText,
  delivery: z.string().meta({
    description: "id of the control delivery; `/deliveries/{id}/why` tells what became of it",
  }),
  state: z
    .enum(["done", "refused", "stored"])
    .meta({ description: "`stored`: it is durable and waits to be decided" }),
  reason: z.string().nullable(),
  sentence: z.string().nullable(),
  remedy: z.string().nullable(),
  dispatching: z
    .boolean()
    .meta({ description: "false: no process carries it out now; the next one does" }),
});
