import type { UnownedStart } from "@loopwork/core";
import { z } from "zod";
import { cutList, type Page, pageOf, paging } from "../shapes/page.ts";
import { instant } from "../shapes/words.ts";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

/** As other answers have it, a reason is a word that may be one of a later version. */
export type UnownedStartView = Omit<UnownedStart, "reason"> & { readonly reason: string };

const unownedStart: z.ZodType<UnownedStartView> = z.object({
  workItem: refText,
  address: z.string().nullable().meta({ description: "the instance that it names" }),
  addressee: z
    .enum(["running", "away", "stopped", "unknown"])
    .nullable()
    .meta({ description: "how that instance stands" }),
  by: z.string(),
  at: instant,
  delivery: z.string(),
  reason: z.string(),
  words: z.string().meta({ description: "whose it is, as the second half of a sentence" }),
  type: z.string().meta({ description: "what to do" }),
});

/** What `loop status` shows under "Starts that are not for this instance". */
export const listUnownedStarts: Operation = defineOperation({
  name: "list-unowned-starts",
  summary: "starts that this instance left to others and that nobody may have taken, newest first",
  kind: "read",
  route: { method: "get", path: "/unowned-starts" },
  tool: true,
  input: z.strictObject(paging),
  output: pageOf(unownedStart),
  run: async (input, ports): Promise<Page<UnownedStartView>> =>
    cutList(await ports.unownedStarts(), input),
});
