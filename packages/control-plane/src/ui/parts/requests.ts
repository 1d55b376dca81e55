import { resolved, sent } from "../api/shapes.ts";
import type { Verb } from "../model/verbs.ts";
import type { Action, Outcome } from "./act.tsx";

export function itemPath(ref: string): string {
  return `/work-items/${encodeURIComponent(ref)}`;
}

export function steer(ref: string, { verb, label, ask: sure }: Verb, main = false): Action {
  return { label, sure, main, run: async (ask) => outcomeOfSent(await ask(`${itemPath(ref)}/control`, sent, { method: "POST", body: { verb } })) };
}

export function decideTurn(turn: number, how: "retry" | "drop"): Action {
  const label = how === "retry" ? "Try again" : "Leave it…";
  const sure = how === "retry" ? null : "The turn is left as it is. What it was about is not told to the session; what waits behind it goes on.";
  return {
    label,
    sure,
    main: how === "retry",
    async run(ask): Promise<Outcome> {
      const { resolved: done } = await ask(`/turns/${turn}/${how}`, resolved, { method: "POST" });
      return done ? { well: true, sentences: [how === "retry" ? "It goes on." : "It is left."] } : { well: false, sentences: ["There was nothing to decide any more."] };
    },
  };
}

/** What became of a control request. Stored is not lost: it waits for a process that carries it out. */
export function outcomeOfSent({ state, sentence, remedy, dispatching }: ReturnType<typeof sent>): Outcome {
  const waits = dispatching ? [] : ["No process carries it out now; the next one does."];
  if (state === "stored") return { well: true, sentences: ["It is stored and waits to be decided.", ...waits] };
  return { well: state === "done", sentences: [sentence ?? (state === "done" ? "Done." : "Refused."), remedy ?? "", ...waits] };
}

