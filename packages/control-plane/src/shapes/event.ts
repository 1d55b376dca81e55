import { type EventKind, eventKinds, eventSentence, type StoredEvent, type Words } from "@loopwork/core";
import { z } from "zod";
import { instant } from "./words.ts";

/** One line of the event log; `sentence` is what it says, in words. */
export type EventView = StoredEvent & { readonly sentence: string };

export const eventKind: z.ZodType<EventKind> = z.enum(eventKinds);

export const eventView: z.ZodType<EventView> = z.object({
  id: z.number().int(),
  time: instant,
  kind: eventKind,
  level: z.enum(["debug", "info", "warn", "error"]),
  instance: z.string(),
  workItem: z.string().nullable(),
  delivery: z.string().nullable(),
  reason: z.string().nullable(),
  sentence: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).readonly(),
});

export function eventViewOf(line: StoredEvent, words: Words): EventView {
  return { ...line, sentence: eventSentence(line, words) };
}
