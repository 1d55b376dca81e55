import { LoopError } from "@loopwork/core/ports";
import { z } from "zod";
import { deliveryView, deliveryViewOf } from "../shapes/delivery.ts";
import { defineOperation, type Operation } from "./operation.ts";

export const deliveryInput: z.ZodString = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,128}$/, "must be 1 to 128 letters, digits and hyphens");

export const showDelivery: Operation = defineOperation({
  name: "show-delivery",
  summary: "one delivery and its decision, without the body",
  kind: "read",
  route: { method: "get", path: "/deliveries/{id}" },
  tool: true,
  input: z.strictObject({ id: deliveryInput }),
  output: deliveryView,
  async run({ id }, { records, policy }) {
    const found = await records.log.find(id);
    const entry =
      found === null
        ? undefined
        : (await records.log.list({ afterSeq: found.seq - 1, limit: 1 }))[0];
    if (entry === undefined) throw unknownDelivery(id);
    return deliveryViewOf(entry, policy());
  },
});

export function unknownDelivery(id: string): LoopError {
  return new LoopError(
    "LOOP_E_UNKNOWN_DELIVERY",
    `No delivery ${JSON.stringify(id)} here`,
    "List deliveries with `GET /api/v1/deliveries`. The code host's webhook page lists what it sent.",
  );
}
