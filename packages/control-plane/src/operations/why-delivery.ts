import { z } from "zod";
import type { Why } from "../ports.ts";
import { instant, writtenByAnyone } from "../shapes/words.ts";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";
import { deliveryInput, unknownDelivery } from "./show-delivery.ts";

const why: z.ZodType<Why> = z.object({
  delivery: z.string(),
  event: z.string(),
  receivedAt: instant,
  state: z
    .enum(["decided", "ignored", "waiting"])
    .meta({ description: "`ignored`: at the door, so that nothing was decided" }),
  workItem: refText.nullable(),
  verdict: z.string().nullable(),
  reason: z.string().nullable(),
  decidedAt: instant.nullable(),
  check: writtenByAnyone.nullable(),
  sentences: z
    .array(z.string())
    .readonly()
    .meta({ description: "the whole reasoning, one sentence after another" }),
});

export const whyDelivery: Operation = defineOperation({
  name: "why-delivery",
  summary: "why something happened, or why nothing did",
  kind: "read",
  route: { method: "get", path: "/deliveries/{id}/why" },
  tool: true,
  input: z.strictObject({ id: deliveryInput }),
  output: why,
  async run({ id }, ports) {
    const told = await ports.why(id);
    if (told === null) throw unknownDelivery(id);
    return told;
  },
});
