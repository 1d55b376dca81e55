import { type Waiting, waitingReasons } from "@loopwork/core";
import { z } from "zod";
import { cutList, type Page, pageOf, paging } from "../shapes/page.ts";
import { instant, writtenByAnyone } from "../shapes/words.ts";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

const waiting: z.ZodType<Waiting> = z.object({
  workItem: refText,
  lane: refText,
  reason: z.enum(waitingReasons),
  words: z.string().meta({ description: "what it waits for, as the second half of a sentence" }),
  until: instant
    .nullable()
    .meta({ description: "when it goes on by itself, milliseconds since 1970" }),
  detail: writtenByAnyone,
  turn: z.number().int().nullable().meta({ description: "the turn that somebody decides about" }),
  type: z.string().nullable().meta({ description: "what to do; null for what goes on by itself" }),
});

/** What `loop status` shows under "Waits". */
export const listWaiting: Operation = defineOperation({
  name: "list-waiting",
  summary: "what waits and why, what needs a person first",
  kind: "read",
  route: { method: "get", path: "/waiting" },
  tool: true,
  input: z.strictObject(paging),
  output: pageOf(waiting),
  run: async (input, ports): Promise<Page<Waiting>> => cutList(await ports.waiting(), input),
});
