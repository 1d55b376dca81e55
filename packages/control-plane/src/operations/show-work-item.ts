import { standingSentences } from "@loopwork/core";
import { formatRef } from "@loopwork/core/ports";
import { z } from "zod";
import { type TurnView, turnView, turnViewOf } from "../shapes/turn.ts";
import { refInput } from "../shapes/words.ts";
import { type WorkItemView, viewOf, workItemView } from "../shapes/work-item.ts";
import { defineOperation, type Operation, unknownItem } from "./operation.ts";

type Shown = {
  readonly workItem: WorkItemView;
  readonly standing: readonly string[];
  readonly turns: readonly TurnView[];
};

const shown: z.ZodType<Shown> = z.object({
  workItem: workItemView,
  standing: z.array(z.string()).readonly().meta({ description: "how it stands now, in sentences" }),
  turns: z.array(turnView).readonly().meta({ description: "the newest 20, oldest of them first" }),
});

export const showWorkItem: Operation = defineOperation({
  name: "show-work-item",
  summary: "one work item: control record, sessions, pull requests, lanes that wait, newest turns",
  kind: "read",
  route: { method: "get", path: "/work-items/{ref}" },
  tool: true,
  input: z.strictObject({ ref: refInput }),
  output: shown,
  async run(input, { records, steering, policy }) {
    const ref = formatRef(await steering.ref(input.ref));
    const [item, turns] = await Promise.all([
      records.items.load(ref),
      records.lanes.turns({ workItem: ref, limit: 20 }),
    ]);
    const workItem = viewOf(item);
    if (workItem === null) throw unknownItem(ref);
    return { workItem, standing: standingSentences(item, policy()), turns: turns.map(turnViewOf) };
  },
});
