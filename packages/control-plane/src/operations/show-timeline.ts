import { formatRef } from "@loopwork/core/ports";
import { z } from "zod";
import { eventView, eventViewOf } from "../shapes/event.ts";
import { cut, numberOf, pageOf, paging } from "../shapes/page.ts";
import { refInput } from "../shapes/words.ts";
import { defineOperation, type Operation } from "./operation.ts";

export const showTimeline: Operation = defineOperation({
  name: "show-timeline",
  summary: "what happened on a work item, newest first: delivery, decision, turn, outcome",
  kind: "read",
  route: { method: "get", path: "/work-items/{ref}/timeline" },
  tool: true,
  input: z.strictObject({ ref: refInput, ...paging }),
  output: pageOf(eventView),
  async run({ ref, cursor, limit }, { records, steering, policy }) {
    const before = numberOf(cursor);
    const workItem = formatRef(await steering.ref(ref));
    const lines = await records.events.list({
      workItem,
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
