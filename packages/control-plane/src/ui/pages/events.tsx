import { eventKinds } from "@loopwork/core/ports";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { line, type Line, pageOf } from "../api/shapes.ts";
import { formatRoute } from "../model/route.ts";
import { shortRef } from "../model/words.ts";
import { When, Words } from "../parts/text.tsx";
import { Trouble } from "../parts/error-banner.tsx";
import { useAnswer } from "../service.ts";

/** The event log, newest first, a page at a time. */
export function EventsPage(): VNode {
  const [kind, setKind] = useState("");
  // Cursors of the pages that led here; the last one is shown.
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1) ?? "";
  const { answer, trouble } = useAnswer(`events ${kind} ${cursor}`, (ask) =>
    ask(
      `/events?limit=50${kind === "" ? "" : `&kind=${kind}`}${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
      pageOf(line),
    ),
  );
  const next = answer?.next ?? null;
  useEffect(() => scrollTo(0, 0), [cursor]);
  return (
    <>
      <div class="head">
        <h1>Events</h1>
        <label class="pick">
          Kind{" "}
          <select
            value={kind}
            onChange={(event) => (setKind(event.currentTarget.value), setCursors([]))}
          >
            <option value="">all</option>
            {eventKinds.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Trouble trouble={trouble} stale={answer !== null} />
      {answer?.items.length === 0 && (
        <p class="none">{kind === "" ? "Nothing happened yet." : "No line is of this kind."}</p>
      )}
      <ol class="rows events">
        {answer?.items.map((each) => (
          <Row key={each.id} line={each} />
        ))}
      </ol>
      <div class="actions">
        {cursors.length > 0 && (
          <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            Newer
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => setCursors([...cursors, next])}>
            Older
          </button>
        )}
      </div>
    </>
  );
}

function Row({
  line: { kind, level, time, workItem, delivery, reason, sentence },
}: {
  readonly line: Line;
}): VNode {
  return (
    <li class={level} data-kind={kind}>
      <span>
        <Words say={sentence} />
        <small class="parts">
          <code>{kind}</code>
          {reason !== null && <span>{reason}</span>}
          {workItem !== null && (
            <a href={formatRoute({ page: "item", ref: workItem })}>{shortRef(workItem)}</a>
          )}
          {delivery !== null && <a href={formatRoute({ page: "delivery", id: delivery })}>why</a>}
        </small>
      </span>
      <span class="aside">
        {(level === "warn" || level === "error") && (
          <span class={`pill ${level === "error" ? "bad" : "warn"}`}>{level}</span>
        )}
        <When at={time} />
      </span>
    </li>
  );
}
