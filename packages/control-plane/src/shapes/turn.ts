import type { Turn } from "@loopwork/core/ports";
import { z } from "zod";
import { instant } from "./words.ts";
import { refText } from "./work-item.ts";

/** A turn without the words in it: which deliveries it tells, of whom, and how it went. */
export type TurnView = Pick<
  Turn,
  "id" | "lane" | "workItem" | "mode" | "state" | "attempts" | "notBefore" | "note" | "createdAt"
> & {
  readonly deliveries: readonly {
    readonly delivery: string;
    readonly event: string;
    readonly action: string;
    readonly actor: string | null;
    readonly authority: string;
  }[];
  readonly attempt: { readonly receipt: string; readonly startedAt: number } | null;
};

export const turnStates = ["ready", "injecting", "done", "failed", "uncertain", "dropped"] as const;

export const turnView: z.ZodType<TurnView> = z.object({
  id: z.number().int(),
  lane: refText,
  workItem: refText,
  mode: z.enum(["spawn", "resume"]),
  state: z.enum(turnStates),
  attempts: z.number().int(),
  notBefore: instant,
  note: z.string().nullable(),
  createdAt: instant,
  deliveries: z
    .array(
      z.object({
        delivery: z.string(),
        event: z.string(),
        action: z.string(),
        actor: z.string().nullable(),
        authority: z.string(),
      }),
    )
    .readonly(),
  attempt: z.object({ receipt: z.string(), startedAt: instant }).nullable(),
});

export function turnViewOf(turn: Turn): TurnView {
  const deliveries = turn.inputs.map(({ deliveryId, event, authority }) => ({
    delivery: deliveryId,
    event: event.event,
    action: event.action,
    actor: event.actor?.login ?? null,
    authority,
  }));
  return { ...turn, deliveries };
}
