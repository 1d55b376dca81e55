import type { VNode } from "preact";
import type { Line } from "../api/shapes.ts";
import { formatRoute } from "../model/route.ts";
import { When, Words } from "./text.tsx";

/** What happened, newest first: delivery, decision, turn, outcome. */
export function Timeline({
  lines,
  more,
}: {
  readonly lines: readonly Line[];
  readonly more: boolean;
}): VNode {
  if (lines.length === 0) return <p class="none">Nothing happened yet.</p>;
  return (
    <>
      <ol class="timeline">
        {lines.map((line) => (
          <li key={line.id} class={line.level} data-kind={line.kind}>
            <p>
              <Words say={line.sentence} />
            </p>
            <p class="small">
              <When at={line.time} /> <span>{line.kind}</span>{" "}
              {line.reason !== null && <span>{line.reason}</span>}
              {line.delivery !== null && (
                <a href={formatRoute({ page: "delivery", id: line.delivery })}>why</a>
              )}
            </p>
          </li>
        ))}
      </ol>
      {more && (
        <p class="none">
          Older lines: <code>loop events --work-item</code> with its name shows all of them.
        </p>
      )}
    </>
  );
}
