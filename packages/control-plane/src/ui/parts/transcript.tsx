import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { transcript } from "../api/shapes.ts";
import { useAnswer } from "../service.ts";
import { itemPath } from "./item-actions.ts";
import { When } from "./text.tsx";
import { Trouble } from "./error-banner.tsx";

const names = { prompt: "loop", agent: "agent", tool: "tool" } as const;

/**
 * What was said in the session, newest first. It may hold strangers' words, so it is asked for only
 * when somebody wants to read it.
 */
export function Transcript({ workItem }: { readonly workItem: string }): VNode {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Read the session's transcript</summary>
      {open && <Entries workItem={workItem} />}
    </details>
  );
}

function Entries({ workItem }: { readonly workItem: string }): VNode {
  const { answer, trouble } = useAnswer(`transcript ${workItem}`, (ask) =>
    ask(`${itemPath(workItem)}/transcript?limit=100`, transcript),
  );
  return (
    <>
      <Trouble trouble={trouble} stale={answer !== null} />
      <ol class="transcript">
        {answer?.entries.items.map(({ at, who, text }) => (
          <li class={who}>
            <p class="who">
              {names[who]} {at !== null && <When at={at} />}
            </p>
            <pre dir="auto" tabIndex={0}>
              {text}
            </pre>
          </li>
        ))}
      </ol>
    </>
  );
}
