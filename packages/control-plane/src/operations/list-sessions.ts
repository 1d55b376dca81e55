import { formatRef } from "@loopwork/core/ports";
import { z } from "zod";
import { pageOf, paging, cut, keyOf } from "../shapes/page.ts";
import { refInput } from "../shapes/words.ts";
import { sessionView, sessionViewOf } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

export const listSessions: Operation = defineOperation({
  name: "list-sessions",
  summary: "the conversations about a work item, by endpoint",
  kind: "read",
  route: { method: "get", path: "/work-items/{ref}/sessions" },
  tool: true,
  input: z.strictObject({ ref: refInput, ...paging }),
  output: pageOf(sessionView),
  async run({ ref, cursor, limit }, { records, steering }) {
    const after = keyOf(cursor) ?? "";
    const { sessions } = await records.items.load(formatRef(await steering.ref(ref)));
    const rest = sessions
      .toSorted((a, b) => (a.endpoint < b.endpoint ? -1 : 1))
      .filter(({ endpoint }) => endpoint > after);
    return cut(rest, limit, ({ endpoint }) => endpoint, sessionViewOf);
  },
});
