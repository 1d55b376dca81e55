import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counts, type Counts } from "../api/shapes.ts";
import { type Curve, drawingOf } from "../model/plot.ts";
import { useAnswer } from "../service.ts";

const spans = [
  { hours: 1, label: "1 hour" },
  { hours: 24, label: "24 hours" },
  { hours: 168, label: "7 days" },
] as const;

/**
 * What was accepted, as an area, and what was decided and failed, as lines over it. Its numbers
 * stand beside it as text, for who does not see it.
 */
export function Plot(): VNode {
  const [hours, setHours] = useState<number>(24);
  const { answer } = useAnswer(`activity ${hours}`, (ask) =>
    ask(`/activity?hours=${hours}`, counts),
  );
  return (
    <section id="activity" class="card" aria-labelledby="activity-title">
      <div class="plot-head">
        <h2 id="activity-title">Over time</h2>
        <label>
          <span class="quiet">Span</span>
          <select
            value={String(hours)}
            onChange={(event) => setHours(Number(event.currentTarget.value))}
          >
            {spans.map((span) => (
              <option key={span.hours} value={String(span.hours)}>
                {span.label}
              </option>
            ))}
          </select>
        </label>
      </div>
      {answer !== null && <Drawn answer={answer} />}
    </section>
  );
}

const [width, height, room] = [1_000, 120, 4];

function Drawn({ answer: { steps, stepMs, until } }: { readonly answer: Counts }): VNode {
  const { curves, top } = drawingOf(steps);
  const begins = steps[0]?.at ?? until;
  return (
    <>
      <ul class="legend">
        {curves.map(({ name, sum }) => (
          <li key={name} class={name}>
            {name} <strong>{sum}</strong>
          </li>
        ))}
      </ul>
      <svg
        class="plot"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {[0, 0.5, 1].map((at) => (
          <line key={at} class="grid" x1={0} x2={width} y1={down(at)} y2={down(at)} />
        ))}
        {curves.map(({ name, points }) =>
          name === "accepted" ? (
            <polygon
              key={name}
              class={name}
              points={`0,${down(1)} ${corners(points)} ${width},${down(1)}`}
            />
          ) : (
            <polyline key={name} class={name} points={corners(points)} />
          ),
        )}
      </svg>
      <p class="axis">
        <time dateTime={new Date(begins).toISOString()}>{moment(begins)}</time>
        <span>
          at most {top} in{" "}
          {Math.round(stepMs / 60_000) >= 1
            ? `${Math.round(stepMs / 60_000)} min`
            : `${stepMs / 1_000} s`}
        </span>
        <span>now</span>
      </p>
    </>
  );
}

function corners(points: Curve["points"]): string {
  return points.map(([x, y]) => `${(x * width).toFixed(1)},${down(y).toFixed(1)}`).join(" ");
}

function down(part: number): number {
  return room + part * (height - 2 * room);
}

function moment(at: number): string {
  return `${new Date(at).toISOString().slice(5, 16).replace("T", " ")} UTC`;
}
