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
  input: z.strictObject({ ...paging, status: z.enum(["idle", "started", "paused", "stopped", "closed"]).optional(), held: z.boolean().meta({ description: "true: only those of which a lane waits" }).optional() }),
  output: pageOf(workItemRow),
  async run({ cursor, limit, status, held }, { records }) {
    const after = keyOf(cursor) ?? "";
    const rows = (await records.items.list()).flatMap((item) => rowOf(item) ?? []).toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
    const fits = rows.filter((row) => row.ref > after && (status === undefined || row.status === status) && (held === undefined || held === row.held.length > 0));
    return cut(fits.slice(0, limit + 1), limit, ({ ref }) => ref, (row) => row);
  },
});
