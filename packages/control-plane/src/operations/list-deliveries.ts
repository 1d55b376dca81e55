import { formatRef } from "@loopwork/core/ports";
import { z } from "zod";
import { deliveryView, deliveryViewOf } from "../shapes/delivery.ts";
import { cut, numberOf, pageOf, paging } from "../shapes/page.ts";
import { refInput } from "../shapes/words.ts";
import { defineOperation, type Operation } from "./operation.ts";

export const listDeliveries: Operation = defineOperation({
  name: "list-deliveries",
  summary: "what came in and what was decided, newest first, without bodies",
  kind: "read",
  route: { method: "get", path: "/deliveries" },
  tool: true,
  input: z.strictObject({ ...paging, workItem: refInput.optional() }),
  output: pageOf(deliveryView),
  async run({ cursor, limit, workItem }, { records, steering, policy }) {
    const before = numberOf(cursor);
    const of = workItem === undefined ? {} : { workItem: formatRef(await steering.ref(workItem)) };
    const rows = await records.log.list({
      newestFirst: true,
      limit: limit + 1,
      ...of,
      ...(before === null ? {} : { beforeSeq: before }),
    });
    return cut(
      rows,
      limit,
      ({ seq }) => seq,
      (entry) => deliveryViewOf(entry, policy()),
    );
  },
});
