import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { sent } from "../api/shapes.ts";
import type { Waits } from "../model/board.ts";
import { shortRef, wholeSentence } from "../model/words.ts";
import { useService } from "../service.ts";
import { type Action, Actions, type Outcome, outcomeOf, Told } from "./action-button.tsx";
import { decideTurn, itemPath, outcomeOfSent, steer } from "./item-actions.ts";
import { ItemLink, When, Words } from "./text.tsx";

/** Something that waits: why, what helps, and the buttons that do it. */
export function WaitCard({
  wait,
  done,
  headed = true,
}: {
  readonly wait: Waits;
  readonly done: () => void;
  readonly headed?: boolean;
}): VNode {
  const { workItem, lane, title, words, detail, type, until, reason } = wait;
  return (
    <article class={type === null ? "card waits" : "card waits needs-you"} data-reason={reason}>
      {headed && (
        <h3>
          <ItemLink workItem={workItem} title={title} />
        </h3>
      )}
      <p class="why">
        {wholeSentence(words)}
        {lane !== workItem && <span class="ref"> In the session of {shortRef(lane)}.</span>}
        {until !== null && type === null && reason !== "attached" && (
          <>
            {" "}
            It goes on by itself <When at={until} />.
          </>
        )}
      </p>
      {detail !== "" &&
        (reason === "asked" ? (
          <blockquote class="detail">
            <bdi>{detail}</bdi>
          </blockquote>
        ) : (
          <p class="detail">
            <Words say={detail} />
          </p>
        ))}
      {type !== null && (
        <p class="remedy">
          <span aria-hidden="true">→ </span>
          <Words say={wholeSentence(type)} />
        </p>
      )}
      {reason === "asked" ? (
        <Say to={lane} label="Your answer" done={done} />
      ) : (
        <Actions
          actions={actionsFor(wait)}
          about={title === "" ? shortRef(workItem) : title}
          done={done}
        />
      )}
    </article>
  );
}

/** Buttons for what the remedy says. What can be done nowhere but in a terminal has none. */
function actionsFor({ reason, turn, workItem }: Waits): readonly Action[] {
  const resume = steer(workItem, { verb: "resume", label: "Resume", ask: null }, true);
  const decide = turn === null ? [] : [decideTurn(turn, "retry"), decideTurn(turn, "drop")];
  switch (reason) {
    case "uncertain":
      return decide;
    case "failed":
      return [...decide, { ...resume, main: false }];
    case "close-deferred":
      return [
        steer(workItem, {
          verb: "cleanup",
          label: "Clean up…",
          ask: "Clean up ends the session and removes its checkout. Work that is not pushed is saved first; `loop sessions undo-cleanup` brings it back.",
        }),
      ];
    case "paused":
    case "loop-breaker":
    case "budget":
    case "login":
    case "billing":
    case "not-installed":
    case "workspace":
    case "sandbox":
    case "spawn-refused":
      return [resume];
    default:
      return [];
  }
}

/** A word to a session, without the host. */
export function Say({
  to,
  label,
  done,
}: {
  readonly to: string;
  readonly label: string;
  readonly done: () => void;
}): VNode {
  const { ask } = useService();
  const [text, setText] = useState("");
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const id = `say-${to.replace(/[^a-zA-Z0-9]/g, "-")}`;
  const send = async (): Promise<void> => {
    const told = await ask(`${itemPath(to)}/say`, sent, { method: "POST", body: { text } }).then(
      outcomeOfSent,
      outcomeOf,
    );
    if (told.well) setText("");
    setOutcome(told);
    done();
  };
  return (
    <form class="say" onSubmit={(event) => (event.preventDefault(), void send())}>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={2}
        maxLength={65_536}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="main" disabled={text.trim() === ""}>
        Send
      </button>
      <Told outcome={outcome} />
    </form>
  );
}
