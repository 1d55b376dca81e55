import { formatRef } from "@loopwork/core/ports";
import { z } from "zod";
import { cut, numberOf, pageOf, paging } from "../shapes/page.ts";
import { turnStates, turnView, turnViewOf } from "../shapes/turn.ts";
import { refInput } from "../shapes/words.ts";
import { defineOperation, type Operation } from "./operation.ts";

export const listTurns: Operation = defineOperation({
  name: "list-turns",
  summary: "what was said to sessions and what waits, newest first, without the words",
  kind: "read",
  route: { method: "get", path: "/turns" },
  tool: true,
  input: z.strictObject({
    ...paging,
    state: z.enum(turnStates).optional(),
    workItem: refInput.optional(),
  }),
  output: pageOf(turnView),
  async run({ cursor, limit, state, workItem }, { records, steering }) {
    const before = numberOf(cursor);
    const filter = {
      ...(state === undefined ? {} : { states: [state] }),
      ...(workItem === undefined ? {} : { workItem: formatRef(await steering.ref(workItem)) }),
      ...(before === null ? {} : { beforeId: before }),
    };
    const newest = (await records.lanes.turns({ ...filter, limit: limit + 1 })).toReversed();
    return cut(newest, limit, ({ id }) => id, turnViewOf);
  },
});
