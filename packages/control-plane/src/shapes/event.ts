import { eventSentence, eventSummary, type Words } from "@loopwork/core";
import { type EventKind, eventKinds, type StoredEvent } from "@loopwork/core/ports";
import { z } from "zod";
import { anyonesWords, instant, writtenByAnyone } from "./words.ts";

/**
 * One line of the event log; `sentence` is what it says, in words, and `summary` the same without
 * what anybody may have written.
 */
export type EventView = StoredEvent & { readonly summary: string; readonly sentence: string };

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
  summary: z.string().meta({ description: "what happened, in words of the service alone" }),
  sentence: writtenByAnyone,
  fields: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .readonly()
    .meta({ [anyonesWords]: true }),
});

export function eventViewOf(line: StoredEvent, words: Words): EventView {
  return { ...line, summary: eventSummary(line, words), sentence: eventSentence(line, words) };
}
