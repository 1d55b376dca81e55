import type { ComponentChildren, VNode } from "preact";
import type { Ask } from "../api/ask.ts";
import { pageOf, row, type Row, turn, unownedStart, wait } from "../api/shapes.ts";
import { everyPage } from "../api/pages.ts";
import { type Board, boardOf, type Flight, type Unowned } from "../model/board.ts";
import { useAnswer } from "../service.ts";
import { wholeSentence } from "../model/words.ts";
import { ItemLink, Pill, When, Words } from "../parts/text.tsx";
import { Trouble } from "../parts/error-banner.tsx";
import { WaitCard } from "../parts/wait-card.tsx";

async function load(ask: Ask): Promise<Board> {
  const [items, waiting, unowned, injecting, ready] = await Promise.all([
    everyPage(ask, "/work-items", row),
    everyPage(ask, "/waiting", wait),
    everyPage(ask, "/unowned-starts", unownedStart),
    ask("/turns?state=injecting&limit=100", pageOf(turn)),
    ask("/turns?state=ready&limit=100", pageOf(turn)),
  ]);
  return boardOf(items, waiting, [...injecting.items, ...ready.items], unowned);
}

/** Who works on what, and first of all what waits for a person. */
export function BoardPage(): VNode {
  const { answer: board, trouble, again } = useAnswer("board", load);
  return (
    <>
      <h1 class="quiet">Board</h1>
      <Trouble trouble={trouble} stale={board !== null} />
      {board === null ? (
        trouble === null && <p class="none">Asking the service…</p>
      ) : (
        <Parts board={board} again={again} />
      )}
    </>
  );
}

function Parts({ board, again }: { readonly board: Board; readonly again: () => void }): VNode {
  const { needsYou, unowned, inFlight, held, listening, notStarted, done } = board;
  const nothing = [needsYou, unowned, inFlight, held, listening, notStarted, done].every(
    (part) => part.length === 0,
  );
  if (nothing)
    return (
      <p class="none">
        Nothing is on record yet. Label an issue and comment <code>loop start</code> on it;{" "}
        <code>loop doctor</code> checks the way here.
      </p>
    );
  return (
    <>
      <Part
        name="needs-you"
        title="Needs you"
        count={needsYou.length}
        empty="Nothing waits for a person."
      >
        {needsYou.map((each) => (
          <WaitCard key={`${each.lane} ${each.reason}`} wait={each} done={again} />
        ))}
      </Part>
      {unowned.length > 0 && (
        <Part name="unowned" title="Starts that nobody may have taken" count={unowned.length}>
          {unowned.map((each) => (
            <UnownedCard key={each.workItem} start={each} />
          ))}
        </Part>
      )}
      <Part
        name="in-flight"
        title="In flight"
        count={inFlight.length}
        empty="No turn runs, and none waits to run."
      >
        {inFlight.map((each) => (
          <FlightCard key={each.id} flight={each} />
        ))}
      </Part>
      {held.length > 0 && (
        <Part name="held" title="Held, goes on by itself" count={held.length}>
          {held.map((each) => (
            <WaitCard key={`${each.lane} ${each.reason}`} wait={each} done={again} />
          ))}
        </Part>
      )}
      {listening.length > 0 && (
        <Part name="listening" title="Started, nothing to do right now" count={listening.length}>
          <Rows rows={listening} />
        </Part>
      )}
      {notStarted.length > 0 && (
        <Part name="not-started" title="Not started" count={notStarted.length}>
          <Rows rows={notStarted} />
        </Part>
      )}
      {done.length > 0 && (
        <Part name="done" title="Done" count={done.length}>
          <Rows rows={done} />
        </Part>
      )}
    </>
  );
}

function Part({
  name,
  title,
  count,
  empty,
  children,
}: {
  readonly name: string;
  readonly title: string;
  readonly count: number;
  readonly empty?: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section id={name} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>
        {title} <span class="count">{count}</span>
      </h2>
      {count === 0 ? <p class="none">{empty}</p> : children}
    </section>
  );
}

function UnownedCard({
  start: { workItem, title, by, at, words, type },
}: {
  readonly start: Unowned;
}): VNode {
  return (
    <article class="card unowned">
      <h3>
        <ItemLink workItem={workItem} title={title} />
      </h3>
      <p class="why">
        The start that @{by} asked for <When at={at} /> {words}.
      </p>
      <p class="remedy">
        <span aria-hidden="true">→ </span>
        <Words say={wholeSentence(type)} />
      </p>
    </article>
  );
}

function FlightCard({
  flight: { workItem, title, state, attempt, createdAt, deliveries },
}: {
  readonly flight: Flight;
}): VNode {
  return (
    <article class="card flight">
      <h3>
        <ItemLink workItem={workItem} title={title} />
      </h3>
      <p>
        {state === "injecting" ? (
          <Pill tone="busy">working</Pill>
        ) : (
          <Pill tone="calm">waiting</Pill>
        )}{" "}
        {state === "injecting" ? "began" : "came"} <When at={attempt?.startedAt ?? createdAt} />,
        because of {becauseOf(deliveries)}
      </p>
    </article>
  );
}

function becauseOf(deliveries: Flight["deliveries"]): string {
  return deliveries
    .map(
      ({ event, action, actor }) =>
        `${event}${action === "" ? "" : ` (${action})`}${actor === null ? "" : ` by @${actor}`}`,
    )
    .join(", ");
}

const shownAtOnce = 20;

function Rows({ rows }: { readonly rows: readonly Row[] }): VNode {
  const rest = rows.slice(shownAtOnce);
  return (
    <>
      <RowList rows={rows.slice(0, shownAtOnce)} />
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          <RowList rows={rest} />
        </details>
      )}
    </>
  );
}

function RowList({ rows }: { readonly rows: readonly Row[] }): VNode {
  return (
    <ul class="rows">
      {rows.map(({ ref, title, status, armed, node, at }) => (
        <li key={ref}>
          <ItemLink workItem={ref} title={title} />
          <span class="aside">
            {node !== null && status !== "closed" && <Pill tone="calm">{node}</Pill>}
            {status === "idle" ? (
              <Pill tone="calm">{armed ? "labelled" : "not labelled"}</Pill>
            ) : (
              <Pill tone={status === "started" ? "good" : "calm"}>{status}</Pill>
            )}
            {at !== null && <When at={at} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
