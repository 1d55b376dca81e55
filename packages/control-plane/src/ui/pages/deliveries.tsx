import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { delivery, type Delivery, pageOf, why } from "../api/shapes.ts";
import { formatRoute } from "../model/route.ts";
import { toneOf } from "../model/tones.ts";
import { shortRef } from "../model/words.ts";
import { Plot } from "../parts/plot.tsx";
import { Pill, Title, When, Words } from "../parts/text.tsx";
import { Trouble } from "../parts/error-banner.tsx";
import { useAnswer } from "../service.ts";

/** Everything that came in, and what became of it. */
export function DeliveriesPage(): VNode {
  const [limit, setLimit] = useState(50);
  const { answer, trouble } = useAnswer(`deliveries ${limit}`, (ask) =>
    ask(`/deliveries?limit=${limit}`, pageOf(delivery)),
  );
  return (
    <>
      <h1>Deliveries</h1>
      <Plot />
      <Trouble trouble={trouble} stale={answer !== null} />
      {answer?.items.length === 0 && (
        <p class="none">
          Nothing came in yet. <code>loop doctor</code> checks the way here.
        </p>
      )}
      <ul class="rows deliveries">
        {answer?.items.map((each) => (
          <Row key={each.id} delivery={each} />
        ))}
      </ul>
      {answer !== null && answer.next !== null && limit < 200 && (
        <button type="button" onClick={() => setLimit(200)}>
          Show more
        </button>
      )}
    </>
  );
}

function Row({
  delivery: { id, event, source, verified, receivedAt, ignored, workItem, verdict, sentence },
}: {
  readonly delivery: Delivery;
}): VNode {
  return (
    <li>
      <span>
        <a href={formatRoute({ page: "delivery", id })}>{event}</a> by {source}
        {workItem !== null && (
          <>
            {" "}
            for <a href={formatRoute({ page: "item", ref: workItem })}>{shortRef(workItem)}</a>
          </>
        )}
        <small>
          {sentence !== null ? (
            <Words say={sentence} />
          ) : ignored !== null ? (
            `Ignored at the door: ${ignored}.`
          ) : (
            "It waits to be decided."
          )}
        </small>
      </span>
      <span class="aside">
        {!verified && source === "webhook" && <Pill tone="warn">unverified</Pill>}
        <Pill tone={toneOf(verdict, ignored)}>
          {verdict ?? (ignored === null ? "waiting" : "ignored")}
        </Pill>
        <When at={receivedAt} />
      </span>
    </li>
  );
}

/** One delivery with the whole reasoning, as `loop why` prints it. */
export function DeliveryPage({ id }: { readonly id: string }): VNode {
  const { answer, trouble } = useAnswer(`why ${id}`, (ask) =>
    ask(`/deliveries/${encodeURIComponent(id)}/why`, why),
  );
  return (
    <>
      <h1>Why</h1>
      <p class="facts">
        <span>
          Delivery <code>{id}</code>
        </span>
        {answer !== null && (
          <span>
            {answer.event}, received <When at={answer.receivedAt} />
          </span>
        )}
        {answer?.check != null && (
          <span>
            check <Title of={answer.check} />
          </span>
        )}
      </p>
      <Trouble trouble={trouble} stale={answer !== null} />
      {answer !== null && (
        <>
          <ol class="sentences card">
            {answer.sentences.map((each) => (
              <li>
                <Words say={each} />
              </li>
            ))}
          </ol>
          <p class="facts">
            {answer.reason !== null && (
              <span>
                Reason <code>{answer.reason}</code>
              </span>
            )}
            {answer.workItem !== null && (
              <a href={formatRoute({ page: "item", ref: answer.workItem })}>
                {shortRef(answer.workItem)}
              </a>
            )}
            <a href="#/deliveries">All deliveries</a>
          </p>
        </>
      )}
    </>
  );
}
