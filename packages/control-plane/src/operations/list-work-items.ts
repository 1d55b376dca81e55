import { z } from "zod";
import { cut, keyOf, pageOf, paging } from "../shapes/page.ts";
import { rowOf, workItemRow } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

export const listWorkItems: Operation = defineOperation({
  name: "list-work-items",
  summary: "the work items on record, by ref",
  kind: "read",
  route: { method: "get", path: "/work-items" },
  tool: true,
  input: z.strictObject({
    ...paging,
    status: z.enum(["idle", "started", "paused", "stopped", "closed"]).optional(),
    held: z.boolean().meta({ description: "true: only those of which a lane waits" }).optional(),
  }),
  output: pageOf(workItemRow),
  async run({ cursor, limit, status, held }, { records }) {
    const items = await records.items.page({
      after: keyOf(cursor),
      limit: limit + 1,
      ...(status === undefined ? {} : { status }),
      ...(held === undefined ? {} : { held }),
    });
    return cut(
      items.flatMap((item) => rowOf(item) ?? []),
      limit,
      ({ ref }) => ref,
      (row) => row,
    );
  },
});
