import { formatRef } from "@loopwork/core/ports";
import { z } from "zod";
import { deliveryInput } from "./show-delivery.ts";
import { eventKind, eventView, eventViewOf } from "../shapes/event.ts";
import { cut, numberOf, pageOf, paging } from "../shapes/page.ts";
import { instant, refInput } from "../shapes/words.ts";
import { defineOperation, type Operation } from "./operation.ts";

export const listEvents: Operation = defineOperation({
  name: "list-events",
  summary: "the event log, newest first",
  kind: "read",
  route: { method: "get", path: "/events" },
  tool: true,
  input: z.strictObject({
    ...paging,
    kind: eventKind.optional(),
    workItem: refInput.optional(),
    delivery: deliveryInput.optional(),
    since: instant.optional(),
  }),
  output: pageOf(eventView),
  async run({ cursor, limit, kind, workItem, delivery, since }, { records, steering, policy }) {
    const before = numberOf(cursor);
    const filter = {
      ...(kind === undefined ? {} : { kind }),
      ...(delivery === undefined ? {} : { delivery }),
      ...(since === undefined ? {} : { since }),
      ...(workItem === undefined ? {} : { workItem: formatRef(await steering.ref(workItem)) }),
    };
    const lines = await records.events.list({
      ...filter,
      newestFirst: true,
      limit: limit + 1,
      ...(before === null ? {} : { beforeId: before }),
    });
    return cut(
      lines,
      limit,
      ({ id }) => id,
      (line) => eventViewOf(line, policy()),
    );
  },
});
