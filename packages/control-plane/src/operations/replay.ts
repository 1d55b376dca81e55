import { z } from "zod";
import type { Replay } from "../ports.ts";
import { instant } from "../shapes/words.ts";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

const subject = {
  delivery: z.string(),
  workItem: refText.nullable(),
  before: z.string().meta({ description: "the reason on record" }),
  sentence: z.string(),
};

const report: z.ZodType<Replay> = z.object({
  decided: z.number().int(),
  same: z.number().int(),
  undecided: z.number().int(),
  changed: z.array(z.object({ ...subject, after: z.string() })).readonly(),
  unknown: z
    .array(z.object(subject))
    .readonly()
    .meta({ description: "cannot be told from what was kept" }),
});

/** Reads, although it is a POST: a configuration is too long for a URL. */
export const replay: Operation = defineOperation({
  name: "replay",
  summary:
    "what would be decided otherwise, under the configuration in force or another one; changes nothing",
  kind: "read",
  route: { method: "post", path: "/replay" },
  tool: false,
  input: z.strictObject({
    since: instant,
    config: z
      .string()
      .max(100_000)
      .meta({ description: "a whole cli-config.yaml; absent: the one in force" })
      .optional(),
  }),
  output: report,
  run: ({ since, config }, ports) => ports.replay(since, config ?? null),
});
