import { reasons, sentenceOf, type Words } from "@loopwork/core";
import type { DeliveryEntry, RefText } from "@loopwork/core/ports";
import { z } from "zod";
import { instant } from "./words.ts";
import { refText } from "./work-item.ts";

/** A delivery and its decision, without the body: that is whatever somebody wrote. */
export type DeliveryView = Pick<
  DeliveryEntry,
  "id" | "seq" | "source" | "event" | "verified" | "receivedAt" | "digest" | "ignored"
> & {
  readonly workItem: RefText | null;
  /** Null while it waits to be decided. */
  readonly verdict: string | null;
  readonly reason: string | null;
  /** The reason in words. */
  readonly sentence: string | null;
};

export const deliveryView: z.ZodType<DeliveryView> = z.object({
  id: z.string(),
  seq: z.number().int(),
  source: z.enum(["webhook", "poll", "cli", "api"]),
  event: z.string(),
  verified: z.boolean(),
  receivedAt: instant,
  digest: z.string(),
  ignored: z
    .string()
    .nullable()
    .meta({ description: "why it was ignored at the door; null for what is decided" }),
  workItem: refText.nullable(),
  verdict: z.string().nullable(),
  reason: z.string().nullable(),
  sentence: z.string().nullable(),
});

export function deliveryViewOf(entry: DeliveryEntry, words: Words): DeliveryView {
  const { decision } = entry;
  const reason = reasons.find((each) => each === decision?.reason);
  return {
    ...entry,
    workItem: decision?.workItem ?? null,
    verdict: decision?.verdict ?? null,
    reason: decision?.reason ?? null,
    sentence: reason === undefined ? null : sentenceOf(reason, words),
  };
}
