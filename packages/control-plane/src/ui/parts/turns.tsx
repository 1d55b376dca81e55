import type { VNode } from "preact";
import type { Turn } from "../api/shapes.ts";
import { shortRef } from "../model/words.ts";
import { Pill, When, Words } from "./text.tsx";

const tones = {
  ready: "calm",
  injecting: "busy",
  done: "good",
  failed: "bad",
  uncertain: "warn",
  dropped: "calm",
} as const;

/** The newest first. */
export function Turns({ turns }: { readonly turns: readonly Turn[] }): VNode {
  if (turns.length === 0) return <p class="none">Nothing was said to a session yet.</p>;
  return (
    <ol class="rows">
      {turns
        .toReversed()
        .map(({ id, lane, workItem, state, note, attempt, attempts, createdAt, deliveries }) => (
          <li key={id}>
            <span>
              Turn {id}
              {lane !== workItem && ` for ${shortRef(lane)}`}:{" "}
              {deliveries
                .map(({ event, actor }) => `${event}${actor === null ? "" : ` by @${actor}`}`)
                .join(", ")}
              {note !== null && (
                <small>
                  <Words say={note} />
                </small>
              )}
            </span>
            <span class="aside">
              <Pill tone={tones[state]}>{state}</Pill>
              {attempts > 1 && <span>{attempts} tries</span>}
              <When at={attempt?.startedAt ?? createdAt} />
            </span>
          </li>
        ))}
    </ol>
  );
}
